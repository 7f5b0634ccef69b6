package study_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/study"
)

// suiteBeans is the largest layer that the suite needs.
const suiteBeans = 12

// newTables builds the even layers of both games up to so many beans.
func newTables(tb testing.TB, beans int) *tablebase.DB {
	tb.Helper()
	_, db := tabletest.Tables(tb, game.Bohnenspiel, 6, beans, format.Even)
	tabletest.Build(tb, db, newGame(tb, game.Mangala), beans, format.Even)
	return db
}

func newGame(tb testing.TB, rules game.Rules) game.Game {
	tb.Helper()
	return tabletest.NewGame(tb, rules, game.StandardWidth)
}

// suite returns the studies of the suite, and what each expects: its first comment.
func suite(tb testing.TB) (studies []study.Study, expected []string) {
	tb.Helper()
	text := tabletest.ReadFile(tb, filepath.Join("testdata", "suite.studies"))
	studies = parse(tb, string(text))
	for _, s := range studies {
		expectation, ok := strings.CutPrefix(s.Solution.Comment, "expect ")
		if !ok {
			tb.Fatalf("study %q expects nothing", s.Title)
		}
		expected = append(expected, expectation)
	}
	return studies, expected
}

// TestSuite compares verdict, faults and key of each study with what it expects, and
// replays all lines.
func TestSuite(t *testing.T) {
	db := newTables(t, suiteBeans)
	studies, expected := suite(t)
	verdicts := map[study.Verdict]int{}
	sound := map[string]int{}
	for i, s := range studies {
		t.Run(s.Title, func(t *testing.T) {
			report := verify(t, db, s)
			if diff := cmp.Diff(expected[i], summary(report)); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
			wantLines(t, db, s, report)
			verdicts[report.Verdict]++
			if report.Verdict == study.Sound {
				sound[fmt.Sprint(s.Rules, s.Stipulation.Goal)]++
			}
		})
	}
	// The suite is meant to have several of everything.
	for v := study.Sound; v <= study.Unsound; v++ {
		if verdicts[v] < 3 {
			t.Errorf("%d studies are %v, want 3 or more", verdicts[v], v)
		}
	}
	if want := 2 * 5; len(sound) != want {
		t.Errorf("there are sound studies for %v, want one for each goal in both games", sound)
	}
}

// verify judges a study.
func verify(tb testing.TB, t study.Tables, s study.Study) study.Report {
	tb.Helper()
	report, err := study.Verify(context.Background(), t, s)
	if err != nil {
		tb.Fatal(err)
	}
	return report
}

// summary puts verdict, faults and key in the words of the suite.
func summary(r study.Report) string {
	faults := make([]string, len(r.Faults))
	for i, f := range r.Faults {
		words := []string{f.Kind.String(), fmt.Sprint(f.Ply), study.MoveNames(f.Pits), string(f.Manner)}
		faults[i] = strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	}
	text := r.Verdict.String()
	if len(faults) > 0 {
		text += ": " + strings.Join(faults, ", ")
	}
	return strings.TrimSpace(text + "; key " + study.MoveNames(r.Key))
}

// wantLines replays the lines of a report by the rules alone: each ends where play is
// over, with a result that bears out what the report says.
func wantLines(t *testing.T, db *tablebase.DB, s study.Study, r study.Report) {
	t.Helper()
	g := newGame(t, s.Rules)
	d := s.Diagram
	for i, number := range r.Line {
		d = playMove(t, g, d, number)
		if want := i == len(r.Line)-1; g.Over(d.Position()) != want {
			t.Errorf("line %v: play is over after ply %d: got %t", r.Line, i+1, !want)
		}
	}
	end := d.Settle(g)
	if want := new(end.Won()); !cmp.Equal(r.Final, want) {
		t.Errorf("final: got %v, want %v", r.Final, want)
	}
	target, exact := targetOf(t, db, g, s)
	if lead := leadOf(s, end); r.Verdict != study.Unsound && (lead < target || exact && lead != target) {
		t.Errorf("line %v gives a lead of %d, want %d", r.Line, lead, target)
	}
	for _, f := range r.Faults {
		wantFault(t, g, s, f, target)
	}
}

