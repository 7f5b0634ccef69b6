package solver

import (
	"encoding/binary"
	"iter"
	"sync"
	"unsafe"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/memory"
)

// stripWidth is the number of opponent's rows in a strip. Each strip of a
// mover's row starts a cache line, so workers never write to the same line.
const stripWidth = 64

// layout says where the cells of a layer lie while it is solved. They have the
// rectangles of package index, but the cells of each mover's row are padded to whole
// strips:
//
//	cell(position) = start[a] + rank(mover's row)·stride[n−a] + rank(opponent's row)
//
// Behind the last rectangle lie blank cells, which hold nothing: a look at a move
// that a position does not have reads one of them.
type layout struct {
	index  *index.Index
	beans  int
	start  []int // by the mover's beans
	stride []int // by the opponent's beans
	blank  int   // the first blank cell; there are as many as the longest run
	end    int   // the number of cells, blank ones included
}

// layOut returns the layout of a layer.
func layOut(x *index.Index, beans int) layout {
	l := layout{index: x, beans: beans, start: make([]int, beans+1), stride: make([]int, beans+1)}
	for b := range l.stride {
		l.stride[b] = (int(x.Rows(b)) + stripWidth - 1) / stripWidth * stripWidth
	}
	size := 0
	for a := range l.start {
		l.start[a] = size
		size += int(x.Rows(a)) * l.stride[beans-a]
	}
	l.blank = size
	l.end = size + int(x.Rows(beans))
	return l
}

// pieces returns where count positions lie, from index first on: the first cell of each
// piece of a mover's row, and how many cells it has.
func (l *layout) pieces(first uint64, count int) iter.Seq2[int, int] {
	return func(yield func(cell, count int) bool) {
		for a := 0; count > 0; {
			for l.index.Offset(l.beans, a+1) <= first {
				a++
			}
			columns, at := l.index.Rows(l.beans-a), first-l.index.Offset(l.beans, a)
			row, column := at/columns, at%columns
			piece := min(int(columns-column), count)
			if !yield(l.start[a]+int(row)*l.stride[l.beans-a]+int(column), piece) {
				return
			}
			first += uint64(piece)
			count -= piece
		}
	}
}

// grid is a layer in memory, one code a position, while it is solved. Behind its
// cells is room for a copy of one rectangle. While several workers narrow the cells of
// a rectangle, they read those of others, which nobody changes, and the copy in place
// of their own.
type grid[C code] struct {
	*coding[C]
	layout
	values [3][]game.Score // by kind, then by code
	shadow int             // the first cell of the copy
	source int             // where the rectangle in work is read: its first cell, or shadow
	cells  []C
	bytes  []byte // the same memory as cells
	// first is what the first look has given, by cell, if that is kept; else nil. Then low
	// has the code of the point at the lower end of an interval, by code.
	first []uint8
	low   [256]uint8
}

// newGrid returns a grid with no position in any cell. Its cells lie in the block,
// or on the heap if that is nil.
func newGrid[C code](x *index.Index, c *coding[C], block *memory.Block) (*grid[C], error) {
	g := &grid[C]{coding: c, layout: layOut(x, c.beans)}
	g.shadow = g.end
	for _, kind := range []Kind{Scores, Lows, Highs} {
		g.values[kind] = c.valuesOf(kind)
	}
	size := g.shadow + g.largestShadow()
	var err error
	if block == nil {
		g.cells = make([]C, size)
		g.bytes = bytesOf(g.cells)
		return g, nil
	}
	if g.bytes, err = block.Bytes(size * int(unsafe.Sizeof(C(0)))); err != nil {
		return nil, err
	}
	g.cells = unsafe.Slice((*C)(unsafe.Pointer(unsafe.SliceData(g.bytes))), size)
	return g, nil
}

// bytesOf returns the memory of cells.
func bytesOf[C code](cells []C) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(cells))), len(cells)*int(unsafe.Sizeof(C(0))))
}

// largestShadow returns the number of cells of the largest rectangle that reads itself.
func (l *layout) largestShadow() int {
	largest := 0
	for a := range l.start {
		if l.readsItself(a) {
			largest = max(largest, l.extent(a))
		}
	}
	return largest
}

