package solver

import (
	"context"
	"encoding/binary"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/memory"
)

// Settled tells, for the positions of one rectangle of a layer, where the best
// conversion gives the score. There a table may hold any score up to that one, if
// whoever reads it looks at the conversions as well: the score is the larger of what
// the table holds and what the best conversion gives.
type Settled struct {
	layer   *Layer
	mover   int      // beans in the mover's row
	words   []uint64 // unless first looks are kept, by row and strip; bit i is column i of the strip
	strips  int      // words a row
	rows    int
	columns int
}

// Row sets dst, which has one element a rank of the opponent's row, to the scores of the
// positions whose mover's row has the given rank. It is safe for concurrent use.
func (s *Settled) Row(row int, dst []PlacedScore) {
	s.layer.scores.placeRow(s, row, dst[:s.columns])
}

// PlacedScore is the score of a position by its place, see [Layer.Step], and whether the
// position is settled, in one byte:
//
//	bits 1 to 7    the place
//	bit 0          1 if the position is settled
//
// So the score at place 9 of a settled position is 19. At place 0 the bit may be set in
// any case: a table holds no lower score.
type PlacedScore uint8

// Place returns the place of the score.
func (s PlacedScore) Place() int { return int(s >> 1) }

// Settled reports whether the best conversion gives the score.
func (s PlacedScore) Settled() bool { return s&1 == 1 }

// reset makes room for a rectangle without any settled position.
func (s *Settled) reset(l *Layer, mover int) {
	rows, columns := int(l.problem.Index.Rows(mover)), int(l.problem.Index.Rows(l.problem.Beans-mover))
	s.layer, s.mover = l, mover
	s.rows, s.columns, s.strips = rows, columns, (columns+stripWidth-1)/stripWidth
}

// KeepsFirstLooks reports whether first looks are kept, so that Settle is done at once.
func (l *Layer) KeepsFirstLooks() bool { return l.scores.keepsFirst() }

// Settle finds the settled positions of the rectangle where the mover's row has
// mover beans, and sets s to them. Unless first looks are kept, it looks at all conversions
// anew, so it needs the lower layers that Solve had. s may have been used for another
// rectangle; its memory is used again.
//
// It is for layers that do not lean on rule 8, nor the layers below.
func (l *Layer) Settle(ctx context.Context, mover int, s *Settled) error {
	s.reset(l, mover)
	if l.KeepsFirstLooks() {
		return nil
	}
	if words := s.rows * s.strips; cap(s.words) < words {
		s.words = make([]uint64, words)
	} else {
		s.words = s.words[:words]
		clear(s.words)
	}
	return eachBest(ctx, l.problem, mover, func(t *tile, first int, best *columnBuffer) {
		l.scores.settle(t, first, best, s)
	})
}

// Resolve raises each of the scores of the rectangle of a layer where the mover's row
// has mover beans to what the best conversion gives, if it is lower. Scores has one
// score a position of the rectangle, in the order of package index. Together with
// Settle it lets a table hold any lower score where that settles the score: Resolve
// brings back the true ones. It reads lower layers as Solve does, and for a whole layer
// takes about a fifth of its time.
func Resolve(ctx context.Context, p Problem, mover int, scores []game.Score) error {
	rows, columns := int(p.Index.Rows(mover)), int(p.Index.Rows(p.Beans-mover))
	return eachBest(ctx, p, mover, func(t *tile, first int, best *columnBuffer) {
		var words [8]uint64
		at := t.first + first
		for row := 0; row < rows; row += len(words) {
			best.rows(row, &words)
			for _, word := range words[:min(len(words), rows-row)] {
				raise(scores[at:][:min(eightColumns, t.count-first)], word)
				at += columns
			}
		}
	})
}

// raise raises up to eight scores to those that conversions with these worths give.
func raise(scores []game.Score, worths uint64) {
	if len(scores) == eightColumns {
		bytes := asBytes(scores)
		// The top bit turns a score, as a byte, into a worth, and back.
		old := binary.LittleEndian.Uint64(bytes) ^ topsOfBytes
		binary.LittleEndian.PutUint64(bytes, maxBytes(old, worths)^topsOfBytes)
		return
	}
	for i := range scores {
		if worth := uint8(worths >> (8 * i)); worth != none {
			scores[i] = max(scores[i], game.Score(int(worth)-zeroWorth))
		}
	}
}

