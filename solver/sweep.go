package solver

import (
	"math/bits"
	"slices"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// sweeper narrows the intervals of a tile by one look at the quiet moves of each
// open position. The bounds of a position follow from those of its successors:
//
//	lo = max over moves of captured − hi(successor)
//	hi = max over moves of captured − lo(successor)
//
// The best conversion is in lo since the first look, and lo never falls, so the
// maximum over quiet moves and the old lo is the new lo, and the maximum over
// quiet moves and the new lo is the new hi. docs/algorithm.md proves it.
//
// It holds the buffers of one worker.
type sweeper[C code] struct {
	problem Problem
	grid    *grid[C]
	// caps gives, by cell, the place on the lattice of the best upper bound of a
	// conversion, where that may be above lo: in layers that lean on rule 8. It is
	// nil elsewhere.
	caps []uint8
	// runs[sowing][column] is the cell where the run of successors starts, with the
	// opponent's row of that column, by moves of that sowing.
	runs runs
	// moves are the quiet moves of one mover's row.
	moves [game.MaxWidth]quietMove
	// gains gives, by code of the successor, what the move is worth: bit i of the
	// low half is set if the mover wins at least the score at place i+1 of the
	// lattice whatever happens, of the high half if he may. The maximum of two
	// gains is their union. It is used with 8-bit codes, where all places fit.
	gains [256]uint64
	// own gives, by code of a position, its lower bound as a gain, in both halves.
	own [256]uint64
	// codes gives the code of an interval, by 32·lo + hi.
	codes [32 * 32]uint8
	// columns are the open columns of one mover's row in the tile, and all are the
	// gains of all moves there, in the same order.
	columns [stripWidth]uint8
	all     [stripWidth]uint64
}

// runs gives the first cell of a run of successors, by ID of a sowing and column of a
// tile.
type runs [index.MaxSowings + 1][stripWidth]int

// quietMove is a move by what it leads to: place rank in one of the runs.
type quietMove struct {
	runs *[stripWidth]int // by column
	rank int
}

func newSweeper[C code](p Problem, g *grid[C], caps []uint8) *sweeper[C] {
	s := &sweeper[C]{problem: p, grid: g, caps: caps}
	if g.fitsByte() {
		for code := 1; code < len(g.lo); code++ {
			lo, hi := int(g.lo[code]), int(g.hi[code])
			s.gains[code] = gain(g.negate(g.hi[code]), g.negate(g.lo[code]))
			s.own[code] = gain(lo, lo)
			s.codes[32*lo+hi] = uint8(code)
		}
	}
	return s
}

// negate returns the place of the score with the other sign.
func (l lattice) negate(place uint8) int { return l.values() - 1 - int(place) }

// gain returns the gain of a move that is worth at least the score at place lo and
// at most that at place hi.
func gain(lo, hi int) uint64 {
	return 1<<lo - 1 | (1<<hi-1)<<32
}

// sweep looks once at each open position of a tile. It reports whether it
// narrowed any interval, and leaves in the tile the number of open positions and the
// rows that have them.
func (s *sweeper[C]) sweep(t *tile) bool {
	moves := movesOf(s.problem, t.mover)
	width := s.problem.Game.Width()
	stride := s.grid.stride[s.problem.Beans-t.mover]
	first := s.grid.start[t.mover] + t.first
	if t.rows == nil {
		t.rows = all(int(s.problem.Index.Rows(t.mover)))
	}
	changed := 0
	located := uint64(0)
	t.open = 0
	var looks [64]uint64 // open columns, by row
	for i, word := range t.rows {
		// All of them first: then their cells are fetched from memory side by side.
		for rest := word; rest != 0; rest &= rest - 1 {
			bit := bits.TrailingZeros64(rest)
			cell := first + (i*64+bit)*stride
			looks[bit] = s.grid.openColumns(s.grid.cells[cell : cell+stripWidth])
		}
		for rest := word; rest != 0; rest &= rest - 1 {
			bit := bits.TrailingZeros64(rest)
			row, look := i*64+bit, looks[bit]
			cell := first + row*stride
			own := s.grid.cells[cell : cell+stripWidth]
			if missing := look &^ located; missing != 0 {
				s.grid.locate(&s.runs, width, t, missing, moves.Used, s.grid.source)
				located |= missing
			}
			var open, narrowed int
			switch own := any(own).(type) {
			case []uint8:
				open, narrowed = s.narrow((*[stripWidth]uint8)(own), look, moves.Quiet[row*width:(row+1)*width], cell)
			case []uint16:
				open, narrowed = s.narrowWide(own, look, moves.Quiet[row*width:(row+1)*width], cell)
			}
			// No branches here: they would wait for the cells of successors.
			word &^= uint64(open-1) >> 63 << bit
			t.open += open
			changed |= narrowed
		}
		t.rows[i] = word
	}
	return changed != 0
}

// all returns count bits, all set.
func all(count int) []uint64 {
	words := slices.Repeat([]uint64{^uint64(0)}, (count+63)/64)
	words[len(words)-1] >>= -count & 63
	return words
}

// locate sets the runs of some columns of a tile, a bit each, by those sowings that are
// used. A run that lies in the tile's own rectangle is looked for in one that begins at
// cell own.
func (l *layout) locate(runs *runs, width int, t *tile, columns, used uint64, own int) {
	x, n := l.index, l.beans
	var opponent game.Row
	for next := -1; columns != 0; columns &= columns - 1 {
		column := bits.TrailingZeros64(columns)
		if column == next {
			opponent = x.NextRow(opponent)
		} else {
			opponent = x.UnrankRow(n-t.mover, uint64(t.first+column))
		}
		next = column + 1
		quiet := quietSowings(used, opponent, width)
		for rest := used; rest != 0; rest &= rest - 1 {
			id := bits.TrailingZeros64(rest)
			run := l.blank
			if quiet>>id&1 == 1 {
				sowing := index.SowingOf(id, width)
				spill := sowing.Spill(width)
				start := l.start[n-t.mover+spill]
				if n-t.mover+spill == t.mover {
					start = own
				}
				run = start + int(x.RankRow(sowing.Sow(opponent, width)))*l.stride[t.mover-spill]
			}
			runs[id][column] = run
		}
	}
}

// list puts the moves that entries stand for into dst, and returns them.
func (r *runs) list(dst *[game.MaxWidth]quietMove, quiet []index.Entry) []quietMove {
	count := 0
	for _, move := range quiet {
		// No branch here: which pits are empty is hard to predict.
		id := move.Sowing()
		dst[count] = quietMove{&r[id], move.Rank()}
		count += int(uint(id-index.NoSowing) >> 63)
	}
	return dst[:count]
}

// narrow looks at the open positions with one mover's row in a strip, a bit for each
// column, where the codes are 8-bit. It returns how many stay open, and a number
// that is not 0 if any changed.
func (s *sweeper[C]) narrow(own *[stripWidth]uint8, look uint64, quiet []index.Entry, cell int) (open, changed int) {
	count := 0
	for ; look != 0; look &= look - 1 {
		column := bits.TrailingZeros64(look)
		s.columns[count%stripWidth] = uint8(column)
		s.all[count%stripWidth] = s.own[own[column]]
		count++
	}
	columns, all := s.columns[:count], s.all[:count]
	if s.caps != nil {
		for i, column := range columns {
			all[i] |= (1<<s.caps[cell+int(column)] - 1) << 32
		}
	}
	cells, _ := any(s.grid.cells).([]uint8)
	moves := s.runs.list(&s.moves, quiet)
	for ; len(moves) >= 2; moves = moves[2:] {
		gatherTwo(all, columns, &s.gains, cells[moves[0].rank:], moves[0].runs, cells[moves[1].rank:], moves[1].runs)
	}
	if len(moves) > 0 {
		gather(all, columns, &s.gains, cells[moves[0].rank:], moves[0].runs)
	}
	difference := uint8(0)
	for i, column := range columns {
		lo, hi := bits.Len32(uint32(all[i])), bits.Len32(uint32(all[i]>>32))
		// No branches here: they would be hard to predict.
		code := s.codes[(lo<<5|hi)&1023]
		place := &own[column%stripWidth]
		difference |= code ^ *place
		*place = code
		open += int(uint(lo-hi) >> 63)
	}
	return open, int(difference)
}

// gather adds the gains of one move to those of all open positions of a row: by the
// codes of their successors, whose runs begin in cells. Not inlined, its loop has all it
// needs in registers.
//
//go:noinline
func gather(all []uint64, columns []uint8, gains *[256]uint64, cells []uint8, runs *[stripWidth]int) {
	all = all[:len(columns)]
	for i, column := range columns {
		all[i] |= gains[cells[runs[column%stripWidth]]]
	}
}

// gatherTwo does what gather does for two moves, in one pass.
//
//go:noinline
func gatherTwo(all []uint64, columns []uint8, gains *[256]uint64, cells []uint8, runs *[stripWidth]int, others []uint8, otherRuns *[stripWidth]int) {
	all = all[:len(columns)]
	for i, column := range columns {
		all[i] |= gains[cells[runs[column%stripWidth]]] | gains[others[otherRuns[column%stripWidth]]]
	}
}

// narrowWide does the same where the codes are 16-bit.
func (s *sweeper[C]) narrowWide(own []uint16, look uint64, quiet []index.Entry, cell int) (open, changed int) {
	cells, _ := any(s.grid.cells).([]uint16)
	codes, _ := any(s.grid.codes).([][]uint16)
	moves := s.runs.list(&s.moves, quiet)
	for ; look != 0; look &= look - 1 {
		column := bits.TrailingZeros64(look)
		old := own[column]
		lo := int(s.grid.lo[old])
		hi := lo
		if s.caps != nil {
			hi = max(hi, int(s.caps[cell+column]))
		}
		for _, move := range moves {
			if next := cells[move.runs[column]+move.rank]; next != nothing {
				lo = max(lo, s.grid.negate(s.grid.hi[next]))
				hi = max(hi, s.grid.negate(s.grid.lo[next]))
			}
		}
		hi = max(hi, lo)
		if code := codes[lo][hi]; code != old {
			own[column] = code
			changed = 1
		}
		if lo != hi {
			open++
		}
	}
	return open, changed
}
