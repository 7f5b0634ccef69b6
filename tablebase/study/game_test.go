package study_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/study"
)

const twoGames = `[Event "a match"]
[Round "2"]
[Rules "mangala"]
[Position "1-0-0-0-0-0-0-1-0-0-0-0-40-30-S"]
[Result "40-32"]

1 8 - 9

[Rules "bohnenspiel"]
[Position "6-6-6-6-6-6-6-6-6-6-6-6-0-0-S"]

1 {a start} 7
`

func TestParseGames(t *testing.T) {
	got, err := study.ParseGames("f", []byte(twoGames))
	if err != nil {
		t.Fatal(err)
	}
	diagram := tabletest.Diagram(t, "1-0-0-0-0-0-0-1-0-0-0-0-40-30-S")
	want := study.Game{
		Tags:  []study.Tag{{Name: "Event", Value: "a match"}, {Name: "Round", Value: "2"}},
		Rules: game.Mangala, Diagram: diagram, Result: &study.Result{South: 40, North: 32},
		Moves: study.Movetext{Moves: []study.Move{{Number: 1}, {Number: 8}, {}, {Number: 9}}},
	}
	if diff := cmp.Diff(want, got[0], ignorePlaces); diff != "" {
		t.Errorf("first game (-want +got):\n%s", diff)
	}
	if got := got[0].Tag("Round"); got != "2" {
		t.Errorf("round: got %q, want 2", got)
	}
	if got := got[1].Tag("Round"); got != "" {
		t.Errorf("round of a game without: got %q, want nothing", got)
	}
	if diff := cmp.Diff(twoGames, formatGames(t, got)); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
}

// TestGameFromTheStart wants the start of the game where no position is given.
func TestGameFromTheStart(t *testing.T) {
	games, err := study.ParseGames("f", []byte(`[South "A"] [Result "*"] 1 7`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := games[0].Diagram.String(), "6-6-6-6-6-6-6-6-6-6-6-6-0-0-S"; got != want || games[0].Result != nil {
		t.Errorf("got %s and result %v, want %s and none", got, games[0].Result, want)
	}
}

func TestParseGamesErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`[Result "46"]`, `f:1:9: bad result "46": want South's and North's beans at the end, such as 46-26, or *`},
		{`[Result "-1-26"]`, `f:1:9: bad result "-1-26": want South's and North's beans at the end, such as 46-26, or *`},
		{`[Result "60-49"]`, `f:1:9: bad result "60-49": want South's and North's beans at the end, such as 46-26, or *`},
		{"[Event \"x\"]\n[Position \"1\"]", "f:2:11: bad position: it has 1 number: want two for each pit of a side and two for the stores, 14 on a 2×6 board"},
		{"[Rules \"x\"]", `f:1:8: unknown rules "x": use bohnenspiel, mangala or hemprich`},
		{"[Event \"x\"] 1 2 x", `f:1:17: "x" is no move: want a pit's number from 1 to 18, or - for a pass`},
	} {
		games, err := study.ParseGames("f", []byte(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("ParseGames(%q): got %v and error %v, want %s", c.text, games, err, c.want)
		}
	}
}

// FuzzParseGames is FuzzParse for games.
func FuzzParseGames(f *testing.F) {
	f.Add(twoGames)
	f.Add(`[South "A"] [Result "*"] 1 7 ({x} 8?)`)
	f.Add(`[Result " 4- 5"] *`)
	f.Fuzz(func(t *testing.T, text string) {
		games, err := study.ParseGames("f", []byte(text))
		if err != nil {
			wantPlace(t, text, err)
			return
		}
		once := formatGames(t, games)
		again, err := study.ParseGames("f", []byte(once))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(games, again, ignorePlaces); diff != "" {
			t.Errorf("what was written is read as something else (-first +second):\n%s", diff)
		}
		if diff := cmp.Diff(once, formatGames(t, again)); diff != "" {
			t.Errorf("written again (-first +second):\n%s", diff)
		}
	})
}

// formatGames writes games.
func formatGames(tb testing.TB, games []study.Game) string {
	tb.Helper()
	var text strings.Builder
	if err := study.FormatGames(&text, games); err != nil {
		tb.Fatal(err)
	}
	return text.String()
}
