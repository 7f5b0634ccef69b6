package solver_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// TestEndings holds scores of Bohnenspiel endings and of their moves, by the
// number of the pit.
func TestEndings(t *testing.T) {
	tests := []struct {
		name            string
		mover, opponent game.Row
		want            int
		moves           map[int]int // all moves with their scores, or nil
	}{
		{
			name: "only move 6 holds", want: 0,
			mover: game.RowOf(0, 2, 1, 1, 1, 1), opponent: game.RowOf(3, 3, 3, 1, 0, 0),
			moves: map[int]int{2: -4, 3: -4, 4: -4, 5: -4, 6: 0},
		},
		{
			name: "move 2 loses three times as much", want: -4,
			mover: game.RowOf(3, 3, 0, 0, 0, 0), opponent: game.RowOf(4, 0, 2, 2, 1, 1),
			moves: map[int]int{1: -4, 2: -12},
		},
		{
			name: "two moves win all", want: 4,
			mover: game.RowOf(0, 1, 1, 1, 0, 0), opponent: game.RowOf(0, 0, 1, 0, 0, 0),
			moves: map[int]int{2: 0, 3: 4, 4: 4},
		},
		{
			name: "keeping the bean at home", want: 2,
			mover: game.RowOf(0, 1, 0, 0, 0, 1), opponent: 0,
			moves: map[int]int{2: 2, 6: -2},
		},
		{
			name: "wins all six", want: 6,
			mover: game.RowOf(3, 0, 0, 0, 0, 2), opponent: game.RowOf(0, 1, 0, 0, 0, 0),
		},
	}
	largest := 16
	if testing.Short() {
		largest = 6
	}
	g := newGame(t, game.Bohnenspiel, game.StandardWidth)
	x := index.New(g.Width(), largest)
	solved := solveTo(t, g, largest, 0)
	score := func(p game.Position) int {
		beans, i := x.Rank(p)
		var record [1]game.Score
		solved[beans].Copy(solver.Scores, i, record[:])
		return int(record[0])
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := game.Position{Mover: test.mover, Opponent: test.opponent}
			if p.Beans() > largest {
				t.Skip("takes too long under -short")
			}
			if got := score(p); got != test.want {
				t.Errorf("got score %d, want %d", got, test.want)
			}
			if test.moves == nil {
				return
			}
			moves := make(map[int]int)
			for _, s := range g.Successors(nil, p) {
				moves[s.Pit+1] = s.Captured - score(s.Next)
			}
			if diff := cmp.Diff(test.moves, moves); diff != "" {
				t.Errorf("scores of the moves, -want +got:\n%s", diff)
			}
		})
	}
}
