package check

import (
	"fmt"
	"slices"

	"bohnenspiel/tablebase/format"
)

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

// compareDepthTotals lists what the manifest says otherwise than the DTCs.
func (r *LayerReport) compareDepthTotals(found, said format.DepthManifest) {
	r.addTotals("DTCs", found.Histogram, said.Histogram,
		comparedTotal{"longest DTC", found.Longest, said.Longest},
		comparedTotal{"index of the longest DTC", found.LongestIndex, said.LongestIndex},
		comparedTotal{"positions with an endless DTC", found.Endless, said.Endless},
		comparedTotal{"SHA-256 of the depths", found.SHA256, said.SHA256})
}

// BoundsReport is what a check found in the bounds that are kept of positions above the
// tables. See [DB.Kept].
type BoundsReport struct {
	Kept uint64 // positions whose bounds are there and sound
	// Others counts those of them that were proved with other tables than there are now, and
	// so count as none.
	Others uint64
	// Compared counts those that were compared with the tables, where these have the
	// position, or else with what its moves lead to.
	Compared uint64
	Faults   []BoundsFault
}

// BoundsFault is something wrong with bounds.
type BoundsFault struct {
	Key []byte // of the value in the database
	Err error  // what is wrong, in one line
}
