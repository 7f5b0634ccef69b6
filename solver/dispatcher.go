package solver

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// dispatcher hands the tiles of a layer to workers, one rectangle after the other. No
// worker starts a rectangle before all have done with the last: so none reads
// cells that another writes, except in the rectangles that read themselves, which
// read a copy or have one worker (see grid.prepare). The work and the result do not
// depend on the number of workers.
type dispatcher struct {
	workers    int
	rectangles [][]tile // by the mover's beans
	positions  []int    // of a tile with one opponent's row, by the mover's beans
	report     func(Progress)
	progress   Progress

	changed bool   // whether the last pass changed anything
	open    uint64 // positions not closed after it
}

func newDispatcher(p Problem, pass int) *dispatcher {
	d := &dispatcher{workers: p.Workers, report: p.Report}
	for mover := range p.Beans + 1 {
		d.rectangles = append(d.rectangles, tilesOf(p.Index, p.Beans, mover))
		d.positions = append(d.positions, int(p.Index.Rows(mover)))
	}
	d.open = p.Index.Size(p.Beans)
	d.progress = Progress{Beans: p.Beans, Pass: pass, Total: d.open, Open: d.open}
	return d
}

// run passes over all tiles once, from the cursor on. It calls before, which may be nil, before each rectangle with its number
// of open positions; it tells how many workers may work there at once. It calls work for
// each tile, which tells whether it changed anything there, and after, which may be
// nil, after each rectangle with the cursor to go on from. It ends early with an error
// of these or of the context. Rectangles that have no open position are left out.
func (d *dispatcher) run(ctx context.Context, from Cursor, before func(mover int, open uint64) (workers int), work func(worker int, t *tile) (changed bool, err error), after func(Cursor) error) error {
	d.progress.Phase, d.progress.Sweep, d.progress.Done = from.Phase, from.Sweep, 0
	d.changed = from.Changed
	for mover, tiles := range d.rectangles {
		open := openIn(tiles)
		if mover < from.Rectangle || open == 0 {
			for i := range tiles {
				d.progress.Done += uint64(d.positions[mover] * tiles[i].count)
			}
			continue
		}
		workers := d.workers
		if before != nil {
			workers = before(mover, open)
		}
		if err := d.rectangle(ctx, mover, workers, work); err != nil {
			return err
		}
		if after != nil {
			if err := after(Cursor{Phase: from.Phase, Sweep: from.Sweep, Rectangle: mover + 1, Changed: d.changed}); err != nil {
				return err
			}
		}
	}
	d.open = 0
	for _, tiles := range d.rectangles {
		d.open += openIn(tiles)
	}
	d.progress.Open = d.open
	if d.report != nil {
		d.report(d.progress)
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

// rectangle passes over the tiles of one rectangle: each of the workers takes the
// next until none is left.
func (d *dispatcher) rectangle(ctx context.Context, mover, workers int, work func(worker int, t *tile) (changed bool, err error)) error {
	tiles := d.rectangles[mover]
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
				d.changed = d.changed || changed
				d.progress.Done += uint64(d.positions[mover] * tiles[i].count)
				if d.report != nil {
					d.report(d.progress)
				}
				reporting.Unlock()
			}
		})
	}
	return group.Wait()
}
