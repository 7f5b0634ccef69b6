package game_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bohnenspiel/solver/game"
)

// TestStepsAddUpToPlay takes each step of a move by hand and wants what Play gives.
func TestStepsAddUpToPlay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := drawGame(rt)
		d := drawDiagram(rt, g.Width())
		for number := -1; number <= 2*g.Width()+1; number++ {
			want, captured, wantErr := d.Play(g, number)
			steps, err := d.Steps(g, number)
			if (err == nil) != (wantErr == nil) {
				rt.Fatalf("%v %v, move %d: error %v, want %v", name(g), d, number, err, wantErr)
			}
			if err != nil {
				continue
			}
			pits := append(d.Rows[game.South].Pits(d.Width), d.Rows[game.North].Pits(d.Width)...)
			if number > 0 {
				pits[number-1] = 0
			}
			for _, pit := range steps.Sown {
				pits[pit-1]++
			}
			taken := 0
			for _, pit := range steps.Captured {
				taken += pits[pit-1]
				pits[pit-1] = 0
			}
			got := d
			got.Rows = [2]game.Row{game.RowOf(pits[:d.Width]...), game.RowOf(pits[d.Width:]...)}
			got.Stores[d.ToMove] += taken
			got.ToMove = d.ToMove.Other()
			if got != want || taken != captured {
				rt.Fatalf("%v %v, move %d: steps %+v give %v and %d beans, want %v and %d", name(g), d, number, steps, got, taken, want, captured)
			}
		}
	})
}

// TestStepsOfRules shows the order of the steps in the examples of docs/rules.md.
func TestStepsOfRules(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	for _, c := range []struct {
		position string
		number   int
		want     game.Steps
	}{
		{"3 3 0 0 3 3 / 5 5 3 5 3 5 / 2 0 N", 11, game.Steps{Sown: []int{12, 1, 2}, Captured: []int{2, 1, 12}}},
		{"0 12 0 0 0 0 / 0 0 0 0 0 0", 2, game.Steps{Sown: []int{3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2}}},
	} {
		got, err := diagram(t, c.position).Steps(g, c.number)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s, move %d (-want +got):\n%s", c.position, c.number, diff)
		}
	}
}
