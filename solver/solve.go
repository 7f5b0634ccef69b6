package solver

import (
	"context"
	"errors"
	"fmt"
	"runtime"
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
	if p.Workers <= 0 {
		p.Workers = runtime.GOMAXPROCS(0)
	}
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
	var caps []uint8
	pass := 1
	if leaning {
		caps = make([]uint8, len(g.cells))
		pass = 2
	}
	crew := newCrew(p, pass)
	keeper := &keeper{checkpoint: p.Checkpoint, every: p.CheckpointEvery, cells: g.bytes[:g.blank*int(unsafe.Sizeof(C(0)))]}
	mark, restored, err := keeper.load()
	if err != nil {
		return solution{}, err
	}
	if restored {
		valid, err := recount(ctx, crew, g, mark)
		if err != nil {
			return solution{}, err
		}
		if !valid { // no work leaves such cells behind
			clear(g.cells)
			mark, crew = Mark{}, newCrew(p, pass)
		}
	}
	if p.FirstLooks != nil && !leaning && !restored {
		g.keepFirst(p.FirstLooks)
	}
	if mark.Phase == Converting {
		converters := make([]*converter[C], p.Workers)
		for worker := range converters {
			converters[worker] = newConverter(p, g, leaning, caps)
		}
		err := crew.run(ctx, mark, nil, func(worker int, t *tile) (bool, error) {
			return true, converters[worker].convert(t)
		}, keeper.keep)
		if err != nil {
			return solution{}, err
		}
		mark = Mark{Phase: Sweeping, Sweep: 1}
		if crew.open == 0 {
			mark.Sweep = 0
		}
	}
	sweepers := make([]*sweeper[C], p.Workers)
	for worker := range sweepers {
		sweepers[worker] = newSweeper(p, g, caps)
	}
	prepare := func(mover int, open uint64) int { return g.prepare(mover, open, p.Workers) }
	for crew.open > 0 {
		err := crew.run(ctx, mark, prepare, func(worker int, t *tile) (bool, error) {
			return t.open > 0 && sweepers[worker].sweep(t), nil
		}, keeper.keep)
		if err != nil {
			return solution{}, err
		}
		if !crew.changed {
			break
		}
		if crew.open > 0 {
			mark = Mark{Phase: Sweeping, Sweep: mark.Sweep + 1}
		}
	}
	mark.Rectangle, mark.Changed = p.Beans+1, crew.changed
	if err := keeper.finish(mark); err != nil {
		return solution{}, err
	}
	return solution{copier: g, open: crew.open, sweeps: mark.Sweep}, nil
}

// recount sets the open positions of all tiles of restored cells. Rectangles that the
// first look has not come to count as open. It reports whether the mark and the cells
// can be what work on the layer has left, as far as working on needs it.
func recount[C code](ctx context.Context, c *crew, g *grid[C], mark Mark) (valid bool, err error) {
	if mark.Phase > Sweeping || mark.Sweep < 0 || mark.Rectangle < 0 || mark.Rectangle > g.beans+1 {
		return false, nil
	}
	report := c.report
	c.report, c.open = nil, 0
	defer func() { c.report = report }()
	var bad atomic.Bool
	for mover := range c.rectangles {
		looked := mark.Phase == Sweeping || mover < mark.Rectangle
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
