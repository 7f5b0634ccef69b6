package game_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bohnenspiel/solver/game"
)

// wantError checks what an error wraps and says.
func wantError(t *testing.T, err, sentinel error, message string) {
	t.Helper()
	if !errors.Is(err, sentinel) {
		t.Errorf("error %v, want one that wraps %q", err, sentinel)
		return
	}
	if got := err.Error(); got != message {
		t.Errorf("error\n     %s\nwant %s", got, message)
	}
}

func TestParseDiagram(t *testing.T) {
	puzzle := game.Diagram{Width: 6, Rows: [2]game.Row{game.RowOf(0, 2, 1, 1, 1, 1), game.RowOf(3, 3, 3, 1, 0, 0)}}
	stored := puzzle
	stored.Stores = [2]int{26, 30}
	north := stored
	north.ToMove = game.North
	puzzleNorth := puzzle
	puzzleNorth.ToMove = game.North
	narrow := game.Diagram{Width: 1, Rows: [2]game.Row{1, 2}, Stores: [2]int{3, 4}}

	for text, want := range map[string]game.Diagram{
		"0-2-1-1-1-1-3-3-3-1-0-0-26-30-S":                stored,
		"0-2-1-1-1-1-3-3-3-1-0-0-26-30-N":                north,
		"0-2-1-1-1-1-3-3-3-1-0-0-26-30":                  stored,
		"0-2-1-1-1-1-3-3-3-1-0-0-26-30-s":                stored,
		"0-2-1-1-1-1-3-3-3-1-0-0-26-30-n":                north,
		"0-2-1-1-1-1-3-3-3-1-0-0-26-30-SOUTH":            stored,
		"0-2-1-1-1-1-3-3-3-1-0-0-26-30-North":            north,
		"0,2,1,1,1,1,3,3,3,1,0,0,26,30,N":                north,
		"0, 2, 1, 1, 1, 1, 3, 3, 3, 1, 0, 0, 26, 30, N":  north,
		"0 2 1 1 1 1 3 3 3 1 0 0 26 30 N":                north,
		"  0\t2 1 1 1 1   3 3 3 1 0 0  26 30\u00a0N\r\n": north,
		"0 - 2 - 1-1- 1-1 3 , 3,3 1 0 0-26-30 N":         north,
		"00-02-001-1-1-1-3-3-3-1-0-0-26-30-N":            north,
		"0 2 1 1 1 1 / 3 3 3 1 0 0":                      puzzle,
		"0 2 1 1 1 1/3 3 3 1 0 0":                        puzzle,
		"0-2-1-1-1-1 / 3-3-3-1-0-0":                      puzzle,
		"0,2,1,1,1,1/3,3,3,1,0,0":                        puzzle,
		"0 2 1 1 1 1 / 3 3 3 1 0 0 S":                    puzzle,
		"0 2 1 1 1 1 / 3 3 3 1 0 0 n":                    puzzleNorth,
		"0 2 1 1 1 1 / 3 3 3 1 0 0 / north":              puzzleNorth,
		"0 2 1 1 1 1 / 3 3 3 1 0 0 /":                    puzzle,
		"0 2 1 1 1 1 / 3 3 3 1 0 0 / / N":                puzzleNorth,
		"0 2 1 1 1 1 / 3 3 3 1 0 0 / 26 30":              stored,
		"0 2 1 1 1 1 / 3 3 3 1 0 0 / 26 30 N":            north,
		"0 2 1 1 1 1 / 3 3 3 1 0 0 / 26-30-N":            north,
		"0 2 1 1 1 1 / 3 3 3 1 0 0 / 26 30 / N":          north,
		"1-2-3-4-S":                                      narrow,
		"1-2-3-4":                                        narrow,
		"1/2/3 4":                                        narrow,
	} {
		for _, width := range []int{0, want.Width} {
			got, err := game.ParseDiagram(text, width)
			if err != nil || got != want {
				t.Errorf("ParseDiagram(%q, %d) = %v, %v, want %v", text, width, got, err, want)
			}
		}
	}
}

