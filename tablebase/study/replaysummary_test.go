package study_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/tablebase/study"
)

func TestSummarize(t *testing.T) {
	// whole is a game from the opening.
	whole := func(length, south, north int) study.Record {
		r := round("A", "B", south, north)
		r.Whole, r.Length = true, length
		return r
	}
	flawed := whole(30, 40, 32)
	flawed.Flaw = &study.Flaw{Kind: study.FlawMove}
	unfinished := whole(30, 12, 10)
	unfinished.Over = false
	judged := round("A", "B", 20, 52) // not from the opening
	judged.Length = 3
	judged.Known, judged.TurningPoint = new(2), new(3)
	judged.Plies = []study.PlayedMove{{Ply: 1}, {Ply: 2, Lost: new(0)}, {Ply: 3, Lost: new(8)}}
	got := study.Summarize([]study.Record{whole(27, 40, 32), whole(28, 36, 36), whole(65, 30, 42), whole(66, 30, 42), flawed, unfinished, judged})
	want := study.Summary{
		Games: 7, Flawed: 1, Unfinished: 1, SouthWins: 1, NorthWins: 3, Draws: 1,
		Whole: study.Lengths{Games: 4, Mean: 46.5, Median: 46.5, Shortest: 27, Longest: 66, Usual: 2},
		Known: 1, Turned: 1, Judged: 2, Best: 1, Lost: 8,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(study.Summary{}, study.Summarize(nil)); diff != "" {
		t.Errorf("summary of no games (-want +got):\n%s", diff)
	}
}
