package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/memory"
)

// ErrWide is returned when the depths of a layer don't fit the 8 bits that were asked
// for.
var ErrWide = errors.New("depths need 16 bits")

// MaxNarrow is the largest DTC, Endless aside, that SolveDepths keeps in 8 bits.
const MaxNarrow game.DTC = math.MaxUint8 - 1

// DepthProblem is a solved layer whose DTCs are wanted.
type DepthProblem struct {
	Game  game.Game
	Index *index.Index // for the width of Game, up to Beans at least
	Beans int          // the layer
	// Tables gives the scores of the layer itself and of Beans−2, Beans−4, …; it is
	// not asked for others.
	Tables Source
	// Workers is the number of goroutines that compute; 0 means one a processor.
	// The result does not depend on it.
	Workers int
	// Memory, if not nil, is where the layer lies; a solved one is then valid until the
	// memory is used again. Otherwise it lies on the heap.
	Memory *memory.Block
	// Wide keeps 16 bits a position for the depths instead of 8.
	Wide bool
	// Report, if not nil, is called from time to time, never by two goroutines at
	// once, with what has been done so far. The number of a sweep is the DTC of the
	// positions that it finds.
	Report func(Progress)
}

// DepthLayer is the DTCs of a layer, held in memory: two bytes a position, or three
// where they are wide. See [DepthFootprint].
type DepthLayer struct {
	layout
	size    uint64
	endless uint64
	longest game.DTC
	// Each cell is the DTC plus 1, with 0 for Endless; one of them is nil.
	narrow []uint8
	wide   []uint16
}

// Beans returns the number of beans of the layer's positions.
func (l *DepthLayer) Beans() int { return l.beans }

// Size returns the number of positions.
func (l *DepthLayer) Size() uint64 { return l.size }

// Longest returns the largest DTC but for Endless.
func (l *DepthLayer) Longest() game.DTC { return l.longest }

// Endless returns the number of positions whose DTC is Endless.
func (l *DepthLayer) Endless() uint64 { return l.endless }

// Copy fills dst with DTCs, from index first on, in the order of package index. It
// needs first+len(dst) ≤ Size and is safe for concurrent use.
func (l *DepthLayer) Copy(first uint64, dst []game.DTC) {
	a := 0
	for len(dst) > 0 {
		for l.index.Offset(l.beans, a+1) <= first {
			a++
		}
		columns := l.index.Rows(l.beans - a)
		row, column := (first-l.index.Offset(l.beans, a))/columns, (first-l.index.Offset(l.beans, a))%columns
		count := min(int(columns-column), len(dst))
		cell := l.start[a] + int(row)*l.stride[l.beans-a] + int(column)
		if l.wide != nil {
			for i, plies := range l.wide[cell : cell+count] {
				dst[i] = game.DTC(plies) - 1 // Endless is the largest number
			}
		} else {
			for i, plies := range l.narrow[cell : cell+count] {
				dst[i] = game.DTC(plies) - 1
			}
		}
		dst = dst[count:]
		first += uint64(count)
	}
}

// Gather fills dst with DTCs of positions whose mover's row has so many beans and the
// given rank, by the ranks of the opponent's rows. It is safe for concurrent use.
func (l *DepthLayer) Gather(mover, rank int, opponents []uint32, dst []game.DTC) {
	cell := l.start[mover] + rank*l.stride[l.beans-mover]
	if l.wide != nil {
		for i, opponent := range opponents {
			dst[i] = game.DTC(l.wide[cell+int(opponent)]) - 1
		}
		return
	}
	for i, opponent := range opponents {
		dst[i] = game.DTC(l.narrow[cell+int(opponent)]) - 1
	}
}

// maxDepthBeans is the largest layer whose scores, from −beans to beans, leave a bit
// and a value of a byte free.
const maxDepthBeans = 63

// SolveDepths computes the DTC of each position of a solved layer.
//
// It finds the positions of DTC 1, then those of 2, and so on: each sweep looks at the
// positions that are still open, and closes those for which the positions found
// before are enough. So a sweep takes what it reads as it was before the sweep, and
// the result does not depend on the order of work. Positions that are open when a
// sweep closes none are Endless.
//
// Time grows with the number of positions times their mean DTC. It returns the error
// of the context when that ends first, any error of Tables, one that wraps ErrTooLarge
// for a layer beyond index.MaxSize, index.HasRowMoves or 63 beans, and one that wraps
// ErrWide if Wide is not set and some DTC is above MaxNarrow.
func SolveDepths(ctx context.Context, p DepthProblem) (*DepthLayer, error) {
	size := p.Index.Size(p.Beans)
	if size > index.MaxSize || !p.Index.HasRowMoves(p.Beans) || p.Beans > maxDepthBeans {
		return nil, fmt.Errorf("%w: %d beans on a board of width %d", ErrTooLarge, p.Beans, p.Game.Width())
	}
	if p.Workers <= 0 {
		p.Workers = runtime.GOMAXPROCS(0)
	}
	layer := &DepthLayer{layout: layOut(p.Index, p.Beans), size: size}
	var err error
	if p.Wide {
		layer.wide, err = solveDepths[uint16](ctx, p, layer)
	} else {
		layer.narrow, err = solveDepths[uint8](ctx, p, layer)
	}
	if err != nil {
		return nil, err
	}
	return layer, nil
}