func TestParseDiagramErrors(t *testing.T) {
	const empty = "bad position: it is empty: want pits, stores and side, such as 6-6-6-6-6-6-6-6-6-6-6-6-0-0-S"
	for _, test := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 0, empty},
		{" \t\n", 6, empty},
		{"S", 0, empty},
		{"hello", 0, `bad position: field 1 "hello" is neither a number of beans nor a side, S or N`},

		// the wrong number of pits
		{"6-6-6-6-6-6-6-6-6-6-6-0-0-S", 0, "bad position: it has 13 numbers: want two for each pit of a side and two for the stores, 14 on a 2×6 board"},
		{"6-6-6-6-6-6-6-6-6-6-6-6-0-0-S", 5, "bad position: it has 14 numbers: want 12 on a 2×5 board, 10 for pits and 2 for stores"},
		{"0 2 1 1 1 1 3 3 3 1 0 0", 6, "bad position: it has 12 numbers: want 14 on a 2×6 board, 12 for pits and 2 for stores"},
		{"6", 0, "bad position: it has 1 number: want two for each pit of a side and two for the stores, 14 on a 2×6 board"},
		{"0-0", 0, "bad position: it has 2 numbers: want two for each pit of a side and two for the stores, 14 on a 2×6 board"},
		{strings.Repeat("0-", 22) + "S", 0, "bad position: it has 22 numbers: want two for each pit of a side and two for the stores, 14 on a 2×6 board"},
		{"0 2 1 1 1 1 / 3 3 3 1 0", 0, "bad position: North has 5 pits: want 6 on a 2×6 board"},
		{"0 2 1 1 1 1 / 3 3 3 1 0 0", 5, "bad position: South has 6 pits: want 5 on a 2×5 board"},
		{"0 0 0 0 0 0 0 0 0 0 / 0", 0, "bad position: South has 10 pits: want 1 to 9"},
		{"/", 0, "bad position: South has 0 pits: want 1 to 9"},
		{"1 / 1 / 5", 0, "bad position: it has 1 store: want 2, South's and North's"},
		{"1 / 1 / 1 1 1", 0, "bad position: it has 3 stores: want 2, South's and North's"},
		{"1 / 1 / 1 1 / 1", 0, "bad position: it has 4 parts between slashes: want South's pits / North's pits / stores / side"},

		// fields that are not numbers of beans
		{"6-6-6-6-6-6--6-6-6-6-6-6-0-0-S", 0, `bad position: field 7 "-6" is negative: want a number of beans, 0 or more`},
		{"-6 6 6", 0, `bad position: field 1 "-6" is negative: want a number of beans, 0 or more`},
		{"6,-6,6", 0, `bad position: field 2 "-6" is negative: want a number of beans, 0 or more`},
		{"1 / -1", 0, `bad position: field 2 "-1" is negative: want a number of beans, 0 or more`},
		{"6-6-x-6", 0, `bad position: field 3 "x" is not a number of beans`},
		{"S-6-6-6", 0, `bad position: field 1 "S" is not a number of beans`},
		{"6-6-6-6.5", 0, `bad position: field 4 "6.5" is neither a number of beans nor a side, S or N`},
		{"6-6-6.5-6", 0, `bad position: field 3 "6.5" is not a number of beans`},
		{"6-6-+6-6", 0, `bad position: field 3 "+6" is not a number of beans`},
		{"6-6-0x6-6", 0, `bad position: field 3 "0x6" is not a number of beans`},
		{"6-6-٦-6", 0, `bad position: field 3 "٦" is not a number of beans`},
		{"6-\xff\x00-6-6", 0, `bad position: field 2 "\xff\x00" is not a number of beans`},
		{"6-a\"b-6-6", 0, `bad position: field 2 "a\"b" is not a number of beans`},
		{"6-6-" + strings.Repeat("y", 1000) + "-6", 0, `bad position: field 3 "yyyyyyyyyyyyyyyyyyyy..." is not a number of beans`},
		{"6,,6,6", 0, `bad position: field 2 "" is empty: want a number of beans between two separators`},
		{"-", 0, `bad position: field 1 "" is empty: want a number of beans between two separators`},
		{"1-1-1-1-", 0, `bad position: field 5 "" is empty: want a number of beans between two separators`},
		{"1, / 1", 0, `bad position: field 2 "" is empty: want a number of beans between two separators`},

		// sides
		{"6-6-6-6-6-6-6-6-6-6-6-6-0-0-W", 0, `bad position: field 15 "W" is not a side: want S or N`},
		{"6-6-6-6-6-6-6-6-6-6-6-6-0-0-W", 6, `bad position: field 15 "W" is not a side: want S or N`},
		{"6-6-6-6-6-6-6-6-6-6-6-6-0-W", 6, `bad position: field 14 "W" is neither a number of beans nor a side, S or N`},
		{"1 / 1 east", 0, `bad position: field 3 "east" is not a side: want S or N`},
		{"1 / 1 / east", 0, `bad position: field 3 "east" is not a side: want S or N`},
		{"1 / 1 / 1 1 east", 0, `bad position: field 5 "east" is not a side: want S or N`},
		{"1 / 1 / 1 1 / east", 0, `bad position: field 5 "east" is not a side: want S or N`},
		{"1 / 1 / 1 east", 0, `bad position: field 4 "east" is neither a number of beans nor a side, S or N`},

		// too many beans
		{"73-0-0-0-0-0-0-0-0-0-0-0-0-0-S", 0, `bad position: field 1 "73" is too many: a 2×6 board has at most 72 beans`},
		{"6-6-6-6-6-6-6-6-6-6-6-6-0-1-S", 0, `bad position: field 14 "1" makes 73 beans in all: a 2×6 board has at most 72, stores included`},
		{"7-6-6-6-6-6-6-6-6-6-6-6-0-0-S", 0, `bad position: field 12 "6" makes 73 beans in all: a 2×6 board has at most 72, stores included`},
		{"18446744073709551616-1-1-1", 0, `bad position: field 1 "18446744073709551616" is too many: a 2×1 board has at most 12 beans`},
		{"0-9223372036854775807-9223372036854775807-1", 0, `bad position: field 2 "9223372036854775807" is too many: a 2×1 board has at most 12 beans`},
		{"1 / 1 / 0 " + strings.Repeat("9", 5000), 0, `bad position: field 4 "99999999999999999999..." is too many: a 2×1 board has at most 12 beans`},
	} {
		got, err := game.ParseDiagram(test.text, test.width)
		if err == nil {
			t.Errorf("ParseDiagram(%q, %d) = %v, want an error", test.text, test.width, got)
			continue
		}
		t.Run(test.text[:min(len(test.text), 40)], func(t *testing.T) {
			wantError(t, err, game.ErrPosition, test.want)
		})
	}
	_, err := game.ParseDiagram("1-1-0-0-S", 10)
	wantError(t, err, game.ErrWidth, "bad board width 10: a side has 1 to 9 pits")
	_, err = game.ParseDiagram("1-1-0-0-S", -1)
	wantError(t, err, game.ErrWidth, "bad board width -1: a side has 1 to 9 pits")
}

