package study_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/study"
)

// plainJudge finds faults by the letter of docs/studies.md: it lists the moves that a
// solution gives after each sequence of moves, and judges each list by itself.
type plainJudge struct {
	t     *testing.T
	db    *tablebase.DB
	game  game.Game
	study study.Study
	given map[string][]givenMove // by the moves before
	paths [][]int
}

// givenMove is a move of the solution.
type givenMove struct {
	number int
	mark   study.Mark
}

// list lists the moves of a movetext after a path, the main line first.
func (j *plainJudge) list(start []int, moves []study.Move) {
	path := start
	for _, m := range moves {
		key := fmt.Sprint(path)
		if len(j.given[key]) == 0 {
			j.paths = append(j.paths, path)
		}
		i := slices.IndexFunc(j.given[key], func(g givenMove) bool { return g.number == m.Number })
		switch {
		case i < 0:
			j.given[key] = append(j.given[key], givenMove{m.Number, m.Mark})
		case j.given[key][i].mark == "":
			j.given[key][i].mark = m.Mark
		}
		path = append(slices.Clone(path), m.Number)
	}
	path = start
	for _, m := range moves {
		for _, v := range m.Variations {
			j.list(path, v.Moves)
		}
		path = append(slices.Clone(path), m.Number)
	}
}

// what a path has come to.
const (
	inSolution = iota
	afterTry
	noMatter
)

// situation plays the moves of a path. It reports whether all are legal.
func (j *plainJudge) situation(path []int) (d game.Diagram, state, target int, legal bool) {
	d = j.study.Diagram
	target, exact := targetOf(j.t, j.db, j.game, j.study)
	if lead := j.lead(d); lead < target || exact && lead != target {
		state = noMatter
	}
	for i := 0; ; i++ {
		solving := d.ToMove == j.study.Stipulation.Side(j.study.Diagram)
		if solving && j.study.Stipulation.Goal == study.Best && state == inSolution {
			target = max(target, j.lead(d))
		}
		if i == len(path) {
			return d, state, target, true
		}
		next, _, err := d.Play(j.game, path[i])
		if err != nil {
			return d, state, target, false
		}
		reaches := j.lead(next) >= target
		fails := false
		for _, g := range j.given[fmt.Sprint(path[:i])] {
			fails = fails || g.number == path[i] && g.mark.Fails()
		}
		switch {
		case solving && state == inSolution && reaches == fails:
			state = noMatter
		case solving && state == inSolution && fails:
			state = afterTry
		case !solving && state == afterTry && reaches:
			state = noMatter
		}
		d = next
	}
}

