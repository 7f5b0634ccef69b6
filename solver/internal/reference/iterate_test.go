package reference_test

import (
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/internal/reference"
)

// bounds are the least and the most that the mover gets.
type bounds [2]int

// iterate computes bounds for all positions of tables by a third method: it starts
// from [−n, n] and recomputes all positions of a layer from their successors, by
// the moves of package game, until nothing changes. If scores is set, each layer is
// closed to scores, 0 drawn into the bounds, before the next one is begun.
func iterate(g game.Game, tables *reference.Tables, beans int, scores bool) map[game.Position]bounds {
	now := make(map[game.Position]bounds)
	for n := range beans + 1 {
		layer := tables.Positions(n)
		for _, p := range layer {
			now[p] = bounds{-n, n}
		}
		for changed := true; changed; {
			changed = false
			for _, p := range layer {
				next := bounds{-n, -n}
				for _, s := range g.Successors(nil, p) {
					next[0] = max(next[0], s.Captured-now[s.Next][1])
					next[1] = max(next[1], s.Captured-now[s.Next][0])
				}
				if g.Over(p) {
					next = bounds{int(g.Final(p)), int(g.Final(p))}
				}
				changed = changed || next != now[p]
				now[p] = next
			}
		}
		if scores {
			for _, p := range layer {
				score := min(max(0, now[p][0]), now[p][1])
				now[p] = bounds{score, score}
			}
		}
	}
	return now
}

func TestIteration(t *testing.T) {
	for _, rules := range both() {
		for width, beans := range boardsTo() {
			g := newGame(t, rules, width)
			tables := reference.Solve(g, beans)
			scores := iterate(g, tables, beans, true)
			intervals := iterate(g, tables, beans, false)
			for p, x := range intervals {
				got := tables.Value(p)
				want := reference.Value{Score: scores[p][0], Low: x[0], High: x[1]}
				if got != want {
					t.Fatalf("%v, %v: got %+v, want %+v", rules, p, got, want)
				}
				if got.Low > got.Score || got.Score > got.High {
					t.Fatalf("%v, %v: score outside low to high: %+v", rules, p, got)
				}
			}
		}
	}
}
