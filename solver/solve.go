package solver

import (
	"context"
	"errors"
	"fmt"
	"runtime"

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
	layer := &Layer{beans: p.Beans, size: size}
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
	if l.fitsByte() {
		return solveGrid(ctx, p, newGrid(p.Index, newCoding[uint8](l)), leaning)
	}
	return solveGrid(ctx, p, newGrid(p.Index, newCoding[uint16](l)), leaning)
}

func solveGrid[C code](ctx context.Context, p Problem, g *grid[C], leaning bool) (solution, error) {
	var caps []uint8
	pass := 1
	if leaning {
		caps = make([]uint8, len(g.cells))
		pass = 2
	}
	crew := newCrew(p, g, pass)
	converters := make([]*converter[C], p.Workers)
	for worker := range converters {
		converters[worker] = newConverter(p, g, leaning, caps)
	}
	err := crew.run(ctx, Converting, 0, nil, func(worker int, t *tile) (bool, error) {
		return true, converters[worker].convert(t)
	})
	if err != nil {
		return solution{}, err
	}
	sweepers := make([]*sweeper[C], p.Workers)
	for worker := range sweepers {
		sweepers[worker] = newSweeper(p, g, caps)
	}
	sweeps := 0
	for crew.changed && crew.open > 0 {
		sweeps++
		err := crew.run(ctx, Sweeping, sweeps, g.duplicate, func(worker int, t *tile) (bool, error) {
			return t.open > 0 && sweepers[worker].sweep(t), nil
		})
		if err != nil {
			return solution{}, err
		}
	}
	return solution{copier: g, open: crew.open, sweeps: sweeps}, nil
}
