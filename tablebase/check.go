package tablebase

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
)

// CheckOptions say what to check.
type CheckOptions struct {
	// Keys are the layers; nil means all that are stored.
	Keys []Key
	// Sample is the number of positions a layer to compare with their successors,
	// spread evenly from a random start; 0 means all. Blocks, checksums and totals
	// are always verified in full.
	Sample uint64
	// Workers is the number of goroutines that compute; 0 means one a processor.
	Workers int
	// CacheBytes is the budget of decoded blocks; 0 means no limit, so that all
	// layers that are compared stay in memory.
	CacheBytes int64
	// Report, if not nil, is called from time to time, never by two goroutines at
	// once, with how far the check is.
	Report func(CheckProgress)
}

// CheckPhase is a part of the check of a layer.
type CheckPhase uint8

// The phases, in their order.
const (
	// Reading is decoding all blocks and recomputing totals.
	Reading CheckPhase = iota
	// Comparing is recomputing scores from those of the successors.
	Comparing
)

// String returns "read" or "compare".
func (p CheckPhase) String() string {
	return [...]string{"read", "compare"}[p]
}

// CheckProgress is how far a check is.
type CheckProgress struct {
	Key         Key
	Phase       CheckPhase
	Done, Total uint64 // positions in this phase
}

// CheckReport is what a check found.
type CheckReport struct {
	Layers []LayerReport // ordered by key
}

// Sound reports whether no layer has a fault.
func (r CheckReport) Sound() bool {
	for _, layer := range r.Layers {
		if len(layer.Faults) > 0 {
			return false
		}
	}
	return true
}

// LayerReport is what a check found in a layer.
type LayerReport struct {
	Key      Key
	Blocks   uint64 // blocks found sound
	Bytes    uint64 // what their values take
	Compared uint64 // positions compared with their successors
	Faults   []Fault
	Unlisted int // further faults, beyond the MaxFaults that are listed
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
)

// String returns "manifest", "block", "totals", "score" or "lower layer".
func (k FaultKind) String() string {
	return [...]string{"manifest", "block", "totals", "score", "lower layer"}[k]
}

// Check verifies stored layers: that their manifests and blocks are what was
// written, that hash and totals agree with the scores, and that each score follows
// from those of its successors. It goes on after a fault, and reports all of them;
// only a layer with a bad block is not compared with its successors.
//
// The error is the context's when that ends, ErrClosed, or ErrStorage; the report
// holds what was checked until then.
func (db *DB) Check(ctx context.Context, o CheckOptions) (CheckReport, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	keys := slices.Clone(o.Keys)
	if o.Keys == nil {
		keys = db.keys()
	}
	slices.SortFunc(keys, Key.Compare)
	keys = slices.Compact(keys)
	c := &checker{
		db: db, options: o,
		cache:   newCache(budgetOr(o.CacheBytes, math.MaxInt64), db.decodeBlock),
		sources: make(map[game.Game]*source),
	}
	var report CheckReport
	for _, k := range keys {
		layer, err := c.layer(ctx, k)
		report.Layers = append(report.Layers, layer)
		if err != nil {
			return report, fmt.Errorf("check %v: %w", k, err)
		}
	}
	return report, nil
}

// keys returns the keys of all layers, those with a bad manifest among them.
func (db *DB) keys() []Key {
	db.mu.RLock()
	defer db.mu.RUnlock()
	keys := make([]Key, 0, len(db.layers))
	for k := range db.layers {
		keys = append(keys, k)
	}
	return keys
}

// checker is a run of Check.
type checker struct {
	db      *DB
	options CheckOptions
	cache   *cache
	sources map[game.Game]*source
}

// layer checks one layer.
func (c *checker) layer(ctx context.Context, k Key) (LayerReport, error) {
	report := LayerReport{Key: k}
	m, err := c.db.Manifest(k)
	if err != nil {
		if errors.Is(err, ErrClosed) {
			return report, err
		}
		report.add(FaultManifest, err)
		return report, nil
	}
	g, err := game.New(k.Rules, k.Width)
	if err != nil {
		return report, err
	}
	tables := c.source(g).layers[k.Beans]
	if err := c.read(ctx, &report, m, tables); err != nil {
		return report, err
	}
	if report.Blocks < m.Blocks {
		return report, nil // there are faults already
	}
	return report, c.compare(ctx, &report, g)
}

