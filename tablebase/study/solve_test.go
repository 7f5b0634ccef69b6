package study_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/study"
)

// solve solves a study.
func solve(tb testing.TB, t study.Tables, s study.Study) study.Study {
	tb.Helper()
	solved, err := study.Solve(context.Background(), t, s)
	if err != nil {
		tb.Fatal(err)
	}
	return solved
}

func TestSolve(t *testing.T) {
	db := newTables(t, suiteBeans)
	for _, c := range []struct{ name, tags, want string }{
		{
			"defences and tries", `[Position "0-3-0-3-1-0-3-0-1-0-1-0-28-32-S"] [Stipulation "win"] *`,
			"4! (2? 7 3 9) (5? 7! 4 7) 9 (11 2! 9 {as above}) 2! 11 4! 10 3! 11 4! {South 38, North 34}",
		},
		{
			"duals and passes", `[Rules "mangala"] [Position "0-1-1-5-2-0-1-0-0-0-0-0-28-34-S"] [Stipulation "win"] *`,
			"5! (2? 7 4 8 6) (3? 7 5 7) (4? 9 5) - 3 (6 {dual}) - 2! - 3! - 4! - 5! {South 38, North 34}",
		},
		{
			"another solution", `[Position "0-1-1-1-0-0-0-0-1-0-0-0-0-0-S"] [Stipulation "best"] *`,
			"3! (2? 9 4 10 5 11 6 7) (4 {another solution} 9 3 10 4 11 2 12 1) 9 2 10 3 11 4 12 1 {South 4, North 0} (5 {dual})",
		},
		{
			"the opponent begins", `[Position "1-0-0-0-1-1-0-0-1-2-5-1-30-30-S"] [Stipulation "win for North"] *`,
			"1 10! (9? 2 11 1) (11? 2) (12? 2 11 3) 5 9 2 10 3 11 4 12 1 {South 34, North 38} (5)",
		},
		{
			"too little", `[Position "0-1-1-1-0-0-0-0-1-0-0-0-0-0-S"] [Stipulation "win by 5"] 4`,
			"{The claim is false: South wins by 4.} 3 9 2 10 3 11 4 12 1",
		},
		{
			"too much", `[Position "0-1-1-1-0-0-0-0-1-0-0-0-10-0-S"] [Stipulation "score 0"] 4`,
			"{The claim is false: the score is +4 for South.} 3 9 2 10 3 11 4 12 1",
		},
		{
			"play is over", `[Position "0-0-0-0-0-0-0-0-1-0-0-1-10-0-S"] [Stipulation "win"] 4`,
			"*",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := solve(t, db, parse(t, c.tags)[0]).Solution.Text()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("solution (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSolutionsAreJudgedSound wants nothing wrong or missing in whole solutions, and
// of the suite no cook or false claim that was not there before.
func TestSolutionsAreJudgedSound(t *testing.T) {
	db := newTables(t, suiteBeans)
	studies, _ := suite(t)
	for _, s := range studies {
		before := verify(t, db, study.Study{Rules: s.Rules, Diagram: s.Diagram, Stipulation: s.Stipulation})
		after := verify(t, db, solve(t, db, s))
		want := before.Verdict
		if after.Verdict == study.Dual && want == study.Sound {
			continue // it is found later in the solution
		}
		if after.Verdict != want {
			t.Errorf("%s: its whole solution is judged as %v, want %v", s.Title, after.Verdict, want)
		}
	}
}

// TestRandomPositions compares what is said of positions without a solution with
// probes of their moves, and lines with those of the database.
func TestRandomPositions(t *testing.T) {
	beans, count := 10, 400
	if testing.Short() {
		beans, count = 8, 100
	}
	db := newTables(t, beans)
	x := index.New(game.StandardWidth, beans)
	random := rand.New(rand.NewPCG(1, 2))
	for range count {
		for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
			d := randomDiagram(random, x, beans)
			s := study.Study{Rules: rules, Diagram: d, Stipulation: study.Stipulation{
				Goal: study.Goal(random.IntN(5)), Beans: 1 + random.IntN(4), For: study.Solver(random.IntN(3)),
			}}
			wantTruth(t, db, s)
		}
	}
}

// randomDiagram returns a position of an even layer from 2 to beans, with few beans in the
// stores.
func randomDiagram(random *rand.Rand, x *index.Index, beans int) game.Diagram {
	n := 2 + 2*random.IntN(beans/2)
	p := x.Unrank(n, random.Uint64N(x.Size(n)))
	d := game.Diagram{Width: game.StandardWidth, ToMove: game.Side(random.IntN(2)), Stores: [2]int{random.IntN(4), random.IntN(4)}}
	d.Rows[d.ToMove], d.Rows[d.ToMove.Other()] = p.Mover, p.Opponent
	return d
}

// wantTruth judges a study that has no solution.
func wantTruth(t *testing.T, db *tablebase.DB, s study.Study) {
	t.Helper()
	g, d := newGame(t, s.Rules), s.Diagram
	report := verify(t, db, s)
	line, err := db.Line(context.Background(), s.Rules, d, tablebase.LineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pits := tablebase.Pits{}
	for _, ply := range line.Plies {
		if ply.Pit == nil {
			pits = append(pits, 0)
		} else {
			pits = append(pits, *ply.Pit)
		}
	}
	if diff := cmp.Diff(pits, report.Line); diff != "" {
		t.Errorf("%v: line (-database +study):\n%s", d, diff)
	}

	target, exact := targetOf(t, db, g, s)
	lead := leadAfter(t, db, g, s, d)
	unsound := lead < target || exact && lead != target
	if got := report.Verdict == study.Unsound; got != unsound {
		t.Errorf("%v, %v for a lead of %d: unsound is %t", d, s.Stipulation, lead, got)
	}
	if unsound || d.ToMove != s.Stipulation.Side(d) {
		return
	}
	var ways tablebase.Pits
	for _, m := range g.Successors(nil, d.Position()) {
		number := d.Number(m.Pit)
		if leadAfter(t, db, g, s, playMove(t, g, d, number)) >= target {
			ways = append(ways, number)
		}
	}
	got := append(tablebase.Pits(nil), report.Key...)
	for _, f := range report.Faults {
		got = append(got, f.Pits...)
	}
	slices.Sort(got)
	if diff := cmp.Diff(ways, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v, %v: first moves (-want +got):\n%s", d, s.Stipulation, diff)
	}
}

// leadAfter returns the solver's lead at the end of best play from a diagram.
func leadAfter(t *testing.T, db *tablebase.DB, g game.Game, s study.Study, d game.Diagram) int {
	t.Helper()
	if g.Over(d.Position()) {
		return leadOf(s, d.Settle(g))
	}
	score := int(tabletest.Probe(t, db, g, d.Position()))
	if d.ToMove != s.Stipulation.Side(s.Diagram) {
		return leadOf(s, d) - score
	}
	return leadOf(s, d) + score
}
