package solver

import (
	"context"
	"errors"
	"fmt"
	"math"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/memory"
)

// ErrTooDeep is returned when a position of a layer has a DTC above MaxDTC.
var ErrTooDeep = errors.New("depths to conversion are too large for a table")

// MaxDTC is the largest DTC, Endless aside, that SolveDepths finds. It is several times
// what the layers have that can be solved.
const MaxDTC game.DTC = math.MaxUint8 - 2

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
	// Report, if not nil, is called from time to time, never by two goroutines at
	// once, with what has been done so far. The number of a sweep is the DTC of the
	// positions that it finds.
	Report func(Progress)
}

// DepthLayer is the DTCs of a layer, held in memory: two bytes a position. See
// [DepthFootprint].
type DepthLayer struct {
	layout
	size    uint64
	endless uint64
	longest game.DTC
	plies   []uint8 // by cell: the DTC plus 1, with 0 for Endless
}

// Beans returns the number of beans of the layer's positions.
func (l *DepthLayer) Beans() int { return l.beans }

// Size returns the number of positions.
func (l *DepthLayer) Size() uint64 { return l.size }

// Longest returns the largest DTC that is not Endless.
func (l *DepthLayer) Longest() game.DTC { return l.longest }

// Endless returns the number of positions whose DTC is Endless.
func (l *DepthLayer) Endless() uint64 { return l.endless }

// Copy fills dst with DTCs, from index first on, in the order of package index. It
// needs first+len(dst) ≤ Size and is safe for concurrent use.
func (l *DepthLayer) Copy(first uint64, dst []game.DTC) {
	for cell, count := range l.pieces(first, len(dst)) {
		for i, plies := range l.plies[cell : cell+count] {
			dst[i] = game.DTC(plies) - 1 // Endless is the largest number
		}
		dst = dst[count:]
	}
}

// Gather fills dst with DTCs of positions whose mover's row has mover beans and this
// rank, by the ranks of the opponent's rows. It is safe for concurrent use.
func (l *DepthLayer) Gather(mover, rank int, opponents []uint32, dst []game.DTC) {
	cell := l.start[mover] + rank*l.stride[l.beans-mover]
	for i, opponent := range opponents {
		dst[i] = game.DTC(l.plies[cell+int(opponent)]) - 1
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
// ErrTooDeep if some DTC is above MaxDTC.
func SolveDepths(ctx context.Context, p DepthProblem) (*DepthLayer, error) {
	size := p.Index.Size(p.Beans)
	if size > index.MaxSize || !p.Index.HasRowMoves(p.Beans) || p.Beans > maxDepthBeans {
		return nil, fmt.Errorf("%w: %d beans on a board of width %d", ErrTooLarge, p.Beans, p.Game.Width())
	}
	p.Workers = Workers(p.Workers)
	layer := &DepthLayer{layout: layOut(p.Index, p.Beans), size: size}
	if err := solveDepths(ctx, p, layer); err != nil {
		return nil, err
	}
	return layer, nil
}

// DepthFootprint returns the bytes that SolveDepths needs: those of the cells, which it
// takes from DepthProblem.Memory, and those of the heap, row tables counted twice. What
// Tables take comes on top.
func DepthFootprint(x *index.Index, beans, workers int) (cells, heap uint64) {
	cells = 2 * uint64(layOut(x, beans).end)
	const buffers = 3 // of the longest row, by worker: best conversions, and two runs of scores
	return cells, 2*x.TableBytes(beans) + uint64(workers)*x.Rows(beans)*buffers
}

// depthGrid is a layer while its DTCs are computed.
type depthGrid struct {
	layout
	// plies gives, by cell, the DTC plus 1 where it is known, else 0. Padding counts as
	// known.
	plies []uint8
	// marks gives, by cell, the score plus the beans of the layer, and known in addition
	// if the DTC was known before the sweep. It changes between sweeps only, so any
	// worker may read it during one. Blank cells have a mark that no position has.
	marks []uint8
}

const (
	known     = 0x80
	blankMark = 0xFF
)

// newDepthGrid returns a layer of which nothing is known. Its cells lie in the block, or
// on the heap if that is nil.
func newDepthGrid(l layout, block *memory.Block) (*depthGrid, error) {
	d := &depthGrid{layout: l}
	if block == nil {
		d.plies, d.marks = make([]uint8, l.end), make([]uint8, l.end)
	} else {
		bytes, err := block.Bytes(2 * l.end)
		if err != nil {
			return nil, err
		}
		d.plies, d.marks = bytes[:l.end], bytes[l.end:]
	}
	for cell := l.blank; cell < l.end; cell++ {
		d.marks[cell] = blankMark
	}
	return d, nil
}

// solveDepths finds all DTCs of a layer, and sets its cells and totals.
func solveDepths(ctx context.Context, p DepthProblem, layer *DepthLayer) error {
	d, err := newDepthGrid(layer.layout, p.Memory)
	if err != nil {
		return err
	}
	problem := Problem{Game: p.Game, Index: p.Index, Beans: p.Beans, Lower: p.Tables, Workers: p.Workers, Report: p.Report}
	tiles := newDispatcher(problem, 1)
	workers := make([]*depthWorker, p.Workers)
	for i := range workers {
		workers[i] = newDepthWorker(problem, d)
	}
	err = tiles.run(ctx, Cursor{Phase: Converting}, nil, func(worker int, t *tile) (bool, error) {
		return true, workers[worker].convert(t)
	}, nil)
	if err != nil {
		return err
	}
	// A sweep beyond MaxDTC tells whether there is anything so deep.
	for depth := game.DTC(1); depth <= MaxDTC+1; depth++ {
		plies := uint8(depth + 1)
		err := tiles.run(ctx, Cursor{Phase: Sweeping, Sweep: int(depth)}, nil, func(worker int, t *tile) (bool, error) {
			if t.open > 0 {
				workers[worker].sweep(t, plies)
			}
			return true, nil
		}, nil)
		if err != nil {
			return err
		}
		found, err := d.mark(ctx, tiles, plies)
		if err != nil {
			return err
		}
		if found {
			layer.longest = depth
		}
		if !found || tiles.open == 0 {
			break
		}
	}
	if layer.longest > MaxDTC {
		return fmt.Errorf("%w: layer %d has some above %d", ErrTooDeep, p.Beans, MaxDTC)
	}
	layer.plies, layer.endless = d.plies, tiles.open
	return nil
}

// mark marks the positions that the last sweep has found. It reports whether there are
// any.
func (d *depthGrid) mark(ctx context.Context, c *dispatcher, plies uint8) (found bool, err error) {
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
func (d *depthGrid) markTile(t *tile, plies uint8) {
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
