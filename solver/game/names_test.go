package game_test

import (
	"encoding/json"
	"testing"

	"bohnenspiel/solver/game"
)

func TestParseRules(t *testing.T) {
	for text, want := range map[string]game.Rules{
		"bohnenspiel": game.Bohnenspiel,
		"mangala":     game.Mangala,
		"hemprich":    game.Mangala,
	} {
		got, err := game.ParseRules(text)
		if err != nil || got != want {
			t.Errorf("ParseRules(%q) = %v, %v, want %v", text, got, err, want)
		}
		if again, err := game.ParseRules(got.String()); err != nil || again != got {
			t.Errorf("ParseRules(%q) = %v, %v, want %v", got, again, err, got)
		}
	}
	for _, text := range []string{"", "Mangala", "oware"} {
		_, err := game.ParseRules(text)
		wantError(t, err, game.ErrRules, `unknown rules "`+text+`": use bohnenspiel, mangala or hemprich`)
	}
}

func TestNamesInJSON(t *testing.T) {
	type record struct {
		Rules    game.Rules
		Outcomes []game.Outcome
	}
	text, err := json.Marshal(record{game.Mangala, []game.Outcome{game.Win, game.Draw, game.Loss}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(text), `{"Rules":"mangala","Outcomes":["win","draw","loss"]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var got struct{ Rules game.Rules }
	if err := json.Unmarshal(text, &got); err != nil || got.Rules != game.Mangala {
		t.Errorf("Unmarshal(%s) gives rules %v, %v, want mangala", text, got.Rules, err)
	}
	if err := json.Unmarshal([]byte(`{"Rules":"chess"}`), &got); err == nil {
		t.Error("unknown rules: want an error")
	}
}

func TestSides(t *testing.T) {
	for side, want := range map[game.Side]string{game.South: "South", game.North: "North"} {
		if side.String() != want || side.Other() == side || side.Other().Other() != side {
			t.Errorf("%d: String = %v, Other = %v", side, side, side.Other())
		}
	}
}

func TestDiagramPosition(t *testing.T) {
	south := diagram(t, "1 2 / 3 4 / 5 7")
	north := diagram(t, "1 2 / 3 4 / 5 7 N")
	if got, want := south.Position(), position(1, 2, 3, 4); got != want {
		t.Errorf("%v: Position = %v, want %v", south, got, want)
	}
	if got, want := north.Position(), position(3, 4, 1, 2); got != want || got != south.Position().Swap() {
		t.Errorf("%v: Position = %v, want %v", north, got, want)
	}
	if south.Lead() != -2 || north.Lead() != 2 {
		t.Errorf("leads are %d and %d, want −2 and 2", south.Lead(), north.Lead())
	}
}
