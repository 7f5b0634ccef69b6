package solver

import (
	"bohnenspiel/solver/game"
)

// Layer is a solved layer, held in memory: one byte a position for even layers to
// 42 beans, two for others, and twice as much for layers that lean on rule 8
// above others that do.
type Layer struct {
	problem Problem
	size    uint64
	leaning uint64
	sweeps  int
	scores  copier
	bounds  copier
}

// copier reads the values of a grid.
type copier interface {
	copy(kind Kind, first uint64, dst []game.Score)
	keepsFirst() bool
	settle(t *tile, first int, best *columnBuffer, s *Settled)
	placeRow(s *Settled, row int, dst []PlacedScore)
}

// Beans returns the number of beans of the layer's positions.
func (l *Layer) Beans() int { return l.problem.Beans }

// Size returns the number of positions.
func (l *Layer) Size() uint64 { return l.size }

// Leaning returns the number of positions whose score leans on rule 8.
func (l *Layer) Leaning() uint64 { return l.leaning }

// Sweeps returns the number of sweeps that it took.
func (l *Layer) Sweeps() int { return l.sweeps }

// Step returns the distance of neighbouring scores. A score is −beans + place·step, with
// places from 0 on. It needs that nothing leans on rule 8, here and below.
func (l *Layer) Step() int { return latticeOf(l.problem.Beans, false).step }

// Copy fills dst with values of the given kind, from index first on, in the
// order of package index. It needs first+len(dst) ≤ Size and is safe for
// concurrent use.
func (l *Layer) Copy(kind Kind, first uint64, dst []game.Score) {
	if kind == Scores {
		l.scores.copy(kind, first, dst)
		return
	}
	l.bounds.copy(kind, first, dst)
}
