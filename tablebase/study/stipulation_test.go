package study_test

import (
	"errors"
	"testing"

	"bohnenspiel/tablebase/study"
)

func TestParseStipulation(t *testing.T) {
	for _, c := range []struct {
		text  string
		want  study.Stipulation
		prose string
	}{
		{"win", study.Stipulation{}, "win"},
		{"Win for South", study.Stipulation{For: study.SouthSolves}, "win for South"},
		{"win north", study.Stipulation{For: study.NorthSolves}, "win for North"},
		{"North draw", study.Stipulation{Goal: study.Draw, For: study.NorthSolves}, "draw for North"},
		{" WIN  by 12 ", study.Stipulation{Goal: study.WinBy, Beans: 12}, "win by 12"},
		{"score -4 for SOUTH", study.Stipulation{Goal: study.Score, Beans: -4, For: study.SouthSolves}, "score -4 for South"},
		{"score +4", study.Stipulation{Goal: study.Score, Beans: 4}, "score 4"},
		{"score 0", study.Stipulation{Goal: study.Score}, "score 0"},
		{"best", study.Stipulation{Goal: study.Best}, "best"},
	} {
		got, err := study.ParseStipulation(c.text)
		if err != nil || got != c.want || got.String() != c.prose {
			t.Errorf("ParseStipulation(%q): got %v (%#v) and error %v, want %s", c.text, got, got, err, c.prose)
		}
	}
	for _, text := range []string{
		"", "South", "for South", "win for", "win for East", "win by", "win by x", "win by -1", "win by 109", "score", "score 1.5",
		"score 109", "score -109", "win 4", "draw by 2", "best 2", "South win for South", "win by 99999999999999999999",
	} {
		if got, err := study.ParseStipulation(text); !errors.Is(err, study.ErrStipulation) {
			t.Errorf("ParseStipulation(%q): got %v and error %v, want one that wraps ErrStipulation", text, got, err)
		}
	}
}
