package check

import (
	"context"
	"errors"
	"fmt"
	"runtime"
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

// Report is what a check found.
type Report struct {
	Layers []LayerReport // ordered by key
	Bounds BoundsReport  // of positions of these layers, or, where all are checked, of any
}

// Sound reports whether nothing has a fault.
func (r Report) Sound() bool {
	if len(r.Bounds.Faults) > 0 {
		return false
	}
	for _, layer := range r.Layers {
		if len(layer.Faults) > 0 {
			return false
		}
	}
	return true
}

// LayerReport is what a check found in a layer.
type LayerReport struct {
	Key      format.Key
	Blocks   uint64 // blocks found sound
	Bytes    uint64 // what their values take
	Totals   bool   // whether hash and totals were recomputed
	Compared uint64 // positions compared with their successors, or solved anew
	// Published tells that the hash was compared with the published one, and is the same.
	Published bool
	// Proved counts the positions whose scores were proved by forward search, not leaning
	// on rule 8 unless the tables say so; Unproved those at which it was given up.
	Proved, Unproved uint64
	// DepthBlocks are the blocks of the depth table found sound, DepthsCompared the
	// positions whose DTC was compared with those of their successors. Both are 0 where
	// there is no depth table.
	DepthBlocks    uint64
	DepthsCompared uint64
	DepthsOnly     bool // whether the depth table is bad and nothing else
	Faults         []Fault
	Unlisted       int // further faults, beyond the MaxFaults that are listed
}

// MaxFaults is the number of faults that are listed for a layer.
const MaxFaults = 20

// add lists a fault, unless there are too many.
func (r *LayerReport) add(kind FaultKind, err error) {
	if len(r.Faults) == MaxFaults {
		r.Unlisted++
		return
	}
	r.Faults = append(r.Faults, Fault{Kind: kind, Err: err})
}

// Fault is something wrong with a layer.
type Fault struct {
	Kind FaultKind
	Err  error // what is wrong, in one line
}

// FaultKind is a sort of fault.
type FaultKind uint8

// The kinds of faults.
const (
	// FaultManifest is a manifest that is missing or cannot be read.
	FaultManifest FaultKind = iota
	// FaultBlock is a block that is missing or damaged.
	FaultBlock
	// FaultTotals is a total in the manifest that the scores do not give.
	FaultTotals
	// FaultScore is a score that does not follow from those of the successors.
	FaultScore
	// FaultLower is a layer that cannot be compared because one below it is
	// missing or damaged.
	FaultLower
	// FaultPublished is a hash that differs from the published one.
	FaultPublished
	// FaultDepth is a DTC that does not follow from those of the successors.
	FaultDepth
)

// String returns "manifest", "block", "totals", "score", "lower layer", "published" or
// "depth".
func (k FaultKind) String() string {
	return [...]string{"manifest", "block", "totals", "score", "lower layer", "published", "depth"}[k]
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
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	keys := slices.Clone(o.Keys)
	if o.Keys == nil {
		keys = db.Keys()
	}
	slices.SortFunc(keys, format.Key.Compare)
	keys = slices.Compact(keys)
	c := &checker{db: db, options: o}
	if c.options.Memory == 0 {
		c.options.Memory = held.MachineMemory() / 4 * 3
	}
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
		layer, err := c.loader(layers).Load(ctx, about, as)
		if fault.ClassOf(err) == fault.BadData {
			return nil
		}
		if err != nil {
			return err
		}
		layers.Layers[lower] = layer
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
	if taken+tables*held.FlatBytes(m.Beans, m.Positions, held.Packed) <= c.options.Memory && tables == 1 {
		return held.Packed, true
	}
	free, known := c.db.FreeDisk()
	if taken > c.options.Memory || !known || free < tables*m.Positions+store.SpareBytes {
		return 0, false
	}
	trial, err := held.NewSpill(c.db.Dir(), 0)
	if err != nil { // the directory may be for reading only
		return 0, false
	}
	trial.Free()
	return held.Spilled, true
}

// loader returns what brings layers to hand.
func (c *checker) loader(layers *held.Layers) *held.Loader {
	return &held.Loader{
		From: c.db, Index: c.db.Index(layers.Game.Width()), Workers: c.options.Workers, Lower: layers, Scratch: &c.scratch,
	}
}

// read decodes all blocks of a layer. If there is room for it, it brings the layer to
// hand and recomputes what its manifest says.
func (c *checker) read(ctx context.Context, report *LayerReport, m format.Manifest, layers *held.Layers) error {
	tally := format.NewTally()
	done := uint64(0)
	l := c.loader(layers)
	l.Block = func(id format.BlockID, stamp format.Stamp, err error) {
		done += uint64(id.Positions)
		c.report(m.Key(), Reading, done, uint64(m.Tables())*m.Positions)
		if err != nil {
			report.add(FaultBlock, err)
			return
		}
		tally.Add(stamp)
		report.Blocks++
		report.Bytes += uint64(stamp.Bytes)
	}
	var layer *held.Layer
	var err error
	if as, fits := c.form(m, layers); fits && c.options.Level != Quick {
		layer, err = l.Load(ctx, m, as)
	} else {
		err = l.Skim(ctx, m)
	}
	if err != nil && fault.ClassOf(err) != fault.BadData {
		return err
	}
	if report.Blocks < m.Blocks {
		if layer != nil {
			layer.Free()
		}
		return nil
	}
	if tally.Stored() != m.Stored {
		report.add(FaultTotals, fmt.Errorf("%v: the blocks are not those that the manifest was written for", m.Key()))
	}
	if layer == nil {
		return nil
	}
	layers.Layers[m.Beans] = layer // it is the first time, as keys come in order
	report.Totals = true
	return c.totals(ctx, report, m, layer)
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

// compareTotals lists what the manifest says otherwise than the scores.
func (r *LayerReport) compareTotals(found, said format.Manifest) {
	r.addTotals("scores", found.Histogram, said.Histogram,
		comparedTotal{"wins", found.Wins, said.Wins},
		comparedTotal{"draws", found.Draws, said.Draws},
		comparedTotal{"losses", found.Losses, said.Losses},
		comparedTotal{"sum of scores", found.ScoreSum, said.ScoreSum},
		comparedTotal{"positions leaning on rule 8", found.Endless, said.Endless},
		comparedTotal{"SHA-256", found.SHA256, said.SHA256})
}

// comparedTotal is a number of a table, as it was found and as the manifest says it.
type comparedTotal struct {
	name        string
	found, said any
}

// addTotals lists totals and a histogram that differ, of the scores or DTCs of a layer.
func (r *LayerReport) addTotals(what string, found, said []uint64, totals ...comparedTotal) {
	for _, t := range totals {
		if t.found != t.said {
			r.add(FaultTotals, fmt.Errorf("%v: %s: the %s give %v, the manifest says %v", r.Key, t.name, what, t.found, t.said))
		}
	}
	if !slices.Equal(found, said) {
		r.add(FaultTotals, fmt.Errorf("%v: the manifest's histogram is not that of the %s", r.Key, what))
	}
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

// report tells the caller how far the check is.
func (c *checker) report(k format.Key, phase Phase, done, total uint64) {
	c.db.Values().Trim()
	if c.options.Report != nil {
		c.options.Report(Progress{Key: k, Phase: phase, Done: done, Total: total})
	}
}
