package solver_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/internal/reference"
)

// TestFacts compares the facts of all layers with what the scores of the reference give
// by the definitions.
func TestFacts(t *testing.T) {
	boards := []board{{1, 12, 12}, {2, 10, 16}, {3, 7, 10}, {6, 5, 8}}
	againstReference(t, boards, func(t *testing.T, g game.Game, beans int, solved tables, known *reference.Tables) {
		t.Helper()
		want := countFacts(g, known, beans)
		for _, workers := range []int{1, 2, 3, 8} {
			got, err := solver.FindFacts(t.Context(), review(g, beans, workers, solved))
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%d beans, %d workers, error %v, facts differ (-want +got):\n%s", beans, workers, err, diff)
			}
		}
	})
}

// countFacts finds the facts of a layer by the definitions.
func countFacts(g game.Game, known *reference.Tables, beans int) solver.Facts {
	x := index.New(g.Width(), beans)
	score := func(p game.Position) int { return known.Value(p).Score }
	facts := solver.Facts{Largest: game.Score(-beans - 1)}
	for i := range x.Size(beans) {
		p := x.Unrank(beans, i)
		q := p.Swap()
		if score(p) > int(facts.Largest) {
			facts.Largest, facts.LargestIndex = game.Score(score(p)), i
		}
		if p.Mover.Beans() > 0 && q.Mover.Beans() > 0 && score(p) < -score(q) && score(q) < -score(p) {
			facts.Zugzwangs++
		}
		moves, keeping := g.Successors(nil, p), 0
		for _, m := range moves {
			if m.Captured-score(m.Next) == score(p) {
				keeping++
			}
		}
		if !g.Over(p) && len(moves) >= 2 && keeping == 1 {
			facts.OnlyMoves++
		}
	}
	return facts
}
