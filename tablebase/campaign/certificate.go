package campaign

import (
	"context"
	"fmt"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase/proof"
)

// Prove puts the proof of what lines show about the score of a position together. The
// tree gives its part; the answers of jobs are searched for again, by a solver that takes
// nothing on trust, and that should be new. So a line that is wrong is found: the error
// wraps ErrWrongLine and names it. The error is search.ErrNoProof when ctx ends, or when
// the transposition table is too small for the proof of a job.
//
// The lines begin with a header. The whole proof is in memory, some 150 bytes a step.
// Report, if not nil, is called with the steps so far after each job.
func Prove(ctx context.Context, lines []Located, s *Solver, p game.Position, report func(steps int)) (proof.Proof, error) {
	t, err := treeToProve(lines)
	if err != nil {
		return proof.Proof{}, err
	}
	b := t.Bounds(p)
	proof := proof.Proof{Game: t.game, Position: p, Low: b.Low, High: b.High, Top: s.Top()}
	a := &assembler{ctx: ctx, tree: t, solver: s, steps: make(map[search.Question]search.Step), report: report}
	beans := p.Beans()
	claims := []search.Question{newQuestion(p, beans, int(b.Low)), newQuestion(p, beans, int(b.High)+1)}
	for i, q := range claims {
		if err := a.need(q, i == 0); err != nil {
			return proof, err
		}
	}
	proof.Steps = a.needed(claims)
	return proof, nil
}

// treeToProve makes the tree of lines such that an answer to a question that was split is
// deduced rather than taken from a line: it would take long to search for it again.
func treeToProve(lines []Located) (*Tree, error) {
	split := make(map[search.Question]bool)
	for _, l := range lines {
		if l.Kind == Split {
			split[l.Question()] = true
		}
	}
	var first, rest []Located
	for _, l := range lines {
		if l.Answers() && split[l.Question()] {
			rest = append(rest, l)
		} else {
			first = append(first, l)
		}
	}
	t, err := Load(first)
	if err == nil {
		err = t.Add(rest...)
	}
	return t, err
}

// assembler collects the steps of a proof. A step that is there stays: steps that come
// later may rest on it, and it rests on none of them where a forcer has to get there.
type assembler struct {
	ctx    context.Context //nolint:containedctx // it lives no longer than the call that got it
	tree   *Tree
	solver *Solver
	steps  map[search.Question]search.Step
	report func(steps int)
}

// need adds the steps that show an answer.
func (a *assembler) need(q search.Question, yes bool) error {
	answer, ok := a.exact(q)
	if step, there := a.steps[q]; !ok && there {
		answer, ok = step.Yes, true
	}
	if ok {
		if answer != yes {
			return a.wrong(q)
		}
		return nil
	}
	k := a.tree.facts.about(q.Position)
	if answer, ok := k.answer(int(q.Bound)); ok {
		if answer != yes {
			return a.wrong(q)
		}
		reason := k.reason(int(q.Bound))
		at, ok := a.tree.index[search.Question{Position: q.Position, Bound: int8(reason.bound)}]
		if reason.line.Kind == Header && ok {
			return a.follow(q, yes, &a.tree.nodes[at])
		}
	}
	return a.search(q, yes)
}

// exact answers a question that the rules or the tables answer.
func (a *assembler) exact(q search.Question) (yes, ok bool) {
	if yes, ok := a.tree.ruled(q); ok {
		return yes, true
	}
	score, ok := a.solver.resident.Probe(q.Position, q.Position.Beans())
	return int(score) >= int(q.Bound), ok
}

// wrong returns the error for a question to which the lines give a wrong answer.
func (a *assembler) wrong(q search.Question) error {
	text := fmt.Sprintf("%s at least %d", Pits(a.tree.game, q.Position), q.Bound)
	k := a.tree.facts.about(q.Position)
	if _, ok := k.answer(int(q.Bound)); ok {
		if line := k.reason(int(q.Bound)).line; line.Kind != Header {
			return fmt.Errorf("%s: %w: %q", line.Where(), ErrWrongLine, line.String())
		}
	}
	return fmt.Errorf("%w: what follows about %s", ErrWrongLine, text)
}

// follow adds the step for a question to which the tree gives the answer: that to another
// question about the same position, from which it follows. What shows the one, move by
// move, shows the other. Where a forcer has to get there, the steps that it rests on got
// known earlier, so this comes to an end.
func (a *assembler) follow(q search.Question, yes bool, from *node) error {
	forced := yes != (q.Bound <= 0)
	step := search.Step{Question: q, Yes: yes, Pit: search.AllMoves}
	first := -1 // of the moves that show a yes, the one that got known first
	if yes {
		earliest := 0
		for i, e := range from.children {
			c := &a.tree.nodes[e.node]
			if answer, ok := c.known.answer(int(c.question.Bound)); ok && !answer {
				if at := c.known.reason(int(c.question.Bound)).at; first < 0 || at < earliest {
					first, earliest = i, at
				}
			}
		}
		step.Pit = from.children[first].pit
	}
	if !forced {
		a.steps[q] = step
	}
	for i, e := range from.children {
		if yes && i != first {
			continue
		}
		m := game.Successor{Pit: e.pit, Captured: e.captured, Next: a.tree.nodes[e.node].question.Position}
		if err := a.need(after(q, q.Position.Beans(), m), !yes); err != nil {
			return err
		}
	}
	a.add(step)
	return nil
}

// add adds a step unless its question has one.
func (a *assembler) add(step search.Step) {
	if _, ok := a.steps[step.Question]; !ok {
		a.steps[step.Question] = step
	}
}

// search adds the steps that a search finds for a question.
func (a *assembler) search(q search.Question, yes bool) error {
	steps, err := a.solver.search.Proof(a.ctx, q.Position, int(q.Bound))
	if err != nil {
		return err
	}
	for _, step := range steps {
		if step.Question == q && step.Yes != yes {
			return a.wrong(q)
		}
	}
	for _, step := range steps {
		a.add(step)
	}
	if a.report != nil {
		a.report(len(a.steps))
	}
	return nil
}

// needed returns the steps that questions rest on, with ranks anew.
func (a *assembler) needed(questions []search.Question) []search.Step {
	ranks := make(map[search.Question]int)
	var steps []search.Step
	var visit func(q search.Question) int
	visit = func(q search.Question) int {
		step, ok := a.steps[q]
		if !ok {
			return -1 // rules or tables answer it
		}
		if rank, ok := ranks[q]; ok {
			return rank
		}
		ranks[q] = 0
		forced := step.Yes != (q.Bound <= 0)
		step.Rank = 0
		for _, m := range a.tree.game.Successors(nil, q.Position) {
			if step.Yes && m.Pit != step.Pit {
				continue
			}
			below := visit(after(q, q.Position.Beans(), m))
			if forced && m.Captured == 0 {
				step.Rank = max(step.Rank, below+1)
			}
		}
		ranks[q] = step.Rank
		steps = append(steps, step)
		return step.Rank
	}
	for _, q := range questions {
		visit(q)
	}
	return steps
}