// source returns all layers of a game that can be read.
func (c *checker) source(g game.Game) *source {
	if s := c.sources[g]; s != nil {
		return s
	}
	s := newSource(g, game.MaxBeans(g.Width()), c.cache)
	for _, m := range c.db.Layers() {
		if m.Key() == KeyOf(g, m.Beans) {
			s.add(m)
		}
	}
	c.sources[g] = s
	return s
}

// decodedBlock is a block on its way from the disk to the totals of its layer.
type decodedBlock struct {
	id      blockID
	size    int
	err     error
	digest  digest
	leaning uint64 // positions with a low below their high
}

// read decodes all blocks of a layer and recomputes what its manifest says.
func (c *checker) read(ctx context.Context, report *LayerReport, m Manifest, t *tables) error {
	perTable := blocksOf(m.Positions)
	decode := func(number int, block *decodedBlock) error {
		table, number := t[number/perTable], number%perTable
		block.id = table.id(number)
		var scores []game.Score
		scores, block.size, block.err = c.db.readBlock(block.id)
		if block.err != nil {
			return nil
		}
		table.put(number, scores)
		block.digest.of(scores)
		block.leaning = 0
		if block.id.kind == solver.Highs {
			lows, err := t[solver.Lows].block(number)
			if err != nil {
				return nil //nolint:nilerr // reported for the block of the lows
			}
			for i, high := range scores {
				if lows[i] < high {
					block.leaning++
				}
			}
		}
		return nil
	}
	total := newSummary()
	found := m
	found.Bytes, found.Endless = 0, 0
	done := uint64(0)
	take := func(_ int, block *decodedBlock) error {
		done += uint64(block.id.positions)
		c.report(m.Key(), Reading, done, uint64(m.tables())*m.Positions)
		if err := block.err; err != nil {
			if ClassOf(err) != ClassBadData {
				return err
			}
			report.add(FaultBlock, err)
			return nil
		}
		total.add(block.id.kind, &block.digest)
		report.Blocks++
		report.Bytes += uint64(block.size)
		found.Endless += block.leaning
		return nil
	}
	if err := inOrder(ctx, c.options.Workers, int(m.Blocks), decode, take); err != nil {
		return err
	}
	if report.Blocks == m.Blocks {
		found.Bytes = report.Bytes
		total.fill(&found)
		report.compareTotals(found, m)
	}
	return nil
}

// compareTotals lists what the manifest says otherwise than the scores.
func (r *LayerReport) compareTotals(found, said Manifest) {
	for _, total := range []struct {
		name        string
		found, said any
	}{
		{"wins", found.Wins, said.Wins},
		{"draws", found.Draws, said.Draws},
		{"losses", found.Losses, said.Losses},
		{"sum of scores", found.ScoreSum, said.ScoreSum},
		{"positions leaning on rule 8", found.Endless, said.Endless},
		{"bytes", found.Bytes, said.Bytes},
		{"SHA-256", found.SHA256, said.SHA256},
	} {
		if total.found != total.said {
			r.add(FaultTotals, fmt.Errorf("%v: %s: the blocks give %v, the manifest says %v", r.Key, total.name, total.found, total.said))
		}
	}
	if !slices.Equal(found.Histogram, said.Histogram) {
		r.add(FaultTotals, fmt.Errorf("%v: the manifest's histogram is not that of the blocks", r.Key))
	}
}

// compare recomputes scores from those of the successors.
func (c *checker) compare(ctx context.Context, report *LayerReport, g game.Game) error {
	k := report.Key
	source := c.source(g)
	for beans := k.Beans - 2; beans >= 0; beans -= 2 {
		if source.layers[beans] == nil {
			report.add(FaultLower, fmt.Errorf("%v cannot be compared with its successors: %v: %w", k, KeyOf(g, beans), ErrNoLayer))
			return nil
		}
	}
	compared, err := solver.Check(ctx, solver.Review{
		Game: g, Index: c.db.indexes[k.Width](), Beans: k.Beans, Tables: source,
		Workers: c.options.Workers, Sample: c.options.Sample,
		Report: func(done, total uint64) { c.report(k, Comparing, done, total) },
	})
	report.Compared = compared
	var mismatch *solver.MismatchError
	switch {
	case errors.As(err, &mismatch):
		report.add(FaultScore, err)
	case ClassOf(err) == ClassBadData:
		report.add(FaultLower, fmt.Errorf("%v cannot be compared with its successors: %w", k, err))
	default:
		return err
	}
	return nil
}

// report tells the caller how far the check is.
func (c *checker) report(k Key, phase CheckPhase, done, total uint64) {
	if c.options.Report != nil {
		c.options.Report(CheckProgress{Key: k, Phase: phase, Done: done, Total: total})
	}
}