// settle marks the settled positions of up to eight columns of a tile, from a multiple
// of 8 on. Best has the worths of the best conversions.
func (g *grid[C]) settle(t *tile, first int, best *columnBuffer, s *Settled) {
	var worths [256]uint8 // by code, of those that are closed
	for code := range min(len(worths), len(g.lo)) {
		worths[code] = uint8(zeroWorth + int(g.values[Scores][code]))
	}
	count := min(eightColumns, t.count-first)
	stride := g.stride[g.beans-t.mover]
	cell := g.start[t.mover] + t.first + first
	at := t.first / stripWidth
	var words [8]uint64
	for row := 0; row < s.rows; row += len(words) {
		best.rows(row, &words)
		for _, word := range words[:min(len(words), s.rows-row)] {
			scores := uint64(0)
			for i, code := range g.cells[cell : cell+count] {
				scores |= uint64(worths[uint8(code)]) << (8 * i)
			}
			s.words[at] |= zeroBytes(scores^word) & (1<<count - 1) << first
			cell += stride
			at += s.strips
		}
	}
}

// keepFirst makes room for the codes of the first look, if they take a byte, no lower
// layer leans, and the system has memory.
func (g *grid[C]) keepFirst(block *memory.Block) {
	if g.lattice != latticeOf(g.beans, false) || !g.fitsByte() {
		return
	}
	bytes, err := block.Bytes(g.blank)
	if err != nil {
		return
	}
	g.first = bytes
	for code, lo := range g.lo {
		g.low[code] = lo + 1
	}
}

// keepsFirst reports whether the codes of the first look are kept.
func (g *grid[C]) keepsFirst() bool { return g.first != nil }

// placeRow sets dst to the scores of a row of the rectangle of s. All its cells are closed.
func (g *grid[C]) placeRow(s *Settled, row int, dst []PlacedScore) {
	cell := g.start[s.mover] + row*g.stride[g.beans-s.mover]
	cells := g.cells[cell:][:len(dst)]
	// The codes of points are their places, counted from 1.
	if g.first != nil {
		first, low := g.first[cell:][:len(cells)], &g.low
		dst = dst[:len(cells)]
		for i, code := range cells {
			score := uint8(code)
			raised := low[first[i]] ^ score // 0 if moves that take nothing have not raised the lower end
			dst[i] = PlacedScore((score-1)<<1 | (raised-1)>>7)
		}
		return
	}
	words := s.words[row*s.strips:][:s.strips]
	at := 0
	if narrow, ok := any(cells).([]uint8); ok {
		for ; at+8 <= len(dst); at += 8 {
			places := binary.LittleEndian.Uint64(narrow[at:]) - onesInBytes
			settled := words[at/stripWidth] >> (at % stripWidth)
			binary.LittleEndian.PutUint64(asBytes(dst[at:]), places<<1|onesAt(settled))
		}
	}
	for ; at < len(dst); at++ {
		dst[at] = PlacedScore(uint8(cells[at]-1)<<1 | uint8(words[at/stripWidth]>>(at%stripWidth)&1))
	}
}

// eachBest finds the worths of the best conversions of a rectangle, eight columns of a
// tile at a time, from a multiple of 8 on, on all workers, and hands them to work.
// Columns that the tile does not have are none.
func eachBest(ctx context.Context, p Problem, mover int, work func(t *tile, first int, best *columnBuffer)) error {
	type worker struct {
		conversions
		best columnBuffer
	}
	p.Report = nil
	p.Workers = Workers(p.Workers)
	rows := int(p.Index.Rows(mover))
	workers := make([]worker, p.Workers)
	for i := range workers {
		workers[i].conversions = newConversions(p)
	}
	return newDispatcher(p, 1).rectangle(ctx, mover, p.Workers, func(i int, t *tile) (bool, error) {
		w := &workers[i]
		w.best.reset(rows)
		opponent := p.Index.UnrankRow(p.Beans-mover, uint64(t.first))
		for column := range t.count {
			if column > 0 {
				opponent = p.Index.NextRow(opponent)
			}
			if err := w.find(Scores, mover, opponent, w.best.column(column%eightColumns, rows)); err != nil {
				return false, err
			}
			if last := column%eightColumns + 1; last == eightColumns || column+1 == t.count {
				for i := last; i < eightColumns; i++ {
					clear(w.best.column(i, rows)) // to none
				}
				work(t, column+1-last, &w.best)
			}
		}
		return false, nil
	})
}