// faults returns all faults but the false claim, as words.
func (j *plainJudge) faults() []string {
	j.given = make(map[string][]givenMove)
	j.list([]int{}, j.study.Solution.Moves)
	side := j.study.Stipulation.Side(j.study.Diagram)
	if j.study.Diagram.ToMove != side {
		for _, g := range j.given["[]"] { // the solver's first move is always judged
			if path := []int{g.number}; len(j.given[fmt.Sprint(path)]) == 0 {
				j.paths = append(j.paths, path)
			}
		}
	}
	var all []string
	for _, path := range j.paths {
		d, state, target, legal := j.situation(path)
		if !legal {
			continue
		}
		add := func(kind string, number int, manner string) {
			all = append(all, fmt.Sprintln(path, kind, number, manner))
		}
		var right, answers []int
		claims := false
		for _, g := range j.given[fmt.Sprint(path)] {
			solving := state == inSolution && d.ToMove == side
			claims = claims || solving && !g.mark.Fails()
			next, _, err := d.Play(j.game, g.number)
			if err != nil {
				add("wrong", g.number, "illegal")
				continue
			}
			answers = append(answers, g.number)
			reaches := j.lead(next) >= target
			switch {
			case solving && g.mark.Fails() && reaches:
				add("wrong", g.number, "works")
			case solving && !g.mark.Fails() && !reaches:
				add("wrong", g.number, "fails")
			case solving && !g.mark.Fails():
				right = append(right, g.number)
			case state == afterTry && d.ToMove != side && !g.mark.Fails() && reaches:
				add("wrong", g.number, "refutes")
			}
		}
		moves := j.ranked(d)
		first := len(path) == 0 || len(path) == 1 && j.study.Diagram.ToMove != side
		switch {
		case state != inSolution || len(moves) == 0:
		case d.ToMove == side && (claims || first):
			moves = slices.DeleteFunc(moves, func(m plainMove) bool { return j.lead(m.next) < target })
			if len(right) == 0 {
				right = []int{moves[0].number}
			}
			for _, m := range moves {
				if m.number != right[0] && first {
					add("cooked", m.number, "")
				} else if m.number != right[0] {
					add("dual", m.number, "")
				}
			}
		case d.ToMove != side && len(answers) > 0:
			best := slices.IndexFunc(moves, func(m plainMove) bool { return slices.Contains(answers, m.number) })
			for i, m := range moves {
				if !slices.Contains(answers, m.number) && (i < best || m.compare(moves[best]) == 0) {
					add("incomplete", m.number, "")
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

// plainMove is a legal move.
type plainMove struct {
	number int
	next   game.Diagram
	score  int // of the side that makes it
	depth  int // plies to the next conversion after it
}

// compare orders moves, the best first, by score and then by length.
func (m plainMove) compare(other plainMove) int {
	if m.score < 0 {
		return cmp.Or(cmp.Compare(other.score, m.score), cmp.Compare(other.depth, m.depth))
	}
	return cmp.Or(cmp.Compare(other.score, m.score), cmp.Compare(m.depth, other.depth))
}

// ranked returns the legal moves, the best first.
func (j *plainJudge) ranked(d game.Diagram) []plainMove {
	successors := j.game.Successors(nil, d.Position())
	all := make([]plainMove, 0, len(successors))
	for _, s := range successors {
		m := plainMove{number: d.Number(s.Pit), next: playMove(j.t, j.game, d, d.Number(s.Pit))}
		if j.game.Over(s.Next) {
			m.score = s.Captured - int(j.game.Final(s.Next))
		} else {
			m.score = s.Captured - int(tabletest.Probe(j.t, j.db, j.game, s.Next))
		}
		if s.Captured == 0 {
			depth, _, err := j.db.Depth(context.Background(), j.game, s.Next, tablebase.DefaultDepthLimit)
			if err != nil {
				j.t.Fatal(err)
			}
			m.depth = int(depth)
		}
		all = append(all, m)
	}
	slices.SortStableFunc(all, plainMove.compare)
	return all
}

// lead returns the solver's lead at the end of best play.
func (j *plainJudge) lead(d game.Diagram) int { return leadAfter(j.t, j.db, j.game, j.study, d) }

// randomSolution returns moves from a diagram on, most of them legal.
func randomSolution(random *rand.Rand, g game.Game, d game.Diagram, plies, ways int) []study.Move {
	if plies == 0 {
		return nil
	}
	choices := g.Successors(nil, d.Position())
	random.Shuffle(len(choices), func(a, b int) { choices[a], choices[b] = choices[b], choices[a] })
	var moves []study.Move
	for i := range min(ways, max(1, len(choices))) {
		number := random.IntN(2*game.StandardWidth + 1)
		if i < len(choices) && random.IntN(30) > 0 {
			number = d.Number(choices[i].Pit)
		}
		m := study.Move{Number: number, Mark: []study.Mark{"", "", "", "!", "?", "??"}[random.IntN(6)]}
		variation := []study.Move{m}
		if next, _, err := d.Play(g, number); err == nil {
			variation = append(variation, randomSolution(random, g, next, plies-1, 1+random.IntN(3))...)
		}
		if i == 0 {
			moves = variation
		} else {
			moves[0].Variations = append(moves[0].Variations, study.Movetext{Moves: variation})
		}
	}
	return moves
}

// TestAgainstPlainJudge compares the faults of random solutions of random positions,
// whatever they claim, with those that the plain judge finds.
func TestAgainstPlainJudge(t *testing.T) {
	beans, count := 10, 1500
	if testing.Short() {
		beans, count = 8, 300
	}
	db := newTables(t, beans)
	x := index.New(game.StandardWidth, beans)
	random := rand.New(rand.NewPCG(3, 4))
	kinds := map[study.Verdict]int{}
	for range count {
		rules := game.Rules(random.IntN(2))
		d := randomDiagram(random, x, beans)
		g := newGame(t, rules)
		s := study.Study{Rules: rules, Diagram: d, Stipulation: study.Stipulation{
			Goal: []study.Goal{study.Win, study.Best, study.Best}[random.IntN(3)], For: study.Solver(random.IntN(3)),
		}}
		s.Solution.Moves = randomSolution(random, g, d, 1+random.IntN(6), 1+random.IntN(3))
		if len(s.Solution.Moves) == 0 {
			continue
		}
		var got []string
		for _, f := range verify(t, db, s).Faults {
			kinds[f.Kind]++
			manner := ""
			if f.Kind == study.Wrong {
				manner = string(f.Manner)
			}
			if f.Kind != study.Unsound {
				got = append(got, fmt.Sprintln([]int(f.Path), f.Kind, f.Pits[0], manner))
			}
		}
		slices.Sort(got)
		want := (&plainJudge{t: t, db: db, game: g, study: s}).faults()
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s faults (-want +got):\n%s", printed(t, []study.Study{s}), diff)
		}
	}
	for v := study.Dual; v <= study.Unsound; v++ {
		if kinds[v] < 20 {
			t.Errorf("%d faults are %v: too few to compare", kinds[v], v)
		}
	}
}
