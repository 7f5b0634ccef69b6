package reference

import (
	"fmt"

	"bohnenspiel/solver/game"
)

// Value is what the reference knows of a position, in beans, for the player to
// move.
type Value struct {
	Score     int // endless play is worth 0 (rule 8)
	Low, High int // endless play is as bad, and as good, as can be
}

// Leans reports whether the score leans on rule 8.
func (v Value) Leans() bool { return v.Low < v.High }

// layer holds the values of all positions with the same number of beans.
type layer map[board]Value

// Tables are all layers of a game up to some number of beans, solved. They are safe
// for concurrent use.
type Tables struct {
	game   game.Game
	layers []layer
}

// Solve solves the layers 0 to beans. It panics if beans is not in the range 0 to
// game.MaxBeans.
func Solve(g game.Game, beans int) *Tables {
	if beans < 0 || beans > game.MaxBeans(g.Width()) {
		panic(fmt.Sprintf("reference: no layer of %d beans for width %d", beans, g.Width()))
	}
	t := &Tables{game: g}
	for range beans + 1 {
		t.layers = append(t.layers, newGraph(g, t.layers).solve(len(t.layers)))
	}
	return t
}

// solve returns the values of the layer, which has this many beans.
func (l *graph) solve(beans int) layer {
	values := make([]Value, len(l.boards))
	for i := range values {
		values[i] = Value{Low: -beans, High: beans}
	}
	// As b rises, both sets shrink, so the last b that fits is the largest.
	for b := 1; b <= beans; b++ {
		atLeast, atMost := l.force(b, l.score, l.score)
		for i := range values {
			if atLeast[i] {
				values[i].Score = b
			}
			if atMost[i] {
				values[i].Score = -b
			}
		}
	}
	for b := -beans + 1; b <= beans; b++ {
		atLeast, atMost := l.force(b, l.low, l.high)
		for i := range values {
			if atLeast[i] {
				values[i].Low = b
			}
			if atMost[i] {
				values[i].High = -b
			}
		}
	}
	solved := make(layer, len(values))
	for i, b := range l.boards {
		solved[b] = values[i]
	}
	return solved
}

// Value returns the value of a position. It panics if the position has more beans
// than have been solved.
func (t *Tables) Value(p game.Position) Value {
	value, ok := t.layers[p.Beans()][boardOf(p, t.game.Width())]
	if !ok {
		panic(fmt.Sprintf("reference: %v is no position of width %d", p, t.game.Width()))
	}
	return value
}

// Positions returns all positions with this many beans.
func (t *Tables) Positions(beans int) []game.Position {
	all := make([]game.Position, 0, len(t.layers[beans]))
	for b := range t.layers[beans] {
		all = append(all, b.position(t.game.Width()))
	}
	return all
}

// Totals sums up a layer.
type Totals struct {
	Positions           int
	Wins, Draws, Losses int // positions with a score above 0, of 0, below 0
	ScoreSum            int
	Leaning             int // positions whose score leans on rule 8
}

// Totals returns the totals of the layer with this many beans. It panics if that
// has not been solved.
func (t *Tables) Totals(beans int) Totals {
	totals := Totals{Positions: len(t.layers[beans])}
	for _, v := range t.layers[beans] {
		switch {
		case v.Score > 0:
			totals.Wins++
		case v.Score < 0:
			totals.Losses++
		default:
			totals.Draws++
		}
		totals.ScoreSum += v.Score
		if v.Leans() {
			totals.Leaning++
		}
	}
	return totals
}
