package solver

import (
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// converter gives each position of a tile its first interval: what the best move
// that captures or ends the game gives is a lower bound, and the upper bound as
// well if there are no quiet moves. In the sweeps the lower bound remembers the best
// conversion, so lower layers are not read there.
//
// It holds the buffers of one worker.
type converter[C code] struct {
	conversions
	grid *grid[C]
	// leaning tells that lower bounds are to come from the highs of lower layers
	// and upper bounds from their lows, instead of both from their scores.
	leaning bool
	caps    []uint8 // see sweeper

	best, bestHigh []int8 // best conversion by rank of the mover's row
}

func newConverter[C code](p Problem, g *grid[C], leaning bool, caps []uint8) *converter[C] {
	rows := p.Index.Rows(p.Beans)
	c := &converter[C]{conversions: newConversions(p), grid: g, leaning: leaning, caps: caps, best: make([]int8, rows)}
	if leaning {
		c.bestHigh = make([]int8, rows)
	}
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
		if err := c.find(kind, t.mover, opponent, best); err != nil {
			return err
		}
		if c.leaning {
			if err := c.find(Lows, t.mover, opponent, bestHigh); err != nil {
				return err
			}
		}
		quiet := quietSowings(moves.Used, opponent, width)
		cell := c.grid.start[t.mover] + t.first + column
		stride := c.grid.stride[n-t.mover]
		for row := range best {
			lo, hi := 0, c.grid.lattice.values()-1
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
