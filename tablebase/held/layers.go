package held

import (
	"context"
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase/format"
)

// Layer is the tables of one layer in memory, by kind. Where nothing leans on
// rule 8, all three are the same.
type Layer [3]*Table

// Spilled reports whether the scores are in a file.
func (l *Layer) Spilled() bool { return l[solver.Scores].spill != nil }

// leans reports whether any position leans on rule 8.
func (l *Layer) leans() bool { return l[solver.Lows] != l[solver.Scores] }

// Leaning counts the positions that lean on rule 8.
func (l *Layer) Leaning(ctx context.Context, positions uint64) (uint64, error) {
	if !l.leans() {
		return 0, nil
	}
	leaning := uint64(0)
	size := min(positions, format.SummaryChunk)
	lowBuffer, highBuffer := make([]game.Score, size), make([]game.Score, size)
	for first := uint64(0); first < positions; first += format.SummaryChunk {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		count := int(min(positions-first, format.SummaryChunk))
		lows, err := l[solver.Lows].Read(first, count, lowBuffer)
		if err != nil {
			return 0, err
		}
		highs, err := l[solver.Highs].Read(first, count, highBuffer)
		if err != nil {
			return 0, err
		}
		for i := range lows {
			if lows[i] < highs[i] {
				leaning++
			}
		}
	}
	return leaning, nil
}

// Size returns the bytes that the tables take: in memory, and in files.
func (l *Layer) Size() (memory, files uint64) {
	for kind, f := range l {
		if kind > 0 && !l.leans() {
			break
		}
		memory += uint64(f.block.Size()) + uint64(cap(f.lowest))*ListedBytes
		if f.spill != nil {
			files += f.spill.size
		}
	}
	return memory, files
}

// Free gives memory and files back. Tables may be missing.
func (l *Layer) Free() {
	for kind, f := range l {
		if f != nil && (kind == 0 || f != l[solver.Scores]) {
			f.Free()
		}
	}
}

// Layers are the layers of one game that are at hand. They are a solver.Source,
// safe for concurrent use as long as no layer is added or freed.
type Layers struct {
	Game   game.Game
	Layers []*Layer // by beans; nil where there is none
}

// NewLayers returns no layers, with room for those up to beans.
func NewLayers(g game.Game, beans int) *Layers {
	return &Layers{Game: g, Layers: make([]*Layer, beans+1)}
}

// Read implements solver.Source. The error wraps ErrNoLayer.
func (s *Layers) Read(kind solver.Kind, beans int, first uint64, count int, buf []game.Score) ([]game.Score, error) {
	layer := s.Layers[beans]
	if layer == nil {
		return nil, fmt.Errorf("%v: %w", format.KeyOf(s.Game, beans), format.ErrNoLayer)
	}
	return layer[kind].Read(first, count, buf)
}

// Leans implements solver.Source. A layer that is not there leans on nothing.
func (s *Layers) Leans(beans int) bool {
	return s.Layers[beans] != nil && s.Layers[beans].leans()
}

// Size returns the bytes that all layers take: in memory, and in files.
func (s *Layers) Size() (memory, files uint64) {
	for _, layer := range s.Layers {
		if layer != nil {
			m, f := layer.Size()
			memory, files = memory+m, files+f
		}
	}
	return memory, files
}

// Drop gives memory and files of a layer back, if it is there.
func (s *Layers) Drop(beans int) {
	if layer := s.Layers[beans]; layer != nil {
		layer.Free()
		s.Layers[beans] = nil
	}
}

// Free gives memory and files of all layers back.
func (s *Layers) Free() {
	for beans, layer := range s.Layers {
		if layer != nil {
			layer.Free()
			s.Layers[beans] = nil
		}
	}
}

// LargestRectangle returns the positions of the largest rectangle of a layer.
func LargestRectangle(x *index.Index, beans int) float64 {
	largest := 0.0
	for mover := range beans + 1 {
		largest = max(largest, float64(x.Rows(mover))*float64(x.Rows(beans-mover)))
	}
	return largest
}
