package solver_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/memory"
)

// settledLayers are layers without any that lean on rule 8.
var settledLayers = []struct {
	rules game.Rules
	width int
	beans int // the last
	first int
}{
	{game.Bohnenspiel, 6, 8, 0},
	{game.Bohnenspiel, 6, 7, 1},
	{game.Mangala, 6, 8, 0},
	{game.Bohnenspiel, 3, 24, 0},
	{game.Mangala, 4, 14, 0},
	{game.Bohnenspiel, 9, 4, 0},
}

// bestConversion returns what the best capture of a position gives, or its final
// score if play is over, or false if there is neither.
func bestConversion(t *testing.T, g game.Game, x *index.Index, lower solver.Source, p game.Position) (game.Score, bool) {
	t.Helper()
	if g.Over(p) {
		return g.Final(p), true
	}
	best, found := game.Score(0), false
	for _, s := range g.Successors(nil, p) {
		if s.Captured == 0 {
			continue
		}
		beans, i := x.Rank(s.Next)
		score, err := lower.Read(solver.Scores, beans, i, 1, make([]game.Score, 1))
		if err != nil {
			t.Fatal(err)
		}
		if value := game.Score(s.Captured) - score[0]; !found || value > best {
			best, found = value, true
		}
	}
	return best, found
}

func TestSettleAndResolve(t *testing.T) {
	for i, c := range slices.Concat(settledLayers, settledLayers) {
		var first *memory.Block
		if i < len(settledLayers) {
			first = new(memory.Block)
			defer first.Free()
		}
		g, err := game.New(c.rules, c.width)
		if err != nil {
			t.Fatal(err)
		}
		x := index.New(c.width, c.beans)
		lower := make(tables)
		for beans := c.first; beans <= c.beans; beans += 2 {
			problem := solver.Problem{Game: g, Index: x, Beans: beans, Lower: lower, Workers: 3, FirstLooks: first}
			layer, err := solver.Solve(context.Background(), problem)
			if err != nil {
				t.Fatal(err)
			}
			if got := layer.KeepsFirstLooks(); got != (first != nil && solver.FirstLookBytes(x, beans) > 0) {
				t.Errorf("%v 2×%d, %d beans: first looks are kept: %v", c.rules, c.width, beans, got)
			}
			want := make([]game.Score, layer.Size())
			layer.Copy(solver.Scores, 0, want)
			loose := make([]game.Score, layer.Size())
			var settled solver.Settled
			for mover := range beans + 1 {
				if err := layer.Settle(context.Background(), mover, &settled); err != nil {
					t.Fatal(err)
				}
				columns := x.Rows(beans - mover)
				placed := make([]solver.PlacedScore, columns)
				for i := x.Offset(beans, mover); i < x.Offset(beans, mover+1); i++ {
					at := i - x.Offset(beans, mover)
					if at%columns == 0 {
						settled.Row(int(at/columns), placed)
					}
					score := placed[at%columns]
					if got := game.Score(score.Place()*layer.Step() - beans); got != want[i] {
						t.Fatalf("%v 2×%d, %d beans, index %d: placed as %d, want %d", c.rules, c.width, beans, i, got, want[i])
					}
					got := score.Settled()
					best, found := bestConversion(t, g, x, lower, x.Unrank(beans, i))
					lowest := int(want[i]) == -beans // no bound is lower, so it may be marked as settled in any case
					if settles := found && best == want[i]; got != settles && !lowest {
						t.Fatalf("%v 2×%d, %d beans, index %d: settled is %v, want %v", c.rules, c.width, beans, i, got, settles)
					}
					loose[i] = want[i]
					if got {
						loose[i] -= game.Score(rand.IntN(int(want[i]) + beans + 1))
					}
				}
			}
			for mover := range beans + 1 {
				rectangle := loose[x.Offset(beans, mover):x.Offset(beans, mover+1)]
				if err := solver.Resolve(context.Background(), problem, mover, rectangle); err != nil {
					t.Fatal(err)
				}
			}
			for i := range want {
				if loose[i] != want[i] {
					t.Fatalf("%v 2×%d, %d beans, index %d: resolved to %d, want %d", c.rules, c.width, beans, i, loose[i], want[i])
				}
			}
			lower[beans] = layer
		}
	}
}

func TestPlacedScore(t *testing.T) {
	if s := solver.PlacedScore(19); s.Place() != 9 || !s.Settled() {
		t.Errorf("19: got place %d, settled %t; want 9, true", s.Place(), s.Settled())
	}
}
