package tablebase_test

import (
	"context"
	"fmt"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// TestLoaded compares layers in memory with probes and searched depths, of positions
// that lean on rule 8 as well.
func TestLoaded(t *testing.T) {
	t.Parallel()
	const most = 6
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		g, db := tabletest.Tables(t, rules, 5, most, format.Both)
		for beans := most - 1; beans <= most; beans++ {
			t.Run(fmt.Sprintf("%v/beans=%d", rules, beans), func(t *testing.T) {
				t.Parallel()
				layers, err := db.LoadUpTo(t.Context(), g, beans, 2)
				if err != nil {
					t.Fatal(err)
				}
				defer layers.Free()
				for n := beans; n >= 0; n -= 2 {
					for number := range layers.Size(n) {
						compareLoaded(t, db, g, layers, layers.Position(n, number))
					}
				}
			})
		}
	}
}

// compareLoaded compares what the layers in memory say of a position.
func compareLoaded(tb testing.TB, db *tablebase.DB, g game.Game, layers *tablebase.Loaded, p game.Position) {
	tb.Helper()
	got, gotDepth := layers.Probe(p), layers.Depth(p)
	if g.Over(p) {
		if got.Score != g.Final(p) || gotDepth != 0 {
			tb.Errorf("%v: got %+v and depth %v, want %d and 0", p, got, gotDepth, g.Final(p))
		}
		return
	}
	want, err := db.Probe(g, p)
	if err != nil {
		tb.Fatal(err)
	}
	depth := depthOf(tb, db, g, p)
	if got != want || gotDepth != depth {
		tb.Errorf("%v: got %+v and depth %v, want %+v and %v", p, got, gotDepth, want, depth)
	}
}

// TestLoadedErrors wants errors where layers are missing, and nothing left behind.
func TestLoadedErrors(t *testing.T) {
	t.Parallel()
	g, db := tabletest.Tables(t, game.Bohnenspiel, game.StandardWidth, 2, format.Even)
	for _, beans := range []int{-1, 1, 4, 73} {
		_, err := db.LoadUpTo(t.Context(), g, beans, 1)
		tabletest.WantError(t, err, format.ErrNoLayer)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := db.LoadUpTo(ctx, g, 2, 1)
	tabletest.WantError(t, err, context.Canceled)
}
