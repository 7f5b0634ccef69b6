package game_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bohnenspiel/solver/game"
)

func TestBoard(t *testing.T) {
	for _, test := range []struct {
		position string
		want     string
	}{
		{"0 2 1 1 1 1 / 3 3 3 1 0 0 / 26 30 S", `
            12   11   10    9    8    7
North (30) [ 0] [ 0] [ 1] [ 3] [ 3] [ 3]
South      [ 0] [ 2] [ 1] [ 1] [ 1] [ 1] (26)  to move
             1    2    3    4    5    6
`},
		{"0 2 1 1 1 1 / 3 3 3 1 0 0 / 26 30 N", `
            12   11   10    9    8    7
North (30) [ 0] [ 0] [ 1] [ 3] [ 3] [ 3]       to move
South      [ 0] [ 2] [ 1] [ 1] [ 1] [ 1] (26)
             1    2    3    4    5    6
`},
		{"1 / 2", `
           2
North (0) [2]
South     [1] (0)  to move
           1
`},
		{"0 0 0 0 0 0 0 0 1 / 2 0 0 0 0 0 0 0 103 / 0 1 N", `
              18    17    16    15    14    13    12    11    10
North (  1) [103] [  0] [  0] [  0] [  0] [  0] [  0] [  0] [  2]        to move
South       [  0] [  0] [  0] [  0] [  0] [  0] [  0] [  0] [  1] (  0)
               1     2     3     4     5     6     7     8     9
`},
	} {
		if got, want := diagram(t, test.position).Board(), strings.TrimPrefix(test.want, "\n"); got != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", test.position, got, want)
		}
	}
}

func TestBoardIsAligned(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := drawDiagram(rt, rapid.IntRange(game.MinWidth, game.MaxWidth).Draw(rt, "width"))
		lines := strings.Split(d.Board(), "\n")
		if len(lines) != 5 || lines[4] != "" {
			rt.Fatalf("got %d lines, want 4 that end with a newline:\n%s", len(lines)-1, d.Board())
		}
		north, south := strings.Index(lines[1], "["), strings.Index(lines[2], "[")
		if north != south || strings.LastIndex(lines[1], "]") != strings.LastIndex(lines[2], "]") {
			rt.Fatalf("the rows are not one above the other:\n%s", d.Board())
		}
		for _, line := range lines {
			if strings.TrimRight(line, " ") != line {
				rt.Fatalf("line %q ends with blanks", line)
			}
		}
		if got, want := strings.HasSuffix(lines[2], "to move"), d.ToMove == game.South; got != want {
			rt.Fatalf("%v to move is not marked:\n%s", d.ToMove, d.Board())
		}
	})
}
