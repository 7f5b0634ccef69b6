package solver

import (
	"fmt"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// none is a best conversion where there is no conversion.
const none = -128

// converter gives each position of a tile its first interval: what the best move
// that captures or ends the game gives is a lower bound, and the upper bound as
// well if there are no quiet moves. Lower layers are read here and nowhere else:
// in the sweeps the lower bound remembers the best conversion.
//
// It holds the buffers of one worker.
type converter[C code] struct {
	problem Problem
	grid    *grid[C]
	// leaning tells that lower bounds are to come from the highs of lower layers
	// and upper bounds from their lows, instead of both from their scores.
	leaning bool
	caps    []uint8 // see sweeper

	best, bestHigh []int8 // best conversion by rank of the mover's row
	runs           [][]game.Score
	buffers        [][]game.Score
	successors     []game.Successor
	one            [1]game.Score
}

func newConverter[C code](p Problem, g *grid[C], leaning bool, caps []uint8) *converter[C] {
	rows := p.Index.Rows(p.Beans)
	c := &converter[C]{problem: p, grid: g, leaning: leaning, caps: caps, best: make([]int8, rows), bestHigh: make([]int8, rows)}
	// One run for each number of beans, even, that the tail of a chain captures.
	c.runs = make([][]game.Score, index.Through.Captured()/2+1)
	c.buffers = make([][]game.Score, len(c.runs))
	return c
}

// convert sets the cells of a tile and counts the open ones.
func (c *converter[C]) convert(t *tile) error {
	x, n, width := c.problem.Index, c.problem.Beans, c.problem.Game.Width()
	moves := movesOf(c.problem, t.mover)
	rows := int(x.Rows(t.mover))
	best, bestHigh := c.best[:rows], c.best[:rows]
	kind := Scores
	if c.leaning {
		kind, bestHigh = Highs, c.bestHigh[:rows]
	}
	t.open = 0
	opponent := x.UnrankRow(n-t.mover, uint64(t.first))
	for column := range t.count {
		if column > 0 {
			opponent = x.NextRow(opponent)
		}
		if err := c.conversions(kind, t.mover, opponent, best); err != nil {
			return err
		}
		if c.leaning {
			if err := c.conversions(Lows, t.mover, opponent, bestHigh); err != nil {
				return err
			}
		}
		quiet := quietSowings(moves.Used, opponent, width)
		cell := c.grid.start[t.mover] + t.first + column
		stride := c.grid.stride[n-t.mover]
		for row := range best {
			lo, hi := 0, c.grid.coding.values()-1
			if best[row] != none {
				lo = c.grid.place(int(best[row]))
			}
			if moves.Sowings[row]&quiet == 0 {
				hi = c.grid.place(int(bestHigh[row]))
			}
			if c.leaning && bestHigh[row] != none {
				c.caps[cell+row*stride] = uint8(c.grid.place(int(bestHigh[row])))
			}
			if lo < hi {
				t.open++
			}
			c.grid.cells[cell+row*stride] = c.grid.codes[lo][hi]
		}
	}
	return nil
}

// movesOf returns the moves of the rows with so many beans. It adds the pass of
// Mangala (rule 6) to those that package index knows: a move that sows nothing.
func movesOf(p Problem, mover int) *index.RowMoves {
	if mover > 0 || p.Game.Rules() != game.Mangala || p.Beans == 0 {
		return p.Index.RowMoves(mover)
	}
	quiet := make([]index.Entry, p.Game.Width())
	for pit := range quiet {
		quiet[pit] = index.NewEntry(index.NoSowing, 0)
	}
	pass := index.Sowing{}.ID(p.Game.Width())
	quiet[0] = index.NewEntry(pass, 0)
	return &index.RowMoves{Quiet: quiet, Sowings: []uint64{1 << pass}, Used: 1 << pass}
}

// quietSowings returns the set of those sowings, by ID, that capture nothing in
// the opponent's row.
func quietSowings(used uint64, opponent game.Row, width int) uint64 {
	quiet := uint64(0)
	for id := range index.MaxSowings {
		if used>>id&1 == 0 {
			continue
		}
		s := index.SowingOf(id, width)
		if s.Pits == 0 || !game.Captures(opponent.Pit(s.Pits-1)+s.Lap+1) {
			quiet |= 1 << id
		}
	}
	return quiet
}

// conversions fills best with the best that a conversion gives, by rank of the
// mover's row, for the given number of beans in it and the opponent's row.
// Lower layers are read from the table of the given kind.
func (c *converter[C]) conversions(kind Kind, mover int, opponent game.Row, best []int8) error {
	for i := range best {
		best[i] = none
	}
	if mover == 0 && (c.problem.Game.Rules() == game.Bohnenspiel || opponent == 0) {
		best[0] = int8(-opponent.Beans())
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
func (c *converter[C]) run(kind Kind, next game.Row, rest, slot int) ([]game.Score, error) {
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
func (c *converter[C]) gather(kind Kind, rest int, next game.Row, captured int, moves []index.Pair, best []int8) error {
	run, err := c.run(kind, next, rest, 0)
	if err != nil {
		return err
	}
	for _, move := range moves {
		if score := int8(captured) - int8(run[move.To]); score > best[move.From] {
			best[move.From] = score
		}
	}
	return nil
}

// withTails looks at moves whose chain captures in the opponent's row and then
// enters the mover's at its last pit.
func (c *converter[C]) withTails(kind Kind, mover, rest int, opponent, next game.Row, captured int, moves []index.Pair, best []int8) error {
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
		if score := int8(captured+tail.Captured()) - int8(c.runs[tail.Captured()/2][tail.Rank()]); score > best[move.From] {
			best[move.From] = score
		}
	}
	return nil
}

// byRules looks at all conversions of the positions that moves start from, one by
// one. It serves the rare chains that run through a whole row into the other.
func (c *converter[C]) byRules(kind Kind, mover int, opponent game.Row, moves []index.Pair, best []int8) error {
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
			best[move.From] = max(best[move.From], int8(s.Captured)-int8(score[0]))
		}
	}
	return nil
}
