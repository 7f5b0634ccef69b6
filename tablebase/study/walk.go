package study

import (
	"fmt"
	"slices"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// mode is what is judged of the moves that follow.
type mode uint8

const (
	solving  mode = iota // everything
	refuting             // after a try: whether the replies refute it
	legality             // nothing else, as it no longer matters
)

// spot is a position in the solution.
type spot struct {
	d      game.Diagram
	path   tablebase.Pits // the moves from the first position; see next
	target int            // the lead that the solver has to reach
	mode   mode
}

// next returns the spot after a move. Its path may share memory with those of other
// spots after this one, so it holds until another move is walked: long solutions would
// take memory by the square of their length otherwise.
func (at spot) next(o option, m mode) spot {
	return spot{d: o.next, path: append(at.path, o.number), target: at.target, mode: m}
}

// step is a legal move of the solution.
type step struct {
	option
	mark Mark
	then []*branch
}

// walk judges what the solution says from a spot on. The first move of the solver is
// judged even if the solution does not come to it.
func (v *verifier) walk(at spot, next []*branch) error {
	if len(next) == 0 && (at.mode != solving || !v.firstMove(at)) {
		return nil
	}
	options, err := v.options(at.d)
	if err != nil {
		return err
	}
	for _, b := range next {
		if !slices.ContainsFunc(options, func(o option) bool { return o.number == b.number }) {
			_, _, illegal := at.d.Play(v.game, b.number)
			v.add(at, Fault{
				Kind: Wrong, Manner: Illegal, Pits: tablebase.Pits{b.number}, Line: tablebase.Pits{b.number},
				Message: fmt.Sprint(illegal),
			})
		}
	}
	steps := match(options, next)
	switch {
	case len(options) == 0: // play is over
		return nil
	case at.mode == legality:
		return v.follow(at, steps, legality)
	case at.d.ToMove == v.solver && at.mode == refuting:
		return v.follow(at, steps, refuting)
	case at.d.ToMove == v.solver:
		return v.moves(at, options, steps, next)
	case at.mode == refuting:
		return v.replies(at, steps)
	default:
		return v.defences(at, options, steps, next)
	}
}

// match returns the legal moves of the solution in its order.
func match(options []option, next []*branch) []step {
	var steps []step
	for _, b := range next {
		for _, o := range options {
			if o.number == b.number {
				steps = append(steps, step{option: o, mark: b.mark, then: b.next})
			}
		}
	}
	return steps
}

// split tells the moves that the solution gives from those it marks as failing.
func split(steps []step) (claimed, tries []step) {
	for _, s := range steps {
		if s.mark.Fails() {
			tries = append(tries, s)
		} else {
			claimed = append(claimed, s)
		}
	}
	return claimed, tries
}

// follow walks on after each step.
func (v *verifier) follow(at spot, steps []step, m mode) error {
	for _, s := range steps {
		if err := v.walk(at.next(s.option, m), s.then); err != nil {
			return err
		}
	}
	return nil
}

// moves judges the moves of the solver in a spot: those that the solution gives have
// to keep the claim, tries must not, and there should be no others that do.
func (v *verifier) moves(at spot, options []option, steps []step, next []*branch) (err error) {
	if at.target, err = v.target(at.d, at.target); err != nil {
		return err
	}
	claimed, tries := split(steps)
	var right []step // moves of the solution that keep the claim
	for _, s := range claimed {
		if s.lead >= at.target {
			right = append(right, s)
		} else if err := v.addMove(at, s.option, Wrong, Fails, "the move does not keep the claim"); err != nil {
			return err
		}
	}
	for _, s := range tries {
		if s.lead >= at.target {
			if err := v.addMove(at, s.option, Wrong, Works, "the move is marked as a try, but it keeps the claim"); err != nil {
				return err
			}
		}
	}
	if err := v.others(at, options, right, gives(next)); err != nil {
		return err
	}
	for _, s := range steps {
		m := solving
		switch {
		case s.lead >= at.target && s.mark.Fails(), s.lead < at.target && !s.mark.Fails():
			m = legality
		case s.mark.Fails():
			m = refuting
		}
		if err := v.walk(at.next(s.option, m), s.then); err != nil {
			return err
		}
	}
	return nil
}

// gives reports whether a solution gives a move that is no try.
func gives(next []*branch) bool {
	return slices.ContainsFunc(next, func(b *branch) bool { return !b.mark.Fails() })
}

// others reports the moves that keep the claim besides the solution's. If the solution
// gives only wrong ones, the best that keeps it is taken as what was meant; if it gives
// none, the same at the first move, and nothing is reported later, where it has stopped.
func (v *verifier) others(at spot, options []option, right []step, given bool) error {
	first := v.firstMove(at)
	if !given && !first {
		return nil
	}
	others := keeping(options, at.target)
	var main step
	if len(right) > 0 {
		main = right[0]
	} else {
		best, err := v.best(others)
		if err != nil {
			return err
		}
		main.option = best[0]
	}
	others = without(others, main.number)
	if first {
		for _, o := range others {
			if err := v.addMove(at, o, Cooked, "", "another first move keeps the claim"); err != nil {
				return err
			}
		}
		return nil
	}
	if len(others) == 0 {
		return nil
	}
	solution, err := v.solutionAfter(at, main)
	if err != nil {
		return err
	}
	for _, o := range others {
		manner, err := v.manner(at, o, main.option, solution)
		if err == nil {
			err = v.addMove(at, o, Dual, manner, dualMessage(manner))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// firstMove reports whether the solver has not moved before.
func (v *verifier) firstMove(at spot) bool {
	return len(at.path) == 0 || len(at.path) == 1 && v.study.Diagram.ToMove != v.solver
}

// replies judges the opponent's moves after a try: those that are not marked as
// failing have to refute it. Where one that is has let the solver reach the target
// again, nothing more is judged.
func (v *verifier) replies(at spot, steps []step) error {
	lead, err := v.lead(at.d)
	if err != nil {
		return err
	}
	if lead >= at.target {
		return v.follow(at, steps, legality)
	}
	for _, s := range steps {
		m := refuting
		if s.lead >= at.target {
			m = legality
			if !s.mark.Fails() {
				if err := v.addMove(at, s.option, Wrong, Refutes, "the reply does not refute the try"); err != nil {
					return err
				}
			}
		}
		if err := v.walk(at.next(s.option, m), s.then); err != nil {
			return err
		}
	}
	return nil
}

// defences judges the opponent's moves in the solution: where it gives any, all that
// are as good as the best of them have to be there. Where the opponent begins and it
// gives none, what follows the best defences is judged.
func (v *verifier) defences(at spot, options []option, steps []step, next []*branch) error {
	if len(next) == 0 {
		best, err := v.best(options)
		for _, o := range best {
			if err == nil {
				err = v.walk(at.next(o, solving), nil)
			}
		}
		return err
	}
	if len(steps) == 0 {
		return nil
	}
	given := make([]option, len(steps))
	missing := options
	for i, s := range steps {
		given[i] = s.option
		missing = without(missing, s.number)
	}
	best, err := v.best(given)
	if err != nil {
		return err
	}
	for _, o := range missing {
		order, err := v.compare(o, best[0])
		switch {
		case err != nil:
			return err
		case order > 0:
			err = v.addMove(at, o, Incomplete, "", "a defence is missing that is better than those given")
		case order == 0:
			err = v.addMove(at, o, Incomplete, "", "a defence is missing that is as good as those given")
		}
		if err != nil {
			return err
		}
	}
	return v.follow(at, steps, solving)
}