// wantFault replays the line of a fault.
func wantFault(t *testing.T, g game.Game, s study.Study, f study.Fault, target int) {
	t.Helper()
	d := s.Diagram
	for _, number := range f.Path {
		d = playMove(t, g, d, number)
	}
	if f.Ply != len(f.Path)+1 || len(f.Pits) > 0 && f.Line[0] != f.Pits[0] {
		t.Errorf("%+v does not fit together", f)
	}
	if f.Manner == study.Illegal {
		if _, _, err := d.Play(g, f.Pits[0]); err == nil || len(f.Line) != 1 {
			t.Errorf("%+v is legal", f)
		}
		return
	}
	for _, number := range f.Line {
		d = playMove(t, g, d, number)
	}
	if !g.Over(d.Position()) {
		t.Errorf("%+v does not come to an end", f)
	}
	lead := leadOf(s, d.Settle(g))
	reaches := f.Kind == study.Cooked || f.Kind == study.Dual || f.Kind == study.Incomplete ||
		f.Manner == study.Works || f.Manner == study.Refutes || f.Manner == study.More
	if (lead >= target) != reaches {
		t.Errorf("%+v ends with a lead of %d, the target is %d", f, lead, target)
	}
}

// targetOf returns the lead that a stipulation speaks of, and whether it has to be
// exactly that.
func targetOf(t *testing.T, db *tablebase.DB, g game.Game, s study.Study) (target int, exact bool) {
	t.Helper()
	switch s.Stipulation.Goal {
	case study.Win:
		return 1, false
	case study.Draw:
		return 0, true
	case study.WinBy:
		return s.Stipulation.Beans, false
	case study.Score:
		return leadOf(s, s.Diagram) + s.Stipulation.Beans, true
	default:
		lead := s.Diagram.Lead() + int(tabletest.Probe(t, db, g, s.Diagram.Position()))
		if s.Diagram.ToMove != s.Stipulation.Side(s.Diagram) {
			lead = -lead
		}
		return lead, false // after a weak defence it has to be more
	}
}

// leadOf returns by how many beans the store of the solver is ahead.
func leadOf(s study.Study, d game.Diagram) int {
	side := s.Stipulation.Side(s.Diagram)
	return d.Stores[side] - d.Stores[side.Other()]
}

// playMove plays a move that has to be legal.
func playMove(tb testing.TB, g game.Game, d game.Diagram, number int) game.Diagram {
	tb.Helper()
	next, _, err := d.Play(g, number)
	if err != nil {
		tb.Fatal(err)
	}
	return next
}

