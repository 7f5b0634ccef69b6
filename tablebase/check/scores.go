package check

import (
	"context"
	"errors"
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/memory"
	"bohnenspiel/tablebase/fault"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/store"
)

// read decodes all blocks of a layer. If there is room for it, it brings the layer to
// hand and recomputes what its manifest says.
func (c *checker) read(ctx context.Context, report *LayerReport, m format.Manifest, layers *held.Layers) error {
	r := c.reading(report, "the blocks", uint64(m.Tables())*m.Positions)
	l := c.loader(layers)
	l.Block = r.take
	var err error
	if as, fits := c.form(m, layers); fits && c.options.Level != Quick {
		err = l.Load(ctx, m, as) // it is the first time, as keys come in order
	} else {
		err = l.Skim(ctx, m)
	}
	if err != nil && fault.ClassOf(err) != fault.BadData {
		return err
	}
	report.Blocks, report.Bytes = r.stored().Blocks, r.stored().Bytes
	if !r.finish(m.Stored) {
		layers.Drop(m.Beans)
	}
	layer := layers.Layers[m.Beans]
	if layer == nil {
		return nil
	}
	report.Totals = true
	return c.totals(ctx, report, m, layer)
}

// reading takes account of the blocks of a layer, of its scores or of its depths.
type reading struct {
	*checker
	layer       *LayerReport
	what        string // the blocks, in messages
	done, total uint64 // positions
	tally       *format.Tally
}

// reading returns an account of no blocks yet, of this many positions in all.
func (c *checker) reading(layer *LayerReport, what string, total uint64) *reading {
	return &reading{checker: c, layer: layer, what: what, total: total, tally: format.NewTally()}
}

// take takes account of the next block. It returns errors other than bad data.
func (r *reading) take(b held.Block) error {
	r.done += uint64(b.ID.Positions)
	r.report(r.layer.Key, Reading, r.done, r.total)
	switch {
	case b.Err == nil:
		r.tally.Add(b.Stamp)
	case fault.ClassOf(b.Err) == fault.BadData:
		r.layer.add(FaultBlock, b.Err)
	default:
		return b.Err
	}
	return nil
}

// stored returns what the blocks found sound take.
func (r *reading) stored() format.Stored { return r.tally.Stored() }

// finish compares what was read with what the manifest says. It reports whether all blocks
// are sound.
func (r *reading) finish(said format.Stored) bool {
	found := r.stored()
	if found.Blocks < said.Blocks {
		return false // there are faults already
	}
	if found != said {
		r.layer.add(FaultTotals, fmt.Errorf("%v: %s are not those that the manifest was written for", r.layer.Key, r.what))
	}
	return true
}

// totals recomputes what the manifest of a layer says of its scores.
func (c *checker) totals(ctx context.Context, report *LayerReport, m format.Manifest, layer *held.Layer) error {
	total := format.NewSummary()
	for kind := range m.Tables() {
		err := total.AddTable(ctx, solver.Kind(kind), m.Positions, func(first uint64, dst []game.Score) ([]game.Score, error) {
			return layer[kind].Read(first, len(dst), dst)
		})
		if err != nil {
			return err
		}
	}
	found := m
	total.Fill(&found)
	var err error
	if found.Endless, err = layer.Leaning(ctx, m.Positions); err != nil {
		return err
	}
	report.compareTotals(found, m)
	return nil
}

