package check

import (
	"context"
	"errors"
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/memory"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/store"
)

// heldDepths are the DTCs of a layer in memory, in the order of package index: the
// numbers of depth blocks, a byte each. They are a solver.DepthSource.
type heldDepths struct {
	block   memory.Block
	numbers []byte
}

func newHeldDepths(m format.DepthManifest) (*heldDepths, error) {
	h := new(heldDepths)
	var err error
	if h.numbers, err = h.block.Bytes(int(m.Positions)); err != nil {
		return nil, fmt.Errorf("%w: %w", held.ErrMemory, err)
	}
	return h, nil
}

// ReadDepth implements solver.DepthSource.
func (h *heldDepths) ReadDepth(i uint64) (game.DTC, error) {
	return game.DTC(h.numbers[i]) - 1, nil
}

// copy fills dst with the DTCs from index first on.
func (h *heldDepths) copy(first uint64, dst []game.DTC) {
	for i := range dst {
		dst[i], _ = h.ReadDepth(first + uint64(i)) // it never fails
	}
}

// depthTable checks the depth table of a layer, if there is one: that its manifest and
// blocks are what was written, that hash and totals agree with the DTCs, and that each
// follows from the scores and DTCs of its successors, or is found again by solving all
// anew. The layer itself has been checked
// before, and is in memory if it fits; sound tells whether it has no faults.
func (c *checker) depthTable(ctx context.Context, report *LayerReport, sound bool) error {
	m, err := c.db.DepthManifest(report.Key)
	switch {
	case errors.Is(err, format.ErrNoDepths):
		return nil
	case errors.Is(err, store.ErrClosed):
		return err
	case err != nil:
		report.add(FaultManifest, err)
		return nil
	}
	if _, err := c.db.Manifest(report.Key); err != nil {
		return nil //nolint:nilerr // it is in the report
	}
	var dtcs *heldDepths
	if taken, _ := c.layers.Size(); c.options.Level != Quick && taken+m.Positions <= c.options.Memory {
		if dtcs, err = newHeldDepths(m); err != nil {
			return err
		}
		defer dtcs.block.Free()
	}
	if whole, err := c.readDepths(ctx, report, m, dtcs); !whole || err != nil {
		return err
	}
	if dtcs != nil {
		total := format.NewDepthSummary()
		if err := total.Add(ctx, m.Positions, dtcs.copy); err != nil {
			return err
		}
		found := m
		total.Fill(&found)
		report.compareDepthTotals(found, m)
	}
	if !sound || c.options.Level == Quick || c.options.Level == Totals {
		return nil // where there are faults, what would be compared with is bad itself
	}
	if c.options.Level == Recompute && dtcs != nil && c.layers.Layers[report.Key.Beans] != nil {
		dtcs.block.Free()
		return c.recomputeDepths(ctx, report, m)
	}
	return c.compareDepths(ctx, report, dtcs)
}

// readDepths decodes all blocks of a depth table, and sets dtcs, if there are any, to what
// they say. It reports whether all blocks are sound.
func (c *checker) readDepths(ctx context.Context, report *LayerReport, m format.DepthManifest, dtcs *heldDepths) (bool, error) {
	x := c.db.Index(m.Width)
	t := format.NewBlocking(x, m.Beans)
	place := func(a format.Area, decoded []game.DTC) {
		if dtcs == nil {
			return
		}
		ranks := x.Mirrored(m.Beans - a.Mover)[a.Column:][:a.Columns]
		for row := range a.Rows {
			first := x.Offset(m.Beans, a.Mover) + uint64(a.Row+row)*x.Rows(m.Beans-a.Mover)
			for column, rank := range ranks {
				dtcs.numbers[first+uint64(rank)] = byte(format.NumberOf(decoded[row*a.Columns+column]))
			}
		}
	}
	r := c.reading(report, "the blocks of the depths", m.Positions)
	err := held.ReadBlocks(ctx, c.options.Workers, t, m.Key(), solver.Depths, 0, t.Blocks(), c.db.ReadDepths, place, r.take)
	report.DepthBlocks = r.stored().Blocks
	return err == nil && r.finish(m.Stored), err
}

// recomputeDepths solves the depths of a layer anew and compares what their manifest says.
// The layer has to be at hand, with those below it.
func (c *checker) recomputeDepths(ctx context.Context, report *LayerReport, m format.DepthManifest) error {
	x := c.db.Index(m.Width)
	cells, heap := solver.DepthFootprint(x, m.Beans, c.options.Workers)
	if err := c.roomFor("its depths", cells+heap); err != nil {
		return err
	}
	var block memory.Block
	defer block.Free()
	p := solver.DepthProblem{
		Game: c.layers.Game, Index: x, Beans: m.Beans, Tables: c.layers, Workers: c.options.Workers, Memory: &block,
		Report: func(p solver.Progress) { c.report(m.Key(), Comparing, p.Done, p.Total) },
	}
	solved, err := solver.SolveDepths(ctx, p)
	if err != nil {
		return err
	}
	total := format.NewDepthSummary()
	if err := total.Add(ctx, m.Positions, solved.Copy); err != nil {
		return err
	}
	found := m
	total.Fill(&found)
	report.DepthsCompared = m.Positions
	report.compareDepthTotals(found, m)
	return nil
}

// compareDepths recomputes DTCs from the successors.
func (c *checker) compareDepths(ctx context.Context, report *LayerReport, dtcs *heldDepths) error {
	k, x, g := report.Key, c.db.Index(report.Key.Width), c.layers.Game
	var scores solver.Source = c.layers
	if c.layers.Layers[k.Beans] == nil {
		scores = c.db.Probes(g)
	}
	var depths solver.DepthSource = dtcs
	if dtcs == nil {
		depths = c.db.DepthProbes(g, k.Beans)
	}
	compared, err := solver.CheckDepths(ctx, solver.Review{
		Game: g, Index: x, Beans: k.Beans, Tables: scores,
		Workers: c.options.Workers, Sample: c.options.Sample,
		Report: func(done, total uint64) { c.report(k, Comparing, done, total) },
	}, depths)
	report.DepthsCompared = compared
	if _, wrong := errors.AsType[*solver.DepthError](err); wrong {
		report.add(FaultDepth, err)
		return nil
	}
	return err
}
