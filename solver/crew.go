package solver

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// crew hands the tiles of a layer to workers.
type crew struct {
	workers   int
	tiles     []tile
	positions []int // of each tile
	report    func(Progress)
	progress  Progress

	changed bool   // whether the last pass changed anything
	open    uint64 // positions not closed after it
}

func newCrew[C code](p Problem, g *grid[C], pass int) *crew {
	c := &crew{workers: p.Workers, tiles: g.tiles(), report: p.Report}
	c.positions = make([]int, len(c.tiles))
	for i := range c.tiles {
		c.positions[i] = g.positions(&c.tiles[i])
	}
	c.progress = Progress{Beans: p.Beans, Pass: pass, Total: p.Index.Size(p.Beans)}
	c.progress.Open = c.progress.Total
	return c
}

// run passes once over all tiles. Each worker takes the next tile until none is
// left, an error occurs, or the context ends. work tells whether it changed
// anything in the tile.
func (c *crew) run(ctx context.Context, phase Phase, sweep int, work func(worker int, t *tile) (bool, error)) error {
	c.progress.Phase, c.progress.Sweep, c.progress.Done = phase, sweep, 0
	var next atomic.Int64
	var changed atomic.Bool
	var reporting sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	for worker := range c.workers {
		group.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(c.tiles) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				did, err := work(worker, &c.tiles[i])
				if err != nil {
					return err
				}
				if did && !changed.Load() {
					changed.Store(true)
				}
				if c.report != nil {
					reporting.Lock()
					c.progress.Done += uint64(c.positions[i])
					c.report(c.progress)
					reporting.Unlock()
				}
			}
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	c.changed = changed.Load()
	c.open = 0
	for i := range c.tiles {
		c.open += uint64(c.tiles[i].open)
	}
	c.progress.Open = c.open
	return nil
}
