package check

import (
	"fmt"
	"strings"
)

// Level is how much of a layer is verified. Each depth but Recompute does what
// the one before does, in the order quick, totals, whole.
type Level uint8

// The depths.
const (
	// Whole compares each score, or a sample of them, with those of its successors.
	Whole Level = iota
	// Quick reads each block, verifies its checksum, decodes it, and compares the seal
	// of all of them with the manifest's.
	Quick
	// Totals recomputes hash and totals from the scores.
	Totals
	// Recompute does as Totals does, then solves the layer anew from those below
	// it, its depths as well where they are stored, and compares hash and totals. It takes
	// the time and memory of a build.
	Recompute
)

// String returns "quick", "totals", "whole" or "recompute".
func (d Level) String() string {
	return [...]string{Whole: "whole", Quick: "quick", Totals: "totals", Recompute: "recompute"}[d]
}

// ParseLevel reads what String returns. Any other text gives an error that wraps
// ErrLevel.
func ParseLevel(text string) (Level, error) {
	var names []string
	for _, d := range []Level{Quick, Totals, Whole, Recompute} {
		if text == d.String() {
			return d, nil
		}
		names = append(names, d.String())
	}
	return 0, fmt.Errorf("%w %q: use one of %s", ErrLevel, text, strings.Join(names, ", "))
}
