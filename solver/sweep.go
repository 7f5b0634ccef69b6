package solver

import (
	"encoding/binary"
	"math/bits"

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
// narrowed any interval, and leaves in the tile the number of open positions.
func (s *sweeper[C]) sweep(t *tile) bool {
	moves := movesOf(s.problem, t.mover)
	s.grid.locate(&s.runs, s.problem.Game.Width(), t, moves.Used, s.grid.twin)
	width, rows := s.problem.Game.Width(), int(s.problem.Index.Rows(t.mover))
	stride := s.grid.stride[s.problem.Beans-t.mover]
	cell := s.grid.start[t.mover] + t.first
	changed := false
	t.open = 0
	for row := range rows {
		own := s.grid.cells[cell : cell+stripWidth]
		quiet := moves.Quiet[row*width : (row+1)*width]
		var open int
		var narrowed bool
		switch own := any(own).(type) {
		case []uint8:
			open, narrowed = s.narrow(own, quiet, cell)
		case []uint16:
			open, narrowed = s.narrowWide(own, quiet, cell)
		}
		t.open += open
		changed = changed || narrowed
		cell += stride
	}
	return changed
}

// locate sets the runs of a tile, by those sowings that are used. A run that lies in
// the tile's own rectangle is looked for in one that begins at cell own.
func (l *layout) locate(all *runs, width int, t *tile, used uint64, own int) {
	x, n := l.index, l.beans
	opponent := x.UnrankRow(n-t.mover, uint64(t.first))
	for column := range t.count {
		if column > 0 {
			opponent = x.NextRow(opponent)
		}
		quiet := quietSowings(used, opponent, width)
		for id := range index.MaxSowings {
			if used>>id&1 == 0 {
				continue
			}
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
			all[id][column] = run
		}
	}
}

// list returns the moves that entries stand for. It is valid until the next call.
func (s *sweeper[C]) list(quiet []index.Entry) []quietMove {
	return s.runs.list(s.moves[:0], quiet)
}

// list appends the moves that entries stand for to dst.
func (r *runs) list(dst []quietMove, quiet []index.Entry) []quietMove {
	for _, move := range quiet {
		if id := move.Sowing(); id != index.NoSowing {
			dst = append(dst, quietMove{&r[id], move.Rank()})
		}
	}
	return dst
}

// narrow looks at the open positions with one mover's row in a strip, where the
// codes are 8-bit. It returns how many stay open, and whether any changed.
func (s *sweeper[C]) narrow(own []uint8, quiet []index.Entry, cell int) (open int, changed bool) {
	const ones = 0x0101010101010101
	closed := uint8(s.grid.lattice.values())
	above := uint64(0x7f-closed) * ones
	cells, _ := any(s.grid.cells).([]uint8)
	var moves []quietMove
	difference := uint8(0)
	for eight := 0; eight < stripWidth; eight += 8 {
		// Skip eight closed cells at once: bit 7 of a byte is set if it is above closed.
		word := binary.LittleEndian.Uint64(own[eight:])
		if ((word&(0x7f*ones)+above)|word)&(0x80*ones) == 0 {
			continue
		}
		if moves == nil {
			moves = s.list(quiet)
		}
		for column := eight; column < eight+8; column++ {
			old := own[column]
			if old <= closed {
				continue
			}
			all := s.own[old]
			if s.caps != nil {
				all |= (1<<s.caps[cell+column] - 1) << 32
			}
			for i := range moves {
				all |= s.gains[cells[moves[i].runs[column%stripWidth]+moves[i].rank]]
			}
			lo, hi := bits.Len32(uint32(all)), bits.Len32(uint32(all>>32))
			// No branches here: they would be hard to predict.
			code := s.codes[(lo<<5|hi)&1023]
			own[column] = code
			difference |= code ^ old
			open += int(uint(lo-hi) >> 63)
		}
	}
	return open, difference != 0
}

// narrowWide does the same where the codes are 16-bit.
func (s *sweeper[C]) narrowWide(own []uint16, quiet []index.Entry, cell int) (open int, changed bool) {
	closed := uint16(s.grid.lattice.values())
	cells, _ := any(s.grid.cells).([]uint16)
	codes, _ := any(s.grid.codes).([][]uint16)
	moves := s.list(quiet)
	for column, old := range own {
		if old <= closed {
			continue
		}
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
			changed = true
		}
		if lo != hi {
			open++
		}
	}
	return open, changed
}
