package game_test

import (
	"testing"

	"bohnenspiel/solver/game"
)

// TestFinalStores compares the stores after a score with those that play ends with: a score
// of ended play is what the opponent gets of the beans on the board.
func TestFinalStores(t *testing.T) {
	for _, c := range []struct {
		text  string
		score game.Score
		want  string
	}{
		{"0 2 1 1 1 1 / 3 3 3 1 0 0 / 26 30 S", 0, "34-38"},
		{"0 2 1 1 1 1 / 3 3 3 1 0 0 / 26 30 S", 4, "36-36"},
		{"0 2 1 1 1 1 / 3 3 3 1 0 0 / 26 30 N", -16, "42-30"},
		{"0 0 / 3 1 / 5 2 S", -4, "5-6"},
		{"3 1 / 0 0 / 5 2 N", -4, "9-2"},
	} {
		d := diagram(t, c.text)
		got := d.Final(c.score)
		if got.String() != c.want {
			t.Errorf("%s, score %d: got %v, want %s", c.text, c.score, got, c.want)
		}
		if g := newGame(t, game.Bohnenspiel, d.Width); g.Over(d.Position()) && got != d.Settle(g).Won() {
			t.Errorf("%s: got %v, want %v", c.text, got, d.Settle(g).Won())
		}
	}
}

func TestConverts(t *testing.T) {
	for text, want := range map[string]bool{
		"1 0 / 1 0": false,
		"0 1 / 1 0": true,  // takes two
		"0 1 / 0 2": false, // the opponent has beans
		"1 0 / 0 0": true,  // ends play: the opponent has none
	} {
		d := diagram(t, text)
		g := newGame(t, game.Bohnenspiel, d.Width)
		if got := g.Converts(g.Successors(nil, d.Position())[0]); got != want {
			t.Errorf("%s: got %t, want %t", text, got, want)
		}
	}
}