func TestParseDiagramReadsWhatStringPrints(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		want := drawDiagram(rt, rapid.IntRange(game.MinWidth, game.MaxWidth).Draw(rt, "width"))
		for _, width := range []int{0, want.Width} {
			got, err := game.ParseDiagram(want.String(), width)
			if err != nil || got != want {
				rt.Fatalf("ParseDiagram(%q, %d) = %v, %v", want, width, got, err)
			}
		}
	})
}

func FuzzParseDiagram(f *testing.F) {
	for _, seed := range []string{
		"", "S", "6-6-6-6-6-6-6-6-6-6-6-6-0-0-S", "6,6,6,6,6,6,6,6,6,6,6,6,0,0,n", "1 2 3 4 5 6 South",
		"0 2 1 1 1 1 / 3 3 3 1 0 0", "0 2 1 1 1 1 / 3 3 3 1 0 0 / 26 30 / N", "1/1", "/ / /", "--1", "1 - -1,, /S",
		"99999999999999999999-0-0-0", "1-1-1-1-\xff", "\u0085\u00a06",
	} {
		f.Add(seed, 0)
		f.Add(seed, 6)
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		d, err := game.ParseDiagram(text, width)
		if err != nil {
			if !errors.Is(err, game.ErrPosition) && !errors.Is(err, game.ErrWidth) {
				t.Errorf("ParseDiagram(%q, %d): error %v of an unknown kind", text, width, err)
			}
			if message := err.Error(); len(message) > 250 || strings.ContainsAny(message, "\n\r") {
				t.Errorf("ParseDiagram(%q, %d): error %q is not one short line", text, width, message)
			}
			return
		}
		if width != 0 && d.Width != width {
			t.Errorf("ParseDiagram(%q, %d) has width %d", text, width, d.Width)
		}
		if beans := d.Position().Beans() + d.Stores[0] + d.Stores[1]; beans > game.MaxBeans(d.Width) {
			t.Errorf("ParseDiagram(%q, %d) has %d beans", text, width, beans)
		}
		again, err := game.ParseDiagram(d.String(), d.Width)
		if err != nil || again != d {
			t.Errorf("ParseDiagram(%q) = %v, %v, want %v", d.String(), again, err, d)
		}
		if d.Board() == "" {
			t.Errorf("%v: the board is empty", d)
		}
	})
}
