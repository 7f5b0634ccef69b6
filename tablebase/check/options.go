package check

import (
	"bohnenspiel/tablebase/format"
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