// extent returns the number of cells of a rectangle.
func (l *layout) extent(mover int) int {
	return int(l.index.Rows(mover)) * l.stride[l.beans-mover]
}

// readsItself reports whether positions of a rectangle may have successors in it:
// by the sowings that spill 2·mover − beans beans.
func (l *layout) readsItself(mover int) bool { return 2*mover >= l.beans }

// prepare makes a rectangle with open positions ready for a sweep. It returns
// how many of the workers may sweep it at once. One that reads itself is copied for them,
// unless one worker is done sooner since few positions are open.
func (g *grid[C]) prepare(mover int, open uint64, workers int) int {
	const few = 1024 // cells that take as long to copy as to look at one of them
	g.source = g.start[mover]
	switch {
	case !g.readsItself(mover):
		return workers
	case open*few < uint64(g.extent(mover)):
		return 1
	}
	source, shadow := g.cells[g.source:][:g.extent(mover)], g.cells[g.shadow:]
	var team sync.WaitGroup
	for part := range workers {
		first, last := len(source)*part/workers, len(source)*(part+1)/workers
		team.Go(func() { copy(shadow[first:last], source[first:last]) })
	}
	team.Wait()
	g.source = g.shadow
	return workers
}

// tile is the unit of work: all positions of one rectangle whose opponent's row
// is in one strip.
type tile struct {
	mover int // beans in the mover's row
	first int // rank of the first opponent's row
	count int // number of opponent's rows, at most stripWidth
	open  int // positions not closed after the last pass
	fresh int // positions closed since the last marking; see depths
	// rows has a bit for each mover's row, by rank: whether it may have open positions.
	// It is nil before the first sweep: all may.
	rows []uint64
}

// tilesOf returns the tiles of the rectangle of a layer where the mover's row has so
// many beans, all open.
func tilesOf(x *index.Index, beans, mover int) []tile {
	rows := int(x.Rows(beans - mover))
	tiles := make([]tile, 0, (rows+stripWidth-1)/stripWidth)
	for first := 0; first < rows; first += stripWidth {
		count := min(stripWidth, rows-first)
		tiles = append(tiles, tile{mover: mover, first: first, count: count, open: count * int(x.Rows(mover))})
	}
	return tiles
}

// openColumns returns the columns of a strip whose cells are not closed, a bit each.
func (g *grid[C]) openColumns(own []C) uint64 {
	closed := C(g.lattice.values())
	open := uint64(0)
	if bytes, narrow := any(own).([]uint8); narrow {
		above := uint64(0x7f-uint8(closed)) * onesInBytes
		for column := 0; column < stripWidth; column += 8 {
			// Bit 7 of a byte is set if it is above closed. The product moves these bits together.
			word := binary.LittleEndian.Uint64(bytes[column : column+8])
			word = ((word&^topsOfBytes + above) | word) & topsOfBytes
			open |= (word >> 7 * 0x0102040810204080) >> 56 << column
		}
		return open
	}
	for column, code := range own[:stripWidth] {
		if code > closed {
			open |= 1 << column
		}
	}
	return open
}

// countOpen returns the number of open positions of a tile. It reports whether its
// cells hold codes that there are, and nothing where no position is.
func (g *grid[C]) countOpen(t *tile) (open int, valid bool) {
	closed, last := C(g.lattice.values()), C(len(g.lo)-1)
	highest, padding := C(nothing), C(nothing)
	stride := g.stride[g.beans-t.mover]
	cell := g.start[t.mover] + t.first
	for range g.index.Rows(t.mover) {
		for _, code := range g.cells[cell : cell+t.count] {
			if code > closed {
				open++
			}
			highest = max(highest, code)
		}
		for _, code := range g.cells[cell+t.count : cell+stripWidth] {
			padding |= code
		}
		cell += stride
	}
	return open, highest <= last && padding == nothing
}

// copy fills dst with the values of a kind, from index first on.
func (g *grid[C]) copy(kind Kind, first uint64, dst []game.Score) {
	for cell, count := range g.pieces(first, len(dst)) {
		g.decode(g.values[kind], g.cells[cell:cell+count], dst)
		dst = dst[count:]
	}
}
