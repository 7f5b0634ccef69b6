package solver

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// crew hands the tiles of a layer to workers, one rectangle after the other. No
// worker starts a rectangle before all have done with the last: so none reads
// cells that another writes, but for the rectangles that read themselves, which
// read a copy or have one worker (see grid.prepare). The work and the result do not
// depend on the number of workers.
type crew struct {
	workers    int
	rectangles [][]tile // by the mover's beans
	positions  []int    // of a tile with one opponent's row, by the mover's beans
	report     func(Progress)
	progress   Progress

	changed bool   // whether the last pass changed anything
	open    uint64 // positions not closed after it
}

func newCrew(p Problem, pass int) *crew {
	c := &crew{workers: p.Workers, report: p.Report}
	for mover := range p.Beans + 1 {
		c.rectangles = append(c.rectangles, tilesOf(p.Index, p.Beans, mover))
		c.positions = append(c.positions, int(p.Index.Rows(mover)))
	}
	c.open = p.Index.Size(p.Beans)
	c.progress = Progress{Beans: p.Beans, Pass: pass, Total: c.open, Open: c.open}
	return c
}

// run passes over all tiles from the mark on: once, but for what was done when the
// mark was set. It calls before, which may be nil, before each rectangle with its number
// of open positions; it tells how many workers may work there at once. It calls work for
// each tile, which tells whether it changed anything there, and after, which may be
// nil, after each rectangle with the mark to go on from. It ends early with an error
// of these or of the context. Rectangles that have no open position are left out.
func (c *crew) run(ctx context.Context, from Mark, before func(mover int, open uint64) (workers int), work func(worker int, t *tile) (changed bool, err error), after func(Mark) error) error {
	c.progress.Phase, c.progress.Sweep, c.progress.Done = from.Phase, from.Sweep, 0
	c.changed = from.Changed
	for mover, tiles := range c.rectangles {
		open := openIn(tiles)
		if mover < from.Rectangle || open == 0 {
			for i := range tiles {
				c.progress.Done += uint64(c.positions[mover] * tiles[i].count)
			}
			continue
		}
		workers := c.workers
		if before != nil {
			workers = before(mover, open)
		}
		if err := c.rectangle(ctx, mover, workers, work); err != nil {
			return err
		}
		if after != nil {
			if err := after(Mark{Phase: from.Phase, Sweep: from.Sweep, Rectangle: mover + 1, Changed: c.changed}); err != nil {
				return err
			}
		}
	}
	c.open = 0
	for _, tiles := range c.rectangles {
		c.open += openIn(tiles)
	}
	c.progress.Open = c.open
	if c.report != nil {
		c.report(c.progress)
	}
	return nil
}

// openIn returns the number of open positions of tiles.
func openIn(tiles []tile) uint64 {
	open := uint64(0)
	for i := range tiles {
		open += uint64(tiles[i].open)
	}
	return open
}

// rectangle passes over the tiles of one rectangle: each of so many workers takes the
// next until none is left.
func (c *crew) rectangle(ctx context.Context, mover, workers int, work func(worker int, t *tile) (changed bool, err error)) error {
	tiles := c.rectangles[mover]
	var next atomic.Int64
	var reporting sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	for worker := range min(workers, len(tiles)) {
		group.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(tiles) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				changed, err := work(worker, &tiles[i])
				if err != nil {
					return err
				}
				reporting.Lock()
				c.changed = c.changed || changed
				c.progress.Done += uint64(c.positions[mover] * tiles[i].count)
				if c.report != nil {
					c.report(c.progress)
				}
				reporting.Unlock()
			}
		})
	}
	return group.Wait()
}
