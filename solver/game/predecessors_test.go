package game_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bohnenspiel/solver/game"
)

// TestPredecessorsMatchSuccessors plays all moves of all positions with few beans,
// and looks for exactly these moves from behind.
func TestPredecessorsMatchSuccessors(t *testing.T) {
	t.Parallel()
	for _, g := range allGames(t) {
		t.Run(name(g), func(t *testing.T) {
			t.Parallel()
			type end struct {
				position game.Position
				captured int
			}
			forward := map[end]map[game.Predecessor]bool{}
			moves, most := 0, 0
			for beans, positions := range smallLayers(g.Width(), thin(20_000, 2_000)) {
				most = beans
				for p := range positions {
					for _, s := range g.Successors(nil, p) {
						e := end{s.Next, s.Captured}
						if forward[e] == nil {
							forward[e] = map[game.Predecessor]bool{}
						}
						forward[e][game.Predecessor{Pit: s.Pit, Previous: p}] = true
						moves++
					}
				}
			}
			var found []game.Predecessor
			for beans := range most + 1 {
				for p := range layer(g.Width(), beans) {
					for captured := range most - beans + 1 {
						found = g.Predecessors(found[:0], p, captured)
						want := forward[end{p, captured}]
						for i, q := range found {
							if !want[q] {
								t.Fatalf("%v with %d captured: no move leads there from %+v", p, captured, q)
							}
							if slices.Contains(found[:i], q) {
								t.Fatalf("%v with %d captured: %+v is found twice", p, captured, q)
							}
						}
						if len(found) != len(want) {
							t.Fatalf("%v with %d captured: %d predecessors, want %d", p, captured, len(found), len(want))
						}
						if !slices.IsSortedFunc(found, func(a, b game.Predecessor) int { return a.Pit - b.Pit }) {
							t.Fatalf("%v with %d captured: %v is not in order of pits", p, captured, found)
						}
						moves -= len(found)
					}
				}
			}
			if moves != 0 {
				t.Errorf("%d moves were not found from behind", moves)
			}
		})
	}
}

// TestPredecessorsOnFullBoards goes one move forward and back again.
func TestPredecessorsOnFullBoards(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := drawGame(rt)
		p := drawDiagram(rt, g.Width()).Position()
		successors := g.Successors(nil, p)
		if len(successors) == 0 {
			return
		}
		s := rapid.SampledFrom(successors).Draw(rt, "move")
		if s.Captured > 24 {
			return // too many ways to fill the pits again
		}
		found := g.Predecessors(nil, s.Next, s.Captured)
		if !slices.Contains(found, game.Predecessor{Pit: s.Pit, Previous: p}) {
			rt.Fatalf("%v %v: pit %d of %v is not among the predecessors", name(g), s.Next, s.Pit, p)
		}
		for _, q := range found {
			if !slices.Contains(g.Successors(nil, q.Previous), game.Successor{Pit: q.Pit, Captured: s.Captured, Next: s.Next}) {
				rt.Fatalf("%v %v: not a successor of %+v with %d captured", name(g), s.Next, q, s.Captured)
			}
		}
	})
}

func TestPredecessorsByHand(t *testing.T) {
	for _, test := range []struct {
		name     string
		rules    game.Rules
		pits     []int
		captured int
		want     []game.Predecessor
	}{
		{"one bean back", game.Bohnenspiel, []int{0, 0, 0, 1}, 0, []game.Predecessor{
			{Pit: 0, Previous: position(1, 0, 0, 0)},
		}},
		{"and a pass", game.Mangala, []int{0, 1, 0, 0}, 0, []game.Predecessor{
			{Pit: game.Pass, Previous: position(0, 0, 0, 1)},
		}},
		{"no pass where the next player can't move either", game.Mangala, []int{0, 0, 0, 0}, 0, nil},
		{"a pair taken", game.Bohnenspiel, []int{0, 0, 0, 0}, 2, []game.Predecessor{
			{Pit: 0, Previous: position(1, 1, 0, 0)},
			{Pit: 1, Previous: position(0, 1, 1, 0)},
		}},
		{"an odd number can't be taken", game.Bohnenspiel, []int{0, 0, 0, 0}, 3, nil},
		{"nor less than nothing", game.Bohnenspiel, []int{0, 0, 0, 0}, -2, nil},
		{"nor more than the board has", game.Bohnenspiel, []int{0, 0, 20, 0}, 6, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := newGame(t, test.rules, 2).Predecessors(nil, position(test.pits...), test.captured)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Predecessors (-want +got):\n%s", diff)
			}
		})
	}
	first := game.Predecessor{Pit: 7}
	got := newGame(t, game.Bohnenspiel, 2).Predecessors([]game.Predecessor{first}, position(0, 0, 0, 1), 0)
	if len(got) != 2 || got[0] != first {
		t.Errorf("Predecessors = %v, want one appended to %v", got, first)
	}
}