// DepthFootprint returns the bytes that SolveDepths needs: those of the cells, which it
// takes from DepthProblem.Memory, and those of the heap, row tables counted twice. What
// Tables take comes on top.
func DepthFootprint(x *index.Index, beans, workers int, wide bool) (cells, heap uint64) {
	cells = 2
	if wide {
		cells = 3
	}
	cells *= uint64(layOut(x, beans).end)
	const buffers = 3 // of the longest row, by worker: best conversions, and two runs of scores
	return cells, 2*x.TableBytes(beans) + uint64(workers)*x.Rows(beans)*buffers
}

// depths is a layer while its DTCs are computed.
type depths[C code] struct {
	layout
	// plies gives, by cell, the DTC plus 1 where it is known, else 0. Padding counts as
	// known.
	plies []C
	// marks gives, by cell, the score plus the beans of the layer, and known in addition
	// if the DTC was known before the sweep. It changes between sweeps only, so any
	// worker may read it during one. Blank cells have a mark that no position has.
	marks []uint8
}

const (
	known     = 0x80
	blankMark = 0xFF
)

// newDepths returns a layer of which nothing is known. Its cells lie in the block, or
// on the heap if that is nil.
func newDepths[C code](l layout, block *memory.Block) (*depths[C], error) {
	d := &depths[C]{layout: l}
	if block == nil {
		d.plies, d.marks = make([]C, l.end), make([]uint8, l.end)
	} else {
		wide := l.end * int(unsafe.Sizeof(C(0)))
		bytes, err := block.Bytes(wide + l.end)
		if err != nil {
			return nil, err
		}
		d.plies = unsafe.Slice((*C)(unsafe.Pointer(unsafe.SliceData(bytes))), l.end)
		d.marks = bytes[wide:]
	}
	for cell := l.blank; cell < l.end; cell++ {
		d.marks[cell] = blankMark
	}
	return d, nil
}

// solveDepths finds all DTCs of a layer. It returns the cells and sets the totals.
func solveDepths[C code](ctx context.Context, p DepthProblem, layer *DepthLayer) ([]C, error) {
	d, err := newDepths[C](layer.layout, p.Memory)
	if err != nil {
		return nil, err
	}
	problem := Problem{Game: p.Game, Index: p.Index, Beans: p.Beans, Lower: p.Tables, Workers: p.Workers, Report: p.Report}
	crew := newCrew(problem, 1)
	workers := make([]*depthWorker[C], p.Workers)
	for i := range workers {
		workers[i] = newDepthWorker(problem, d)
	}
	err = crew.run(ctx, Mark{Phase: Converting}, nil, func(worker int, t *tile) (bool, error) {
		return true, workers[worker].convert(t)
	}, nil)
	if err != nil {
		return nil, err
	}
	for depth := 1; ; depth++ {
		// What is too much has the largest number until it is known that there is any.
		plies := C(min(depth+1, int(^C(0))))
		err := crew.run(ctx, Mark{Phase: Sweeping, Sweep: depth}, nil, func(worker int, t *tile) (bool, error) {
			if t.open > 0 {
				workers[worker].sweep(t, plies)
			}
			return true, nil
		}, nil)
		if err != nil {
			return nil, err
		}
		found, err := d.mark(ctx, crew, plies)
		if err != nil {
			return nil, err
		}
		if found && int(plies) != depth+1 {
			return nil, fmt.Errorf("%w: layer %d has DTCs above %d", ErrWide, p.Beans, depth-1)
		}
		if found {
			layer.longest = game.DTC(depth)
		}
		if !found || crew.open == 0 {
			break
		}
	}
	layer.endless = crew.open
	return d.plies, nil
}

// mark marks the positions that the last sweep has found. It reports whether there are
// any.
func (d *depths[C]) mark(ctx context.Context, c *crew, plies C) (found bool, err error) {
	report := c.report
	c.report, c.changed = nil, false
	defer func() { c.report = report }()
	for mover, tiles := range c.rectangles {
		fresh := 0
		for i := range tiles {
			fresh += tiles[i].fresh
		}
		if fresh == 0 {
			continue
		}
		err := c.rectangle(ctx, mover, c.workers, func(_ int, t *tile) (bool, error) {
			if t.fresh == 0 {
				return false, nil
			}
			t.fresh = 0
			d.markTile(t, plies)
			return true, nil
		})
		if err != nil {
			return false, err
		}
	}
	return c.changed, nil
}

// markTile marks the positions of a tile that have a DTC of plies−1.
func (d *depths[C]) markTile(t *tile, plies C) {
	stride := d.stride[d.beans-t.mover]
	cell := d.start[t.mover] + t.first
	for range d.index.Rows(t.mover) {
		marks := d.marks[cell : cell+stripWidth]
		for column, own := range d.plies[cell : cell+stripWidth] {
			mark := uint8(0)
			if own == plies {
				mark = known
			}
			marks[column] |= mark
		}
		cell += stride
	}
}
