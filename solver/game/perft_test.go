package game_test

import (
	"testing"

	"pgregory.net/rapid"

	"bohnenspiel/solver/game"
)

func TestPerftFromStart(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, game.StandardWidth)
	for plies, want := range []uint64{1, 6, 36, 206, 1166, 6599, 36654, 203586, 1106575, 6015626} {
		if plies == 9 && testing.Short() {
			t.Skip("ply 9 takes long")
		}
		if got := game.Perft(g, g.Start(6), plies); got != want {
			t.Errorf("perft to %d plies = %d, want %d", plies, got, want)
		}
	}
}

func TestPerftAgreesWithPlainRules(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := drawGame(rt)
		d := drawDiagram(rt, g.Width())
		plies := rapid.IntRange(0, 3).Draw(rt, "plies")
		got, want := game.Perft(g, d.Position(), plies), plainOf(g, d).perft(plies)
		if got != want {
			rt.Errorf("%v %v: perft to %d plies = %d, want %d", name(g), d, plies, got, want)
		}
	})
}

func TestPerftAtTheEnd(t *testing.T) {
	for _, test := range []struct {
		rules game.Rules
		pits  []int
		plies int
		want  uint64
	}{
		{game.Bohnenspiel, []int{0, 0, 1, 1}, 0, 1},
		{game.Bohnenspiel, []int{0, 0, 1, 1}, 1, 0},
		{game.Mangala, []int{0, 0, 1, 1}, 1, 1}, // a pass
		{game.Mangala, []int{0, 0, 1, 1}, 2, 2},
		{game.Mangala, []int{0, 0, 0, 0}, 1, 0},
	} {
		if got := game.Perft(newGame(t, test.rules, 2), position(test.pits...), test.plies); got != test.want {
			t.Errorf("%v %v: perft to %d plies = %d, want %d", test.rules, test.pits, test.plies, got, test.want)
		}
	}
}
