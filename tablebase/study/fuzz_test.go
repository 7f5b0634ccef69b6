package study_test

import (
	"context"
	"errors"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/study"
)

// FuzzVerify judges and solves whatever can be read. It wants no error but that of a
// missing layer, faults that are in order and legal to their last move, a verdict about
// the claim that the solution does not change, and whole solutions in which nothing is
// wrong or missing.
func FuzzVerify(f *testing.F) {
	db := newTables(f, suiteBeans)
	f.Add(everything)
	studies, _ := suite(f)
	for _, s := range studies {
		f.Add(printed(f, []study.Study{s}))
	}
	f.Add(`[Position "0-1-1-1-0-0-0-0-1-0-0-0-38-30-S"] [Stipulation "win"] 3 (4? 9 (10 3) 3 (2??)) (2 (7 -)) 9 (3) 2 (4? 10 11) (4 10)`)
	f.Add(`[Rules "mangala"] [Position "0-0-0-0-0-0-0-2-0-0-0-0-30-40-S"] [Stipulation "draw North"] (1) - (1) 8? - 9`)
	f.Fuzz(func(t *testing.T, text string) {
		studies, err := study.Parse("f", []byte(text))
		if err != nil || len(studies) == 0 {
			return
		}
		s := studies[0]
		report, err := study.Verify(context.Background(), db, s)
		if errors.Is(err, format.ErrNoLayer) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		g, err := game.New(s.Rules, s.Diagram.Width)
		if err != nil {
			t.Fatal(err)
		}
		wantOrder(t, g, s, report)

		bare := s
		bare.Solution = study.Movetext{}
		if got := verify(t, db, bare).Verdict; (got == study.Unsound) != (report.Verdict == study.Unsound) {
			t.Errorf("verdict without the solution: got %v, with it %v", got, report.Verdict)
		}
		whole := solve(t, db, s)
		printed(t, []study.Study{whole})
		switch got := verify(t, db, whole).Verdict; {
		case got == study.Wrong || got == study.Incomplete:
			t.Errorf("the whole solution is judged as %v", got)
		case (got == study.Unsound) != (report.Verdict == study.Unsound):
			t.Errorf("the whole solution is judged as %v, the given one as %v", got, report.Verdict)
		}
	})
}

// wantOrder fails the test unless faults come from grave to light, and all lines can be
// played.
func wantOrder(t *testing.T, g game.Game, s study.Study, r study.Report) {
	t.Helper()
	last := study.Unsound
	if len(r.Faults) > 0 {
		last = r.Faults[0].Kind
	}
	if len(r.Faults) == 0 && r.Verdict != study.Sound || len(r.Faults) > 0 && r.Verdict != last {
		t.Errorf("verdict %v does not fit faults %v", r.Verdict, r.Faults)
	}
	for _, f := range r.Faults {
		if f.Kind > last || f.Ply != len(f.Path)+1 {
			t.Errorf("fault %+v is out of place", f)
		}
		last = f.Kind
		d := s.Diagram
		for _, number := range f.Path {
			d = playMove(t, g, d, number)
		}
		for _, number := range f.Line {
			next, _, err := d.Play(g, number)
			if (err != nil) != (f.Manner == study.Illegal) {
				t.Errorf("fault %+v: move %d: %v", f, number, err)
			}
			d = next
		}
	}
}
