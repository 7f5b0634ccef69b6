package solver

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"bohnenspiel/solver/index"
)

// ErrTooLarge is returned when a layer has more positions than can be solved.
var ErrTooLarge = errors.New("layer too large")

// Solve computes the scores of a layer. Time and memory grow with the number of
// positions: each is looked at about three times, and takes a byte or two. It
// returns the error of the context when that ends before the layer is solved, any
// error of Lower, and an error that wraps ErrTooLarge for a layer beyond
// index.MaxSize or index.HasRowMoves.
func Solve(ctx context.Context, p Problem) (*Layer, error) {
	size := p.Index.Size(p.Beans)
	if size > index.MaxSize || !p.Index.HasRowMoves(p.Beans) {
		return nil, fmt.Errorf("%w: %d beans on a board of width %d", ErrTooLarge, p.Beans, p.Game.Width())
	}
	p.Workers = Workers(p.Workers)
	leaning := false
	for beans := p.Beans - 2; beans >= 0; beans -= 2 {
		leaning = leaning || p.Lower.Leans(beans)
	}
	layer := &Layer{problem: p, size: size}
	scores, err := solve(ctx, p, latticeOf(p.Beans, leaning), false)
	if err != nil {
		return nil, err
	}
	bounds := scores
	if leaning {
		// Whether a score leans is a question to intervals all the way down.
		if bounds, err = solve(ctx, p, latticeOf(p.Beans, false), true); err != nil {
			return nil, err
		}
	}
	layer.scores, layer.bounds = scores, bounds
	layer.leaning = bounds.open
	layer.sweeps = max(scores.sweeps, bounds.sweeps)
	return layer, nil
}

// solution is what solve finds.
type solution struct {
	copier
	open   uint64 // positions whose interval is no point
	sweeps int
}

// solve finds the intervals of a layer, with 8-bit codes if they fit.
func solve(ctx context.Context, p Problem, l lattice, leaning bool) (solution, error) {
	if leaning {
		// The scores of the layer are in that memory.
		p.Memory, p.Checkpoint = nil, nil
	}
	if l.fitsByte() {
		return solveGrid(ctx, p, newCoding[uint8](l), leaning)
	}
	return solveGrid(ctx, p, newCoding[uint16](l), leaning)
}

func solveGrid[C code](ctx context.Context, p Problem, c *coding[C], leaning bool) (solution, error) {
	g, err := newGrid(p.Index, c, p.Memory)
	if err != nil {
		return solution{}, err
	}
	w := &gridWork[C]{problem: p, grid: g, leaning: leaning, pass: 1}
	if leaning {
		w.pass, w.caps = 2, make([]uint8, len(g.cells))
	}
	w.tiles = newDispatcher(p, w.pass)
	w.keeper = &keeper{checkpoint: p.Checkpoint, every: p.CheckpointEvery, cells: g.bytes[:g.blank*int(unsafe.Sizeof(C(0)))]}
	for _, step := range []func(context.Context) error{w.restore, w.convert, w.sweep} {
		if err := step(ctx); err != nil {
			return solution{}, err
		}
	}
	w.cursor.Rectangle, w.cursor.Changed = p.Beans+1, w.tiles.changed
	if err := w.keeper.finish(w.cursor); err != nil {
		return solution{}, err
	}
	return solution{copier: g, open: w.tiles.open, sweeps: w.cursor.Sweep}, nil
}

// gridWork is the work on a grid: what its steps share.
type gridWork[C code] struct {
	problem Problem
	grid    *grid[C]
	leaning bool    // see converter
	pass    int     // see Progress
	caps    []uint8 // see sweeper
	tiles   *dispatcher
	keeper  *keeper
	cursor  Cursor // what comes next
}

// restore goes on from the checkpoint, if that has a state of the layer; else it makes
// room for first looks, which can be kept from the beginning only.
func (w *gridWork[C]) restore(ctx context.Context) error {
	cursor, restored, err := w.keeper.load()
	if err != nil {
		return err
	}
	if !restored {
		if w.problem.FirstLooks != nil && !w.leaning {
			w.grid.keepFirst(w.problem.FirstLooks)
		}
		return nil
	}
	valid, err := recount(ctx, w.tiles, w.grid, cursor)
	switch {
	case err != nil:
		return err
	case valid:
		w.cursor = cursor
	default: // no work leaves such cells behind
		clear(w.grid.cells)
		w.tiles = newDispatcher(w.problem, w.pass)
	}
	return nil
}

// convert takes the first look at all positions, unless that has been done.
func (w *gridWork[C]) convert(ctx context.Context) error {
	if w.cursor.Phase != Converting {
		return nil
	}
	converters := make([]*converter[C], w.problem.Workers)
	for worker := range converters {
		converters[worker] = newConverter(w.problem, w.grid, w.leaning, w.caps)
	}
	err := w.tiles.run(ctx, w.cursor, nil, func(worker int, t *tile) (bool, error) {
		return true, converters[worker].convert(t)
	}, w.keeper.keep)
	if err != nil {
		return err
	}
	w.cursor = Cursor{Phase: Sweeping}
	if w.tiles.open > 0 {
		w.cursor.Sweep = 1
	}
	return nil
}

// sweep narrows intervals until nothing is open, or a sweep changes nothing.
func (w *gridWork[C]) sweep(ctx context.Context) error {
	sweepers := make([]*sweeper[C], w.problem.Workers)
	for worker := range sweepers {
		sweepers[worker] = newSweeper(w.problem, w.grid, w.caps)
	}
	prepare := func(mover int, open uint64) int { return w.grid.prepare(mover, open, w.problem.Workers) }
	for w.tiles.open > 0 {
		err := w.tiles.run(ctx, w.cursor, prepare, func(worker int, t *tile) (bool, error) {
			return t.open > 0 && sweepers[worker].sweep(t), nil
		}, w.keeper.keep)
		if err != nil {
			return err
		}
		if !w.tiles.changed {
			break
		}
		if w.tiles.open > 0 {
			w.cursor = Cursor{Phase: Sweeping, Sweep: w.cursor.Sweep + 1}
		}
	}
	return nil
}

// recount sets the open positions of all tiles of restored cells. Rectangles that the
// first look has not come to count as open. It reports whether the cursor and the cells
// can be what work on the layer has left, as far as working on needs it.
func recount[C code](ctx context.Context, c *dispatcher, g *grid[C], cursor Cursor) (valid bool, err error) {
	if cursor.Phase > Sweeping || cursor.Sweep < 0 || cursor.Rectangle < 0 || cursor.Rectangle > g.beans+1 {
		return false, nil
	}
	report := c.report
	c.report, c.open = nil, 0
	defer func() { c.report = report }()
	var bad atomic.Bool
	for mover := range c.rectangles {
		looked := cursor.Phase == Sweeping || mover < cursor.Rectangle
		err := c.rectangle(ctx, mover, c.workers, func(_ int, t *tile) (bool, error) {
			open, valid := g.countOpen(t)
			if looked {
				t.open = open
			}
			if !valid {
				bad.Store(true)
			}
			return false, nil
		})
		if err != nil {
			return false, err
		}
		c.open += openIn(c.rectangles[mover])
	}
	c.progress.Open = c.open
	return !bad.Load(), nil
}
