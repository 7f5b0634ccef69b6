package study_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/study"
)

// round is a game between two players that ends with so many beans.
func round(south, north string, southBeans, northBeans int) study.Record {
	return study.Record{
		Tags: map[string]string{study.SouthTag: south, study.NorthTag: north},
		Over: true, Stores: game.Beans{South: southBeans, North: northBeans},
	}
}

// TestParties puts rounds together: a point a bean, to 100 points (rule 9).
func TestParties(t *testing.T) {
	flawed := round("A", "B", 72, 0)
	flawed.Flaw = &study.Flaw{Kind: study.FlawResult}
	unfinished := round("A", "B", 40, 20)
	unfinished.Over = false
	for _, c := range []struct {
		name  string
		games []study.Record
		want  []study.Partie
	}{
		{"no games", nil, []study.Partie{}},
		{"no players", []study.Record{round("", "", 40, 32), round("A", "", 40, 32), round("A", "A", 40, 32)}, []study.Partie{}},
		{"no rounds", []study.Record{flawed, unfinished}, []study.Partie{}},
		{"not over", []study.Record{round("A", "B", 50, 22), round("A", "B", 49, 23)}, []study.Partie{{
			Players: [2]string{"A", "B"}, Points: [2]int{99, 45},
			Rounds: []study.Round{{Game: 1, Points: [2]int{50, 22}}, {Game: 2, Points: [2]int{49, 23}}},
		}}},
		{"sides change", []study.Record{round("A", "B", 50, 22), flawed, round("B", "A", 22, 50), round("B", "A", 30, 42)}, []study.Partie{
			{
				Players: [2]string{"A", "B"}, Points: [2]int{100, 44}, Over: true, Winner: new("A"),
				Rounds: []study.Round{{Game: 1, Points: [2]int{50, 22}}, {Game: 3, Points: [2]int{50, 22}}},
			},
			{
				Players: [2]string{"B", "A"}, Points: [2]int{30, 42},
				Rounds: []study.Round{{Game: 4, Points: [2]int{30, 42}}},
			},
		}},
		{"others between", []study.Record{round("A", "B", 12, 60), round("A", "C", 36, 36), round("A", "B", 2, 70)}, []study.Partie{
			{
				Players: [2]string{"A", "B"}, Points: [2]int{14, 130}, Over: true, Winner: new("B"),
				Rounds: []study.Round{{Game: 1, Points: [2]int{12, 60}}, {Game: 3, Points: [2]int{2, 70}}},
			},
			{
				Players: [2]string{"A", "C"}, Points: [2]int{36, 36},
				Rounds: []study.Round{{Game: 2, Points: [2]int{36, 36}}},
			},
		}},
		{"a draw", []study.Record{round("A", "B", 36, 36), round("A", "B", 36, 36), round("A", "B", 36, 36)}, []study.Partie{{
			Players: [2]string{"A", "B"}, Points: [2]int{108, 108}, Over: true,
			Rounds: []study.Round{{Game: 1, Points: [2]int{36, 36}}, {Game: 2, Points: [2]int{36, 36}}, {Game: 3, Points: [2]int{36, 36}}},
		}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, study.Parties(c.games)); diff != "" {
				t.Errorf("Parties (-want +got):\n%s", diff)
			}
		})
	}
}