// compare recomputes scores from those of the successors.
func (c *checker) compare(ctx context.Context, report *LayerReport, g game.Game, layers *held.Layers) error {
	k := report.Key
	for beans := k.Beans - 2; beans >= 0; beans -= 2 {
		if _, err := c.db.Manifest(format.KeyOf(g, beans)); err != nil {
			report.add(FaultLower, fmt.Errorf("%v cannot be compared with its successors: %w", k, err))
			return nil
		}
	}
	var source solver.Source = layers
	if layers.Layers[k.Beans] == nil {
		source = c.db.Probes(g)
	}
	compared, err := solver.Check(ctx, solver.Review{
		Game: g, Index: c.db.Index(k.Width), Beans: k.Beans, Tables: source,
		Workers: c.options.Workers, Sample: c.options.Sample,
		Report: func(done, total uint64) { c.report(k, Comparing, done, total) },
	})
	report.Compared = compared
	var mismatch *solver.MismatchError
	switch {
	case errors.As(err, &mismatch):
		report.add(FaultScore, err)
	case fault.ClassOf(err) == fault.BadData:
		report.add(FaultLower, fmt.Errorf("%v cannot be compared with its successors: %w", k, err))
	default:
		return err
	}
	return nil
}

// published compares the SHA-256 of a layer with what was published.
func (c *checker) published(report *LayerReport, m format.Manifest) {
	if !c.options.Published {
		return
	}
	sum, ok := format.Published(m.Key())
	report.Published = ok && sum == m.SHA256
	if ok && !report.Published {
		report.add(FaultPublished, fmt.Errorf("%v: its SHA-256 is %s, but %s is published", m.Key(), m.SHA256, sum))
	}
}

// recompute solves a layer anew and compares what its manifest says.
func (c *checker) recompute(ctx context.Context, report *LayerReport, m format.Manifest, g game.Game, layers *held.Layers) error {
	for beans := m.Beans - 2; beans >= 0; beans -= 2 {
		if layers.Layers[beans] == nil {
			return c.notRecomputed(report, format.KeyOf(g, beans))
		}
	}
	x := c.db.Index(m.Width)
	cells, heap := solver.Footprint(x, m.Beans, c.options.Workers)
	if err := c.roomFor("it", cells+heap); err != nil {
		return err
	}
	var block memory.Block
	defer block.Free()
	solved, err := solver.Solve(ctx, solver.Problem{
		Game: g, Index: x, Beans: m.Beans, Lower: layers, Workers: c.options.Workers, Memory: &block,
		Report: func(p solver.Progress) { c.report(m.Key(), Comparing, p.Done, p.Total) },
	})
	if err != nil {
		return err
	}
	total := format.NewSummary()
	found := m
	found.Endless = solved.Leaning()
	for kind := range found.Tables() {
		err := total.AddTable(ctx, solver.Kind(kind), m.Positions, func(first uint64, dst []game.Score) ([]game.Score, error) {
			solved.Copy(solver.Kind(kind), first, dst)
			return dst, nil
		})
		if err != nil {
			return err
		}
	}
	total.Fill(&found)
	report.Compared = m.Positions
	report.compareTotals(found, m)
	return nil
}

// roomFor returns an error unless solving something anew, which takes this many bytes, fits in
// memory beside the layers that are there.
func (c *checker) roomFor(what string, need uint64) error {
	taken, _ := c.layers.Size()
	if taken+need <= c.options.Memory {
		return nil
	}
	return fmt.Errorf("%w: to solve %s anew takes %s, and %s are allowed; check it with --depth whole",
		held.ErrMemory, what, store.MiB(taken+need), store.MiB(c.options.Memory))
}

// notRecomputed reports that a layer can't be solved anew for want of a lower one.
func (c *checker) notRecomputed(report *LayerReport, lower format.Key) error {
	m, err := c.db.Manifest(lower)
	if errors.Is(err, store.ErrClosed) {
		return err
	}
	if err == nil {
		if _, fits := c.form(m, c.layers); !fits {
			return fmt.Errorf("%w: to solve %v anew takes those below it, and %v fits neither in the %s that are allowed nor on the disk; check it with --depth whole",
				held.ErrMemory, report.Key, lower, store.MiB(c.options.Memory))
		}
		err = fmt.Errorf("%v is damaged", lower)
	}
	report.add(FaultLower, fmt.Errorf("%v cannot be solved anew: %w", report.Key, err))
	return nil
}
