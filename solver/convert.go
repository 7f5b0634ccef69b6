package solver

import (
	"encoding/binary"

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

	best     columnBuffer // worths of best conversions, by rank of the mover's row
	bestHigh []uint8      // the same of one column, from the lows of lower layers
	// narrow is the cells, where codes are 8-bit and no lower layer leans. There codes
	// gives the first code of a position by the worth of its best conversion: where it
	// has quiet moves, and from 256 on where it has none.
	narrow []uint8
	codes  [2 * 256]uint8
}

func newConverter[C code](p Problem, g *grid[C], leaning bool, caps []uint8) *converter[C] {
	c := &converter[C]{conversions: newConversions(p), grid: g, leaning: leaning, caps: caps}
	if leaning {
		c.bestHigh = make([]uint8, p.Index.Rows(p.Beans))
		return c
	}
	if narrow, ok := any(g.cells).([]uint8); ok {
		c.narrow = narrow
		last := g.lattice.values() - 1
		c.codes[none] = uint8(g.codes[0][last])
		for place := range last + 1 {
			worth := zeroWorth + int(g.score(place))
			c.codes[worth], c.codes[256+worth] = uint8(g.codes[place][last]), uint8(g.codes[place][place])
		}
	}
	return c
}

// convert sets the cells of a tile and counts the open ones.
func (c *converter[C]) convert(t *tile) error {
	x, n, width := c.problem.Index, c.problem.Beans, c.problem.Game.Width()
	moves := movesOf(c.problem, t.mover)
	rows := int(x.Rows(t.mover))
	c.best.reset(rows)
	kind := Scores
	if c.leaning {
		kind = Highs
	}
	t.open = 0
	opponent := x.UnrankRow(n-t.mover, uint64(t.first))
	for column := range t.count {
		if column > 0 {
			opponent = x.NextRow(opponent)
		}
		best := c.best.column(column%eightColumns, rows)
		if err := c.find(kind, t.mover, opponent, best); err != nil {
			return err
		}
		quiet := quietSowings(moves.Used, opponent, width)
		if c.narrow == nil {
			if err := c.set(t, column, opponent, best, moves.Sowings, quiet); err != nil {
				return err
			}
			continue
		}
		t.open += c.encode(best, moves.Sowings, quiet)
		if last := column%eightColumns + 1; last == eightColumns || column+1 == t.count {
			c.store(t, column+1-last, last)
		}
	}
	return nil
}

// encode puts codes in the place of the worths of a column. It returns how many are
// open.
func (c *converter[C]) encode(best []uint8, sowings []uint64, quiet uint64) (open int) {
	closed := c.grid.lattice.values()
	for row, sown := range sowings[:len(best)] {
		at := int(best[row])
		if sown&quiet == 0 {
			at += 256
		}
		code := c.codes[at]
		best[row] = code
		open += int(uint(closed-int(code)) >> 63)
	}
	return open
}

// store sets the cells of some columns of a tile, from a multiple of 8 on. Behind the
// last column of a rectangle are cells without a position.
func (c *converter[C]) store(t *tile, first, columns int) {
	rows, stride := int(c.problem.Index.Rows(t.mover)), c.grid.stride[c.problem.Beans-t.mover]
	for i := columns; i < eightColumns; i++ {
		clear(c.best.column(i, rows))
	}
	cell := c.grid.start[t.mover] + t.first + first
	var words [8]uint64
	for row := 0; row < rows; row += len(words) {
		c.best.rows(row, &words)
		for _, word := range words[:min(len(words), rows-row)] {
			binary.LittleEndian.PutUint64(c.narrow[cell:], word)
			if c.grid.first != nil {
				binary.LittleEndian.PutUint64(c.grid.first[cell:], word)
			}
			cell += stride
		}
	}
}

// set sets the cells of a column one by one, of codes of any size, also where lower
// layers lean.
func (c *converter[C]) set(t *tile, column int, opponent game.Row, best []uint8, sowings []uint64, quiet uint64) error {
	bestHigh := best
	if c.leaning {
		bestHigh = c.bestHigh[:len(best)]
		if err := c.find(Lows, t.mover, opponent, bestHigh); err != nil {
			return err
		}
	}
	g := c.grid
	cell, stride := g.start[t.mover]+t.first+column, g.stride[c.problem.Beans-t.mover]
	for row := range best {
		lo, hi := 0, g.lattice.values()-1
		if best[row] != none {
			lo = g.place(int(best[row]) - zeroWorth)
		}
		if sowings[row]&quiet == 0 {
			hi = g.place(int(bestHigh[row]) - zeroWorth)
		}
		if c.leaning && bestHigh[row] != none {
			c.caps[cell+row*stride] = uint8(g.place(int(bestHigh[row]) - zeroWorth))
		}
		if lo < hi {
			t.open++
		}
		g.cells[cell+row*stride] = g.codes[lo][hi]
	}
	return nil
}

// movesOf returns the moves of the rows with mover beans. It adds the pass of
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
	for rest, lap := used, 0; rest != 0; rest, lap = rest>>(width+1), lap+1 {
		bits := rest & 1 // pit by pit; a sowing that ends in the mover's row comes first
		for pit := range width {
			if rest>>(pit+1)&1 == 1 && !game.Captures(opponent.Pit(pit)+lap+1) {
				bits |= 2 << pit
			}
		}
		quiet |= bits << (lap * (width + 1))
	}
	return quiet
}
