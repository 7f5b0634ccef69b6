package search

import (
	"context"
	"errors"

	"bohnenspiel/solver/game"
)

// ErrNoProof is returned when the proof of an answer can't be written down: the
// question is open, the context has ended, or the table is too small to hold the proof.
var ErrNoProof = errors.New("no proof")

// Step is a question that a proof answers, with the reason. A proof is a set of steps
// such that each one follows from others, from the tables, and from the rules.
type Step struct {
	Question Question
	Yes      bool // the answer
	// Pit is the move that shows it, 0 to w−1 or game.Pass, where the side to move has
	// what it claims: the answer is yes. Otherwise it is AllMoves: whatever is played.
	Pit int
	// Rank is, where the forcer has its way, above the ranks of all steps that this one
	// needs by way of quiet moves. So it gets there in finitely many moves. Where the
	// forcer fails it is 0, and steps may need each other in circles: that is endless
	// play, which does as well.
	Rank int
}

// AllMoves stands for all moves in [Step.Pit].
const AllMoves = -2

// Proof returns the steps of a proof that the score of p is, or is not, at least each of
// the bounds, best after this search has decided that. Each question that the proof needs
// is answered once; those that tables or rules answer are left out. It searches again
// where the table has lost something.
func (s *Search) Proof(ctx context.Context, p game.Position, bounds ...int) ([]Step, error) {
	beans := p.Beans()
	b := &proofBuilder{search: s, ctx: ctx, done: make(map[Question]claim)}
	for _, bound := range bounds {
		q := newQuestion(p, beans, min(max(bound, -beans), beans+1))
		if _, ok := s.exact(q, beans); ok {
			continue
		}
		answer, ok := b.decide(q, beans)
		if !ok {
			return nil, ErrNoProof
		}
		if _, err := b.prove(q, beans, answer); err != nil {
			return nil, err
		}
	}
	return b.steps, nil
}

// proofBuilder collects the steps of a proof.
type proofBuilder struct {
	search *Search
	ctx    context.Context //nolint:containedctx // it lives no longer than the call that got it
	done   map[Question]claim
	steps  []Step
}

// claim is the answer of a step and its rank, or inWork as long as that is not known.
type claim struct {
	yes  bool
	rank int
}

// inWork is the rank of a step whose reasons are being collected.
const inWork = -1

// decide returns the answer to a question. It searches if the table has lost it.
func (b *proofBuilder) decide(q Question, beans int) (yes, ok bool) {
	if b.search.taken(q, beans) {
		return true, true
	}
	verdict, _ := b.search.Decide(b.ctx, q.Position, int(q.Bound), 0)
	return verdict == Yes, verdict != Open
}

// option is a move that a step may use, or has to.
type option struct {
	Successor game.Successor
	question  Question
	beans     int
}

// options returns the moves of a question.
func (b *proofBuilder) options(q Question, beans int) []option {
	successors := b.search.game.Successors(nil, q.Position)
	options := make([]option, len(successors))
	for i, s := range successors {
		left := beans - s.Captured
		options[i] = option{s, q.after(s.Next, s.Captured, left), left}
	}
	return options
}

// prove adds the steps that show the answer to a question which rules and tables don't
// answer, and returns the rank of its step.
func (b *proofBuilder) prove(q Question, beans int, yes bool) (rank int, err error) {
	forced := yes != q.endless()
	if c, ok := b.done[q]; ok {
		if c.rank == inWork && forced {
			return 0, ErrNoProof
		}
		return max(c.rank, 0), nil
	}
	if b.ctx.Err() != nil {
		return 0, ErrNoProof
	}
	b.done[q] = claim{yes, inWork}
	step := Step{Question: q, Yes: yes, Pit: AllMoves}
	options := b.options(q, beans)
	if yes {
		var chosen option
		chosen, err = b.choose(q, beans, options, forced)
		step.Pit = chosen.Successor.Pit
		options = []option{chosen}
	}
	for _, o := range options {
		if err != nil {
			break
		}
		rank, err = b.need(o, !yes)
		if forced && o.Successor.Captured == 0 {
			step.Rank = max(step.Rank, rank+1)
		}
	}
	if err != nil {
		delete(b.done, q)
		return 0, err
	}
	b.done[q] = claim{yes, step.Rank}
	b.steps = append(b.steps, step)
	return step.Rank, nil
}

// need adds the steps that show what the answer after a move is, and returns the rank.
// It searches if the answer has been lost.
func (b *proofBuilder) need(o option, yes bool) (rank int, err error) {
	if _, ok := b.search.exact(o.question, o.beans); ok {
		return 0, nil
	}
	answer, ok := b.decide(o.question, o.beans)
	if !ok || answer != yes {
		return 0, ErrNoProof
	}
	return b.prove(o.question, o.beans, yes)
}

// choose returns the move by which the side to move has what it claims: one that rules
// or tables settle, else one where the proof is short. Where it is forced, moves that
// lead back to where the proof comes from don't count.
func (b *proofBuilder) choose(q Question, beans int, options []option, forced bool) (option, error) {
	for again := false; ; again = true {
		best, shortest := -1, uint32(0)
		for i, o := range options {
			if answer, ok := b.search.exact(o.question, o.beans); ok {
				if !answer {
					return o, nil
				}
				continue
			}
			if c, ok := b.done[o.question]; ok {
				if !c.yes && (c.rank != inWork || !forced) {
					return o, nil
				}
				continue
			}
			e, ok := b.search.table.find(o.question)
			if !ok || e.numbers.no != 0 {
				continue
			}
			if best < 0 || e.length < shortest {
				best, shortest = i, e.length
			}
		}
		if best >= 0 {
			return options[best], nil
		}
		if again {
			return option{}, ErrNoProof
		}
		// The table has lost what answered the question. Visiting it finds it again.
		w := b.search.newWorker(&job{workers: 1})
		stop := context.AfterFunc(b.ctx, func() { w.job.stopped.Store(true) })
		w.visit(q, beans, false, infinity, infinity)
		stop()
		w.report()
	}
}
