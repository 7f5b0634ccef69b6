package check

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"golang.org/x/sync/errgroup"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/fault"
	"bohnenspiel/tablebase/format"
)

// independentLimit is the number of positions that may be looked at to prove one score.
const independentLimit = 1 << 18

// independent proves the scores of a sample of a layer anew, by forward search. It
// shares nothing with the solver but the rules: it plays the moves, asks the tables about
// layers below alone, and takes play that has not converted within the depth of the
// search for the worst. So what it proves holds whatever endless play is worth, and with
// it that a score does not lean on rule 8.
func (c *checker) independent(ctx context.Context, report *LayerReport, g game.Game) error {
	k := report.Key
	for beans := k.Beans - 2; beans >= 0; beans -= 2 {
		if _, err := c.db.Manifest(format.KeyOf(g, beans)); err != nil {
			report.add(FaultLower, fmt.Errorf("%v cannot be proved anew: %w", k, err))
			return nil
		}
	}
	x := c.db.Index(k.Width)
	size := x.Size(k.Beans)
	sample := min(c.options.Independent, size)
	var mu sync.Mutex
	done := uint64(0)
	group, ctx := errgroup.WithContext(ctx)
	for worker := range uint64(c.options.Workers) {
		group.Go(func() error {
			for i := worker; i < sample; i += uint64(c.options.Workers) {
				number := i
				if sample < size {
					number = rand.Uint64N(size)
				}
				p := x.Unrank(k.Beans, number)
				proved, err := c.proveValue(ctx, g, p)
				mu.Lock()
				switch wrong := (*wrongValueError)(nil); {
				case errors.As(err, &wrong):
					report.add(FaultScore, fmt.Errorf("%v, index %d: %w", k, number, err))
					err = nil
				case fault.ClassOf(err) == fault.BadData:
					report.add(FaultLower, err)
					err = nil
				case proved:
					report.Proved++
				case err == nil:
					report.Unproved++
				}
				done++
				c.report(k, Proving, done, sample)
				mu.Unlock()
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// wrongValueError says that a search has refuted what is stored.
type wrongValueError struct {
	stored tablebase.Value
	what   string
}

// Error says what was proved.
func (e *wrongValueError) Error() string {
	return fmt.Sprintf("a search proves that the score is %s, but %+d is stored, within %+d and %+d", e.what, e.stored.Score, e.stored.Low, e.stored.High)
}

// proveValue proves that the value of a position lies within the stored bounds, and
// reports whether it could. The error is a *wrongValueError if it proves that it does not.
func (c *checker) proveValue(ctx context.Context, g game.Game, p game.Position) (bool, error) {
	value, err := c.db.Probe(g, p)
	if err != nil {
		return false, err
	}
	s := &prover{ctx: ctx, db: c.db, game: g, beans: p.Beans(), known: make(map[question]knowledge)}
	var low, high bool
	for depth := 0; ; depth += 2 {
		if !low {
			if low, err = s.holds(question{p, value.Low, true}, depth); err != nil {
				return false, s.open(err)
			}
		}
		if !high {
			if high, err = s.holds(question{p, value.High, false}, depth); err != nil {
				return false, s.open(err)
			}
		}
		if low && high {
			return true, nil
		}
		for _, other := range []struct {
			asked bool
			question
			what string
		}{
			{!low, question{p, value.Low - 1, false}, fmt.Sprintf("at most %+d", value.Low-1)},
			{!high, question{p, value.High + 1, true}, fmt.Sprintf("at least %+d", value.High+1)},
		} {
			if !other.asked {
				continue
			}
			wrong, err := s.holds(other.question, depth)
			if err != nil {
				return false, s.open(err)
			}
			if wrong {
				return false, &wrongValueError{stored: value, what: other.what}
			}
		}
	}
}

// prover proves bounds of scores of one layer by forward search.
type prover struct {
	ctx     context.Context
	db      *tablebase.DB
	game    game.Game
	beans   int
	visited int
	known   map[question]knowledge
}

// question is whether a player can enforce a bound: the mover at least so much, or his
// opponent that the mover gets at most so much, whatever endless play is worth.
type question struct {
	game.Position
	bound   game.Score
	atLeast bool
}

// knowledge is what is known of a question.
type knowledge struct {
	proved bool
	failed int // otherwise: the largest depth at which there was no proof, plus one
}

// errGivenUp ends a proof that takes too long.
var errGivenUp = errors.New("the search was given up")

// open returns the error of a search that has ended early, or nil if it was too long.
func (s *prover) open(err error) error {
	if errors.Is(err, errGivenUp) {
		return nil
	}
	return err
}

// holds reports whether a question can be proved by lines with at most this many quiet
// moves.
func (s *prover) holds(q question, depth int) (bool, error) {
	if s.game.Over(q.Position) {
		final := s.game.Final(q.Position)
		return q.atLeast && final >= q.bound || !q.atLeast && final <= q.bound, nil
	}
	switch beans := game.Score(s.beans); {
	case q.atLeast && q.bound <= -beans, !q.atLeast && q.bound >= beans:
		return true, nil
	case q.atLeast && q.bound > beans, !q.atLeast && q.bound < -beans:
		return false, nil
	}
	k := s.known[q]
	if k.proved || k.failed > depth {
		return k.proved, nil
	}
	if s.visited++; s.visited > independentLimit {
		return false, errGivenUp
	}
	if err := s.ctx.Err(); err != nil {
		return false, err
	}
	proved, err := s.moves(q, depth)
	if err != nil {
		return false, err
	}
	s.known[q] = knowledge{proved: proved, failed: max(k.failed, depth+1)}
	return proved, nil
}

// moves looks at all moves: one has to prove what the mover wants, all of them what the
// opponent wants. Captures come first, as tables answer them.
func (s *prover) moves(q question, depth int) (bool, error) {
	successors := s.game.Successors(nil, q.Position)
	for _, quiet := range []bool{false, true} {
		for _, next := range successors {
			if quiet != (next.Captured == 0) {
				continue
			}
			answer := false
			var err error
			switch {
			case !quiet:
				answer, err = s.below(q, next)
			case depth > 0:
				answer, err = s.holds(question{next.Next, -q.bound, !q.atLeast}, depth-1)
			}
			if err != nil {
				return false, err
			}
			if answer == q.atLeast {
				return answer, nil
			}
		}
	}
	return !q.atLeast, nil
}

// below answers a question by what a capture leads to, from the tables of a layer below.
func (s *prover) below(q question, next game.Successor) (bool, error) {
	value, err := s.db.Probe(s.game, next.Next)
	if err != nil {
		return false, err
	}
	if q.atLeast {
		return game.Score(next.Captured)-value.High >= q.bound, nil
	}
	return game.Score(next.Captured)-value.Low <= q.bound, nil
}
