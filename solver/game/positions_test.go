package game_test

import (
	"fmt"
	"iter"
	"testing"

	"pgregory.net/rapid"

	"bohnenspiel/solver/game"
)

// newGame returns a game that must exist.
func newGame(tb testing.TB, rules game.Rules, width int) game.Game {
	tb.Helper()
	g, err := game.New(rules, width)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// allGames returns both games on boards of all widths.
func allGames(t *testing.T) []game.Game {
	t.Helper()
	games := make([]game.Game, 0, 2*game.MaxWidth)
	for width := game.MinWidth; width <= game.MaxWidth; width++ {
		games = append(games, newGame(t, game.Bohnenspiel, width), newGame(t, game.Mangala, width))
	}
	return games
}

// name names a game in a subtest.
func name(g game.Game) string {
	return fmt.Sprintf("%v-2x%d", g.Rules(), g.Width())
}

// position returns the position with the given pits of the mover and the opponent.
func position(pits ...int) game.Position {
	width := len(pits) / 2
	return game.Position{Mover: game.RowOf(pits[:width]...), Opponent: game.RowOf(pits[width:]...)}
}

// layer yields all positions with so many beans on a board of the given width.
func layer(width, beans int) iter.Seq[game.Position] {
	return func(yield func(game.Position) bool) {
		pits := make([]int, 2*width)
		var fill func(pit, rest int) bool
		fill = func(pit, rest int) bool {
			if pit == len(pits)-1 {
				pits[pit] = rest
				return yield(position(pits...))
			}
			for pits[pit] = 0; pits[pit] <= rest; pits[pit]++ {
				if !fill(pit+1, rest-pits[pit]) {
					return false
				}
			}
			return true
		}
		fill(0, beans)
	}
}

// smallLayers yields the layers of a board, from 0 beans on, until the next one
// would have more than the given number of positions, or more beans than the board.
func smallLayers(width, most int) iter.Seq2[int, iter.Seq[game.Position]] {
	return func(yield func(int, iter.Seq[game.Position]) bool) {
		size := 1 // C(beans+2w−1, beans)
		for beans := 0; beans <= game.MaxBeans(width) && size <= most; beans++ {
			if !yield(beans, layer(width, beans)) {
				return
			}
			size = size * (beans + 2*width) / (beans + 1)
		}
	}
}

// thin returns a smaller number under -short.
func thin(full, short int) int {
	if testing.Short() {
		return short
	}
	return full
}

// drawGame draws a game.
func drawGame(t *rapid.T) game.Game {
	rules := rapid.SampledFrom([]game.Rules{game.Bohnenspiel, game.Mangala}).Draw(t, "rules")
	g, err := game.New(rules, rapid.IntRange(game.MinWidth, game.MaxWidth).Draw(t, "width"))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// drawPits draws a board of 2w pits. Half of the boards hold up to 6 beans in each
// pit, which gives long chains, the others a few big heaps, which give laps.
func drawPits(t *rapid.T, width int) []int {
	if rapid.Bool().Draw(t, "even") {
		return rapid.SliceOfN(rapid.IntRange(0, 6), 2*width, 2*width).Draw(t, "pits")
	}
	pits := make([]int, 2*width)
	rest := rapid.IntRange(0, game.MaxBeans(width)).Draw(t, "beans")
	for rest > 0 {
		beans := rapid.IntRange(1, rest).Draw(t, "heap")
		pits[rapid.IntRange(0, len(pits)-1).Draw(t, "pit")] += beans
		rest -= beans
	}
	return pits
}

// drawDiagram draws a diagram with no more beans than the board has.
func drawDiagram(t *rapid.T, width int) game.Diagram {
	p := position(drawPits(t, width)...)
	d := game.Diagram{Width: width, Rows: [2]game.Row{p.Mover, p.Opponent}}
	d.ToMove = rapid.SampledFrom([]game.Side{game.South, game.North}).Draw(t, "side")
	rest := game.MaxBeans(width) - p.Beans()
	d.Stores[game.South] = rapid.IntRange(0, rest).Draw(t, "South's store")
	d.Stores[game.North] = rapid.IntRange(0, rest-d.Stores[game.South]).Draw(t, "North's store")
	return d
}
