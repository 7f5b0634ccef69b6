package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/proof"
	"bohnenspiel/tablebase/store"
)

// Run verifies stored layers: that their manifests and blocks are what was
// written, that hash and totals agree with the scores, and that each score follows
// from those of its successors; and the same of depth tables. It goes on after a fault, and reports all of them;
// only a layer with a bad block, or above one, is not compared with its successors. And it
// verifies the bounds that are kept of positions above the tables.
//
// The error is the context's when that ends, ErrClosed, or ErrStorage; the report
// holds what was checked until then.
func Run(ctx context.Context, db *tablebase.DB, o Options) (Report, error) {
	o.Workers, o.Memory = solver.Workers(o.Workers), cmp.Or(o.Memory, held.MostMemory())
	keys := slices.Clone(o.Keys)
	if o.Keys == nil {
		keys = db.Keys()
	}
	slices.SortFunc(keys, format.Key.Compare)
	keys = slices.Compact(keys)
	c := &checker{db: db, options: o}
	defer c.free()
	var report Report
	for _, k := range keys {
		layer, err := c.layer(ctx, k)
		if err == nil && c.layers != nil {
			sound := len(layer.Faults) == 0
			err = c.depthTable(ctx, &layer, sound)
			layer.DepthsOnly = sound && len(layer.Faults) > 0
		}
		report.Layers = append(report.Layers, layer)
		if err != nil {
			return report, fmt.Errorf("check %v: %w", k, err)
		}
	}
	prefixes := [][]byte{{proof.BoundsPrefix}}
	if o.Keys != nil {
		prefixes = prefixes[:0]
		for _, k := range keys {
			prefixes = append(prefixes, format.LayerKey(proof.BoundsPrefix, k))
		}
	}
	for _, prefix := range prefixes {
		if err := c.bounds(ctx, &report.Bounds, prefix); err != nil {
			return report, fmt.Errorf("check kept bounds: %w", err)
		}
	}
	return report, nil
}

// layer checks one layer.
func (c *checker) layer(ctx context.Context, k format.Key) (LayerReport, error) {
	report := LayerReport{Key: k}
	m, err := c.db.Manifest(k)
	if err != nil {
		if errors.Is(err, store.ErrClosed) {
			return report, err
		}
		report.add(FaultManifest, err)
		return report, nil
	}
	g, err := game.New(k.Rules, k.Width)
	if err != nil {
		return report, err
	}
	if c.layers == nil || c.layers.Game != g {
		c.free()
		c.layers = held.NewLayers(g, game.MaxBeans(g.Width()))
	}
	layers := c.layers
	if c.options.Level != Quick {
		if err := c.below(ctx, m, layers); err != nil {
			return report, err
		}
	}
	if err := c.read(ctx, &report, m, layers); err != nil {
		return report, err
	}
	c.published(&report, m)
	if report.Blocks < m.Blocks {
		return report, nil // there are faults already
	}
	if c.options.Independent > 0 {
		if err := c.independent(ctx, &report, g); err != nil {
			return report, err
		}
	}
	switch c.options.Level {
	case Quick, Totals:
		return report, nil
	case Recompute:
		return report, c.recompute(ctx, &report, m, g, layers)
	default:
		return report, c.compare(ctx, &report, g, layers)
	}
}
