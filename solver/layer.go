package solver

import (
	"bohnenspiel/solver/game"
)

// Layer is a solved layer.
type Layer struct{}

// Beans returns the number of beans of the layer's positions.
func (l *Layer) Beans() int { return 0 }

// Size returns the number of positions.
func (l *Layer) Size() uint64 { return 0 }

// Leaning returns the number of positions whose score leans on rule 8.
func (l *Layer) Leaning() uint64 { return 0 }

// Sweeps returns the number of sweeps that it took.
func (l *Layer) Sweeps() int { return 0 }

// Copy fills dst with values of the given kind, from index first on, in the
// order of package index. It is safe for concurrent use.
func (l *Layer) Copy(kind Kind, first uint64, dst []game.Score) {}
