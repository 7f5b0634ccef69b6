package tablebase

import (
	"context"
	"fmt"
	"runtime"
	"slices"
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
	// layers of a game stay in memory until the next game's turn.
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
	c := &checker{db: db, options: o}
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
