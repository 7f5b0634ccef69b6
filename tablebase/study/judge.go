package study

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// Tables is what studies are judged by. A [*tablebase.DB] has both methods; what they
// return, and their errors, are said there.
type Tables interface {
	Probe(g game.Game, p game.Position) (tablebase.Value, error)
	Depth(ctx context.Context, g game.Game, p game.Position, limit uint64) (dtc game.DTC, visited uint64, err error)
}

// judge knows what the moves of one study are worth. It remembers all that it has
// asked the tables.
type judge struct {
	ctx    context.Context
	tables Tables
	game   game.Game
	study  Study
	solver game.Side
	values map[game.Position]tablebase.Value
	depths map[game.Position]game.DTC
}

func newJudge(ctx context.Context, t Tables, s Study) (*judge, error) {
	g, err := game.New(s.Rules, s.Diagram.Width)
	if err != nil {
		return nil, err
	}
	return &judge{
		ctx: ctx, tables: t, game: g, study: s, solver: s.Stipulation.Side(s.Diagram),
		values: make(map[game.Position]tablebase.Value), depths: make(map[game.Position]game.DTC),
	}, nil
}

// value returns what a position is worth to the side to move.
func (j *judge) value(p game.Position) (tablebase.Value, error) {
	if value, ok := j.values[p]; ok {
		return value, nil
	}
	if err := j.ctx.Err(); err != nil {
		return tablebase.Value{}, err
	}
	value, err := j.tables.Probe(j.game, p)
	if err == nil {
		j.values[p] = value
	}
	return value, err
}

// lead returns by how many beans the solver is ahead at the end of best play from a
// diagram.
func (j *judge) lead(d game.Diagram) (int, error) {
	value, err := j.value(d.Position())
	return j.view(d, d.Lead()+int(value.Score)), err
}

// view turns a number of beans of the side to move into the solver's.
func (j *judge) view(d game.Diagram, beans int) int {
	if d.ToMove != j.solver {
		return -beans
	}
	return beans
}

// target returns the lead that the solver has to reach from a diagram on; see
// docs/studies.md. Before is what it was a move of the solver earlier.
func (j *judge) target(d game.Diagram, before int) (int, error) {
	if j.study.Stipulation.Goal != Best {
		return before, nil
	}
	lead, err := j.lead(d)
	return max(before, lead), err
}

// firstTarget returns the lead that the stipulation speaks of, and the lead that the
// solver has in truth.
func (j *judge) firstTarget() (target, lead int, err error) {
	d, s := j.study.Diagram, j.study.Stipulation
	lead, err = j.lead(d)
	switch s.Goal {
	case Win:
		target = 1
	case Draw:
		target = 0
	case WinBy:
		target = s.Beans
	case Score:
		target = j.view(d, d.Lead()) + s.Beans
	case Best:
		target = lead
	}
	return target, lead, err
}

// option is a legal move and what it is worth.
type option struct {
	number   int // as in Move
	next     game.Diagram
	converts bool       // whether it captures or ends the game
	score    game.Score // of the side that makes the move, what it takes included
	lead     int        // the solver's, at the end of best play after it
}

// options returns the legal moves of a diagram in the order of pits. There are none
// where play is over.
func (j *judge) options(d game.Diagram) ([]option, error) {
	p := d.Position()
	if j.game.Over(p) {
		return nil, nil
	}
	successors := j.game.Successors(nil, p)
	all := make([]option, len(successors))
	for i, s := range successors {
		next, _, err := d.Play(j.game, d.Number(s.Pit))
		if err != nil {
			return nil, err
		}
		value, err := j.value(s.Next)
		if err != nil {
			return nil, err
		}
		score := game.Score(s.Captured) - value.Score
		all[i] = option{
			number: d.Number(s.Pit), next: next, score: score, lead: j.view(d, d.Lead()+int(score)),
			converts: j.game.Converts(s),
		}
	}
	return all, nil
}

// depth returns how many plies after the move the next conversion is: 0 if the move
// converts.
func (j *judge) depth(o option) (game.DTC, error) {
	p := o.next.Position()
	if o.converts {
		return 0, nil
	}
	if depth, ok := j.depths[p]; ok {
		return depth, nil
	}
	depth, _, err := j.tables.Depth(j.ctx, j.game, p, tablebase.DefaultDepthLimit)
	if err != nil {
		return 0, fmt.Errorf("position %v: %w", o.next, err)
	}
	j.depths[p] = depth
	return depth, nil
}

// compare returns whether a is a better move than b for the side that makes them: +1,
// 0 or −1. The higher score is; then, ahead, the shorter way to the next conversion,
// behind the longer one, and at a score of 0 the shorter one.
func (j *judge) compare(a, b option) (int, error) {
	if a.score != b.score {
		return cmp.Compare(a.score, b.score), nil
	}
	depthA, err := j.depth(a)
	if err != nil {
		return 0, err
	}
	depthB, err := j.depth(b)
	return a.score.CompareDTC(depthA, depthB), err
}

// best returns the best of some moves: those than which none is better.
func (j *judge) best(options []option) ([]option, error) {
	var best []option
	for _, o := range options {
		if len(best) == 0 {
			best = append(best, o)
			continue
		}
		order, err := j.compare(o, best[0])
		if err != nil {
			return nil, err
		}
		switch {
		case order > 0:
			best = append(best[:0:0], o)
		case order == 0:
			best = append(best, o)
		}
	}
	return best, nil
}

// keeping returns the moves after which the solver still reaches a target.
func keeping(options []option, target int) []option {
	return slices.DeleteFunc(slices.Clone(options), func(o option) bool { return o.lead < target })
}

// without returns the moves except one.
func without(options []option, number int) []option {
	return slices.DeleteFunc(slices.Clone(options), func(o option) bool { return o.number == number })
}

// line is best play from a diagram.
type line struct {
	moves   tablebase.Pits
	before  []game.Diagram // before each move
	end     game.Diagram   // after the last move, settled if play is over
	endless bool           // whether the diagram at the end has been there before
}

// play returns best play from a diagram to the end, or to the first position that
// comes again.
func (j *judge) play(d game.Diagram) (line, error) {
	l := line{moves: tablebase.Pits{}, end: d}
	met := make(map[game.Diagram]bool)
	for !j.game.Over(l.end.Position()) {
		if l.endless = met[l.end]; l.endless {
			return l, nil
		}
		met[l.end] = true
		options, err := j.options(l.end)
		if err != nil {
			return l, err
		}
		best, err := j.best(options)
		if err != nil {
			return l, err
		}
		l.moves = append(l.moves, best[0].number)
		l.before = append(l.before, l.end)
		l.end = best[0].next
	}
	l.end = l.end.Settle(j.game)
	return l, nil
}

// after returns a move and best play after it, as moves.
func (j *judge) after(o option) (tablebase.Pits, error) {
	l, err := j.play(o.next)
	return append(tablebase.Pits{o.number}, l.moves...), err
}
