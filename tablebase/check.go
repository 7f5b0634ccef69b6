package tablebase

import (
	"context"
	"errors"
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
	Layers []LayerReport // in the order of Keys
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
	Key       Key
	Blocks    uint64 // blocks read and sound
	Bytes     uint64 // bytes of their values
	Read      uint64 // positions decoded, of one kind each
	Compared  uint64 // positions compared with their successors
	Faults    []Fault
	Truncated bool // there are more faults than are listed
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
// from those of its successors. It goes on after a fault, and reports all of them.
//
// The error is the context's when that ends, or ErrClosed; the report holds what
// was checked until then.
func (db *DB) Check(ctx context.Context, o CheckOptions) (CheckReport, error) {
	return CheckReport{}, errors.ErrUnsupported
}
