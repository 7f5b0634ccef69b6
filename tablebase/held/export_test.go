package held

import (
	"bohnenspiel/solver"
)

// What a spilled table keeps in memory.
const (
	WindowPositions = windowPositions
	WindowSlots     = windowSlots
)

// Packed reports whether two scores share a byte.
func (t *Table) Packed() bool { return t.packed != nil }

// Spilled reports whether the scores are in a file.
func (t *Table) Spilled() bool { return t.spill != nil }

// PackedLayers returns the number of layers of which two scores share a byte.
func PackedLayers(l *Layers) int {
	packed := 0
	for _, layer := range l.Layers {
		if layer != nil && layer[solver.Scores].packed != nil {
			packed++
		}
	}
	return packed
}
