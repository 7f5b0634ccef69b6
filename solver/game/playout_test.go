package game_test

import (
	"testing"

	"pgregory.net/rapid"

	"bohnenspiel/solver/game"
)

// TestPlayAgreesWithPlainRules plays games at random to the end, or for some time,
// on both boards at once.
func TestPlayAgreesWithPlainRules(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := drawGame(rt)
		d := drawDiagram(rt, g.Width())
		board := plainOf(g, d)
		all := d.Position().Beans() + d.Stores[0] + d.Stores[1]
		for range rapid.IntRange(0, 60).Draw(rt, "plies") {
			moves := board.moves()
			for number := -1; number <= 2*g.Width()+1; number++ {
				legal := false
				for _, move := range moves {
					legal = legal || move == number
				}
				if _, _, err := d.Play(g, number); (err == nil) != legal {
					rt.Fatalf("%v %v, move %d: error %v, want legal = %v", name(g), d, number, err, legal)
				}
			}
			if len(moves) == 0 {
				break
			}
			number := rapid.SampledFrom(moves).Draw(rt, "move")
			next, captured, err := d.Play(g, number)
			if want := board.play(number); err != nil || captured != want || next != board.diagram() {
				rt.Fatalf("%v %v, move %d: got %v and %d, %v; want %v and %d", name(g), d, number, next, captured, err, board.diagram(), want)
			}
			d = next
			if got := d.Position().Beans() + d.Stores[0] + d.Stores[1]; got != all {
				rt.Fatalf("%v %v: %d beans, want %d", name(g), d, got, all)
			}
		}
		if board.over() {
			board.settle()
		}
		if got, want := d.Settle(g), board.diagram(); got != want {
			rt.Fatalf("%v %v settles as %v, want %v", name(g), d, got, want)
		}
	})
}

func TestPlayOnAnotherBoard(t *testing.T) {
	_, _, err := diagram(t, "1 / 1").Play(newGame(t, game.Bohnenspiel, 6), 1)
	wantError(t, err, game.ErrWidth, "bad board width 1: the game is played on a 2×6 board")
}