// TestReportJSON wants the fields of a report, and lists that are never null.
func TestReportJSON(t *testing.T) {
	db := newTables(t, 4)
	for text, want := range map[string]string{
		`[Title "x"] [Position "0-1-1-1-0-0-0-0-1-0-0-0-38-30-S"] [Stipulation "win"] 3 (4?) 9 5`: `{"title":"x",` +
			`"position":"0-1-1-1-0-0-0-0-1-0-0-0-38-30-S","stipulation":"win","verdict":"cooked","faults":[` +
			`{"kind":"cooked","ply":1,"pits":[2],"line":[2,9,4,10,5,11,6,7],"manner":"","path":[],"message":"another first move keeps the claim"},` +
			`{"kind":"cooked","ply":1,"pits":[4],"line":[4,9,3,10,4,11,2,12,1],"manner":"","path":[],"message":"another first move keeps the claim"},` +
			`{"kind":"wrong","ply":1,"pits":[4],"line":[4,9,3,10,4,11,2,12,1],"manner":"works","path":[],"message":"the move is marked as a try, but it keeps the claim"},` +
			`{"kind":"wrong","ply":3,"pits":[5],"line":[5],"manner":"illegal","path":[3,9],"message":"illegal move 5: the pit is empty"}],` +
			`"key":[3],"line":[3,9,2,10,3,11,4,12,1],"given":2,"rules":"bohnenspiel","final":{"south":42,"north":30},"endless":false,"place":{"line":1,"column":1}}`,
		`[Rules "mangala"] [Position "0-0-0-0-0-0-0-2-0-0-0-0-30-40-S"] [Stipulation "best for North"] *`: `{"title":"",` +
			`"position":"0-0-0-0-0-0-0-2-0-0-0-0-30-40-S","stipulation":"best for North","verdict":"sound","faults":[],` +
			`"key":[8],"line":[null,8,null,9],"given":0,"rules":"mangala","final":{"south":30,"north":42},"endless":false,"place":{"line":1,"column":1}}`,
		`[Position "0-0-0-0-0-0-0-1-1-0-0-0-30-40-S"] [Stipulation "best"] *`: `{"title":"",` +
			`"position":"0-0-0-0-0-0-0-1-1-0-0-0-30-40-S","stipulation":"best","verdict":"sound","faults":[],` +
			`"key":[],"line":[],"given":0,"rules":"bohnenspiel","final":{"south":30,"north":42},"endless":false,"place":{"line":1,"column":1}}`,
	} {
		got, err := json.Marshal(verify(t, db, parse(t, text)[0]))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// TestEndless judges positions that lean on rule 8: with an odd number of beans, play
// by the rules of Mangala II never ends.
func TestEndless(t *testing.T) {
	_, db := tabletest.Tables(t, game.Mangala, game.StandardWidth, 3, format.Odd)
	for _, c := range []struct{ text, want string }{
		{`[Position "1-0-0-0-0-0-0-0-0-0-0-0-40-31-S"] [Stipulation "win"] 1`, "sound; key 1"},
		{`[Position "1-0-0-0-0-0-0-0-0-0-0-0-31-31-S"] [Stipulation "draw for North"] *`, "sound; key -"},
		{`[Position "1-0-0-0-0-0-0-0-0-0-0-0-31-31-S"] [Stipulation "win"] *`, "unsound: unsound 1 1 less; key"},
		{`[Position "1-0-0-0-0-0-0-0-0-0-0-0-31-31-S"] [Stipulation "best"] 1 - 2 - 3 - 4 - 5 - 6 7 - 8 - 9 - 10 - 11 - 12 1 -`, "sound; key 1"},
	} {
		s := parse(t, `[Rules "mangala"]`+c.text)[0]
		report := verify(t, db, s)
		if diff := cmp.Diff(c.want, summary(report)); diff != "" || !report.Endless || report.Final != nil {
			t.Errorf("%s: endless %t, final %v, verdict (-want +got):\n%s", c.text, report.Endless, report.Final, diff)
		}
		if after := verify(t, db, solve(t, db, s)); after.Verdict != report.Verdict {
			t.Errorf("%s: its whole solution is judged as %v", c.text, after.Verdict)
		}
	}
}

// TestErrors wants the errors of the tables, and of a context that has ended.
func TestErrors(t *testing.T) {
	db := newTables(t, 2)
	s := parse(t, `[Position "0-1-1-1-0-0-0-0-1-0-0-0-38-30-S"] [Stipulation "win"] 3`)[0]
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	noBoard := s
	noBoard.Diagram = game.Diagram{}
	for _, c := range []struct {
		name string
		ctx  context.Context
		s    study.Study
		want error
	}{
		{"no layer", context.Background(), s, format.ErrNoLayer},
		{"ended", ended, s, context.Canceled},
		{"no board", context.Background(), noBoard, game.ErrWidth},
	} {
		if _, err := study.Verify(c.ctx, db, c.s); !errors.Is(err, c.want) {
			t.Errorf("%s: Verify: got error %v, want one that wraps %q", c.name, err, c.want)
		}
		if _, err := study.Solve(c.ctx, db, c.s); !errors.Is(err, c.want) {
			t.Errorf("%s: Solve: got error %v, want one that wraps %q", c.name, err, c.want)
		}
	}
}

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
		g := tabletest.NewGame(t, s.Rules, s.Diagram.Width)
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

// TestLongSolution wants the memory of a long solution to grow with its length, not with
// the square of that. It is not parallel to others, whose memory would count.
func TestLongSolution(t *testing.T) {
	db := newTables(t, 0)
	tabletest.Build(t, db, newGame(t, game.Mangala), 1, format.Odd)
	// In Mangala II the last bean goes round for ever.
	const round = "12 1 - 2 - 3 - 4 - 5 - 6 7 - 8 - 9 - 10 - 11 - "
	const rounds, most = 400, 64 << 20
	s := parse(t, `[Rules "mangala"] [Position "0-0-0-0-0-0-0-0-0-0-0-1-30-41-N"] [Stipulation "win"] `+strings.Repeat(round, rounds))[0]
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	report := verify(t, db, s)
	runtime.ReadMemStats(&after)
	if report.Verdict != study.Sound || report.Given != len(s.Solution.Moves) {
		t.Errorf("got %v, %d moves given; want sound, %d", report.Verdict, report.Given, len(s.Solution.Moves))
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > most {
		t.Errorf("%d moves took %d bytes, want %d at most", len(s.Solution.Moves), got, most)
	}
}
