package game_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
)

func TestDTCText(t *testing.T) {
	depths := []game.DTC{0, 1, 42, 65534, game.Endless}
	text, err := json.Marshal(depths)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(text), "[0,1,42,65534,null]"; got != want {
		t.Errorf("JSON: got %s, want %s", got, want)
	}
	var got []game.DTC
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(depths, got); diff != "" {
		t.Errorf("JSON and back (-want +got):\n%s", diff)
	}
	for d, want := range map[game.DTC]string{0: "0", 42: "42", game.Endless: "endless"} {
		if got := d.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for _, bad := range []string{`-1`, `65536`, `1.5`, `"1"`} {
		var d game.DTC
		if err := json.Unmarshal([]byte(bad), &d); err == nil {
			t.Errorf("%s: got %v, want an error", bad, d)
		}
	}
}

func TestCompareDTC(t *testing.T) {
	for score, want := range map[game.Score]int{4: 1, 0: 1, -4: -1} {
		if got := score.CompareDTC(3, 5); got != want {
			t.Errorf("score %d: got %d for 3 and 5 plies, want %d", score, got, want)
		}
		if got := score.CompareDTC(game.Endless, 5); got != -want {
			t.Errorf("score %d: got %d for an endless way and 5 plies, want %d", score, got, -want)
		}
		if got := score.CompareDTC(5, 5); got != 0 {
			t.Errorf("score %d: got %d for equal ones, want 0", score, got)
		}
	}
}
