package tablebase_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/internal/tabletest"
)

// TestFacts compares facts with counts by probing, position by position.
func TestFacts(t *testing.T) {
	t.Parallel()
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		for _, board := range []struct{ width, beans int }{{1, 12}, {2, 10}, {3, 7}, {6, 5}} {
			t.Run(fmt.Sprintf("%v/width=%d", rules, board.width), func(t *testing.T) {
				t.Parallel()
				g, db := tabletest.Tables(t, rules, board.width, board.beans, format.Both)
				for n := range board.beans + 1 {
					want := countFacts(t, db, g, n)
					for _, workers := range []int{1, 3} {
						got, err := db.Facts(t.Context(), format.KeyOf(g, n), tablebase.FactsOptions{Workers: workers})
						if diff := cmp.Diff(want, got); diff != "" || err != nil {
							t.Errorf("%d beans, error %v, facts differ (-want +got):\n%s", n, err, diff)
						}
					}
				}
			})
		}
	}
}

// countFacts finds facts by the definition.
func countFacts(t *testing.T, db *tablebase.DB, g game.Game, beans int) tablebase.LayerFacts {
	t.Helper()
	x := index.New(g.Width(), beans)
	score := func(p game.Position) int { return int(tabletest.Probe(t, db, g, p)) }
	facts := tablebase.LayerFacts{LargestScore: game.Score(-beans - 1)}
	for i := range x.Size(beans) {
		p := x.Unrank(beans, i)
		if game.Score(score(p)) > facts.LargestScore {
			facts.LargestScore = game.Score(score(p))
			facts.LargestPosition = game.Diagram{Width: g.Width(), Rows: [2]game.Row{p.Mover, p.Opponent}}.String()
		}
		if p.Mover.Beans() > 0 && p.Opponent.Beans() > 0 && score(p) < -score(p.Swap()) && score(p.Swap()) < -score(p) {
			facts.Zugzwangs++
		}
		if g.Over(p) {
			continue
		}
		moves, keeping := g.Successors(nil, p), 0
		for _, m := range moves {
			if m.Captured-score(m.Next) == score(p) {
				keeping++
			}
		}
		if len(moves) > 1 && keeping == 1 {
			facts.OnlyMoves++
		}
	}
	return facts
}

func TestFactsRefuses(t *testing.T) {
	t.Parallel()
	g, db := tabletest.Tables(t, game.Bohnenspiel, 6, 6, format.Even)
	_, err := db.Facts(t.Context(), format.KeyOf(g, 6), tablebase.FactsOptions{Memory: 100})
	tabletest.WantError(t, err, held.ErrMemory)
	_, err = db.Facts(t.Context(), format.KeyOf(g, 8), tablebase.FactsOptions{})
	tabletest.WantError(t, err, format.ErrNoLayer)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = db.Facts(ctx, format.KeyOf(g, 6), tablebase.FactsOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got error %v", err)
	}
	packed, err := db.Facts(t.Context(), format.KeyOf(g, 6), tablebase.FactsOptions{Memory: 8000})
	if err != nil {
		t.Fatal(err)
	}
	roomy, err := db.Facts(t.Context(), format.KeyOf(g, 6), tablebase.FactsOptions{})
	if diff := cmp.Diff(roomy, packed); diff != "" || err != nil {
		t.Errorf("with little memory, error %v: facts differ:\n%s", err, diff)
	}
}
