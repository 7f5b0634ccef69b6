package solver

import (
	"fmt"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// A worth says what a conversion gives: zeroWorth plus the score, or none where there is
// no conversion. So the better one is the larger.
const (
	none      = 0
	zeroWorth = 128
)

// conversions finds the best conversion of positions: the move that captures most,
// less what the opponent gets in the layer that it leads to. A position where play
// is over counts as a conversion that gives its final score. Nothing else of the
// package reads lower layers.
//
// With the opponent's row held fixed, conversions of all rows of the mover that do
// the same to it are looked at together: they lead to one run of a lower layer.
//
// It holds the buffers of one worker.
type conversions struct {
	problem Problem
	// runs and buffers have one place for each number of beans, even, that the tail
	// of a chain captures.
	runs, buffers [][]game.Score
	successors    []game.Successor
	one           [1]game.Score
}

func newConversions(p Problem) conversions {
	tails := index.Through.Captured()/2 + 1
	return conversions{problem: p, runs: make([][]game.Score, tails), buffers: make([][]game.Score, tails)}
}

// find fills best with the worth of the best conversion, by rank of the
// mover's row, for the given number of beans in it and the opponent's row.
// Lower layers are read from the table of the given kind.
func (c *conversions) find(kind Kind, mover int, opponent game.Row, best []uint8) error {
	clear(best) // to none
	if mover == 0 && (c.problem.Game.Rules() == game.Bohnenspiel || opponent == 0) {
		best[0] = uint8(zeroWorth - opponent.Beans())
		return nil
	}
	x, width := c.problem.Index, c.problem.Game.Width()
	moves := x.RowMoves(mover)
	for i := range moves.Groups {
		group := &moves.Groups[i]
		sown := group.Sowing.Sow(opponent, width)
		rest := mover - group.Sowing.Spill(width) - group.Captured // beans in the mover's row after the move
		switch {
		case group.Sowing.Pits > 0:
			after, captured, over := index.Chain(sown, group.Sowing.Pits-1)
			if captured == 0 {
				continue
			}
			if over {
				if err := c.withTails(kind, mover, rest, opponent, after, captured, group.Moves, best); err != nil {
					return err
				}
				continue
			}
			if err := c.gather(kind, rest, after, captured, group.Moves, best); err != nil {
				return err
			}
		case group.Over:
			after, captured, through := index.Chain(sown, width-1)
			if through {
				if err := c.byRules(kind, mover, opponent, group.Moves, best); err != nil {
					return err
				}
				continue
			}
			if err := c.gather(kind, rest, after, group.Captured+captured, group.Moves, best); err != nil {
				return err
			}
		default:
			if err := c.gather(kind, rest, sown, group.Captured, group.Moves, best); err != nil {
				return err
			}
		}
	}
	return nil
}

// run reads the scores of the positions with the given row of the player who
// moves next and rest beans in the row of the player who has moved, by rank of
// the latter's row.
func (c *conversions) run(kind Kind, next game.Row, rest, slot int) ([]game.Score, error) {
	x := c.problem.Index
	nextBeans := next.Beans()
	beans := nextBeans + rest
	if kind != Scores && !c.problem.Lower.Leans(beans) {
		kind = Scores
	}
	count := int(x.Rows(rest))
	if len(c.buffers[slot]) < count {
		c.buffers[slot] = make([]game.Score, count)
	}
	first := x.Offset(beans, nextBeans) + x.RankRow(next)*uint64(count)
	run, err := c.problem.Lower.Read(kind, beans, first, count, c.buffers[slot][:count])
	if err != nil {
		return nil, fmt.Errorf("read layer %d: %w", beans, err)
	}
	return run, nil
}

// gather looks at moves that all take the same number of beans and lead to
// positions with the same row of the player who moves next.
func (c *conversions) gather(kind Kind, rest int, next game.Row, captured int, moves []index.Pair, best []uint8) error {
	run, err := c.run(kind, next, rest, 0)
	if err != nil {
		return err
	}
	worth := uint8(zeroWorth + captured)
	for _, move := range moves {
		// No branches here: they would be hard to predict.
		best[move.From] = max(best[move.From], worth-uint8(run[move.To]))
	}
	return nil
}

// withTails looks at moves whose chain captures in the opponent's row and then
// enters the mover's at its last pit.
func (c *conversions) withTails(kind Kind, mover, rest int, opponent, next game.Row, captured int, moves []index.Pair, best []uint8) error {
	table := c.problem.Index.RowMoves(rest)
	for _, tail := range table.TailCaptures {
		run, err := c.run(kind, next, rest-tail, tail/2)
		if err != nil {
			return err
		}
		c.runs[tail/2] = run
	}
	for i, move := range moves {
		tail := table.Tails[move.To]
		if tail == index.Through {
			if err := c.byRules(kind, mover, opponent, moves[i:i+1], best); err != nil {
				return err
			}
			continue
		}
		worth := uint8(zeroWorth + captured + tail.Captured())
		best[move.From] = max(best[move.From], worth-uint8(c.runs[tail.Captured()/2][tail.Rank()]))
	}
	return nil
}

// byRules looks at all conversions of the positions that moves start from, one by
// one. It serves the rare chains that run through a whole row into the other.
func (c *conversions) byRules(kind Kind, mover int, opponent game.Row, moves []index.Pair, best []uint8) error {
	x := c.problem.Index
	for _, move := range moves {
		p := game.Position{Mover: x.UnrankRow(mover, uint64(move.From)), Opponent: opponent}
		c.successors = c.problem.Game.Successors(c.successors[:0], p)
		for _, s := range c.successors {
			if s.Captured == 0 {
				continue
			}
			beans, i := x.Rank(s.Next)
			from := kind
			if !c.problem.Lower.Leans(beans) {
				from = Scores
			}
			score, err := c.problem.Lower.Read(from, beans, i, 1, c.one[:])
			if err != nil {
				return fmt.Errorf("read layer %d: %w", beans, err)
			}
			best[move.From] = max(best[move.From], uint8(zeroWorth+s.Captured)-uint8(score[0]))
		}
	}
	return nil
}
