package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/memory"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/fault"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/proof"
	"bohnenspiel/tablebase/store"
)

// Options say what to check.
type Options struct {
	// Keys are the layers; nil means all that are stored.
	Keys []format.Key
	// Sample is the number of positions a layer to compare with their successors,
	// spread evenly from a random start; 0 means all. Blocks, checksums and totals
	// are always verified in full.
	Sample uint64
	// Level is how much is verified; Sample counts for Whole alone.
	Level Level
	// Published asks that hashes be compared with those that are published; layers of
	// which none is pass.
	Published bool
	// Independent is the number of positions a layer, at random, whose scores are proved
	// anew by forward search; 0 means none. The search uses the layers below and the rules
	// alone.
	Independent uint64
	// Workers is the number of goroutines that compute; 0 means one a processor.
	Workers int
	// Memory is the most bytes that the layers may take which are brought into memory;
	// 0 means three quarters of what the machine has. Layers beyond it are kept in files
	// in the directory of the database while the check runs, a byte a position. Where
	// there is no room for those, only the blocks of such layers are verified, and
	// positions are probed one by one.
	Memory uint64
	// Report, if not nil, is called from time to time, never by two goroutines at
	// once, with how far the check is.
	Report func(Progress)
}

// Phase is a part of the check of a layer.
type Phase uint8

// The phases, in their order.
const (
	// Reading is decoding all blocks and recomputing totals.
	Reading Phase = iota
	// Comparing is recomputing scores from those of the successors.
	Comparing
	// Proving is proving scores by forward search.
	Proving
)

// String returns "read", "compare" or "prove".
func (p Phase) String() string {
	return [...]string{"read", "compare", "prove"}[p]
}

// Progress is how far a check is.
type Progress struct {
	Key         format.Key
	Phase       Phase
	Done, Total uint64 // positions in this phase
}

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

// checker is a run of Check.
type checker struct {
	db      *tablebase.DB
	options Options
	layers  *held.Layers // sound layers of the game in work; nil before the first
	scratch memory.Block
}

// free gives all memory and files back.
func (c *checker) free() {
	c.scratch.Free()
	if c.layers != nil {
		c.layers.Free()
	}
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

// below brings the layers below one to hand that are sound and not there yet.
func (c *checker) below(ctx context.Context, m format.Manifest, layers *held.Layers) error {
	for lower := m.Beans % 2; lower < m.Beans; lower += 2 {
		if layers.Layers[lower] != nil {
			continue
		}
		about, err := c.db.Manifest(format.KeyOf(layers.Game, lower))
		if err != nil {
			return nil //nolint:nilerr // what is missing is reported when it is needed
		}
		as, fits := c.form(about, layers)
		if !fits {
			return nil
		}
		if err := c.loader(layers).Load(ctx, about, as); fault.ClassOf(err) == fault.BadData {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// form returns how a layer can be kept, if it can and all below it are.
func (c *checker) form(m format.Manifest, layers *held.Layers) (as held.Form, fits bool) {
	for beans := m.Beans - 2; beans >= 0; beans -= 2 {
		if layers.Layers[beans] == nil {
			return 0, false
		}
	}
	taken, _ := layers.Size()
	tables := uint64(m.Tables())
	if taken+tables*m.Positions <= c.options.Memory {
		return held.Bytewise, true
	}
	taken += uint64(held.LargestRectangle(c.db.Index(m.Width), m.Beans)) // on the way
	if taken+tables*held.TableBytes(m.Beans, m.Positions, held.Packed) <= c.options.Memory && tables == 1 {
		return held.Packed, true
	}
	free, known := c.db.FreeDisk()
	if taken > c.options.Memory || !known || free < tables*m.Positions+store.SpareBytes {
		return 0, false
	}
	return held.Spilled, held.CanSpill(c.db.Dir())
}

// loader returns what brings layers to hand.
func (c *checker) loader(layers *held.Layers) *held.Loader {
	return &held.Loader{
		From: c.db, Index: c.db.Index(layers.Game.Width()), Workers: c.options.Workers, Lower: layers, Scratch: &c.scratch,
	}
}

// report tells the caller how far the check is.
func (c *checker) report(k format.Key, phase Phase, done, total uint64) {
	c.db.Values().Trim()
	if c.options.Report != nil {
		c.options.Report(Progress{Key: k, Phase: phase, Done: done, Total: total})
	}
}
