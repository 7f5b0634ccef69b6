package tablebase

import (
	"fmt"
	"unsafe"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/memory"
)

// flat is one table of a layer in memory, in the order of package index: one score a
// byte, or packed two to a byte, the first in the low half. It is safe for concurrent
// reading.
type flat struct {
	block  memory.Block
	scores []game.Score // nil where packed
	packed []byte
	beans  int // of the layer
}

// packable reports whether the scores of a layer that nothing leans in have at most
// 16 values, so that two fit in a byte.
func packable(beans int) bool { return beans%2 == 0 && beans <= 30 }

// flatBytes returns the memory that a flat table takes.
func flatBytes(beans int, positions uint64, packed bool) uint64 {
	if packed && packable(beans) {
		return (positions + 1) / 2
	}
	return positions
}

// newFlat returns an empty table of a layer, packed if that is wanted and it is packable.
func newFlat(beans int, positions uint64, packed bool) (*flat, error) {
	f := &flat{beans: beans}
	bytes, err := f.block.Bytes(int(flatBytes(beans, positions, packed)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMemory, err)
	}
	if packed && packable(beans) {
		f.packed = bytes
	} else {
		f.scores = asScores(bytes)
	}
	return f, nil
}

// asScores returns the same memory as scores.
func asScores(bytes []byte) []game.Score {
	return unsafe.Slice((*game.Score)(unsafe.Pointer(unsafe.SliceData(bytes))), len(bytes))
}

// asBytes returns the memory of scores: their signed bytes.
func asBytes(scores []game.Score) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(scores))), len(scores))
}

// write sets the scores from index first on. Where the table is packed, first must
// be even, and the number of scores as well but at the end of the table.
func (f *flat) write(first uint64, scores []game.Score) {
	if f.packed == nil {
		copy(f.scores[first:], scores)
		return
	}
	at := first / 2
	for len(scores) >= 2 {
		f.packed[at] = byte(f.symbol(scores[0]) | f.symbol(scores[1])<<4)
		at++
		scores = scores[2:]
	}
	if len(scores) == 1 {
		f.packed[at] = byte(f.symbol(scores[0]))
	}
}

// copyFrom sets all scores to those of a solved layer.
func (f *flat) copyFrom(solved *solver.Layer, kind solver.Kind) {
	if f.packed == nil {
		solved.Copy(kind, 0, f.scores)
		return
	}
	chunk := make([]game.Score, min(solved.Size(), summaryChunk)) // an even number, but for the last
	for first := uint64(0); first < solved.Size(); first += summaryChunk {
		scores := chunk[:min(solved.Size()-first, summaryChunk)]
		solved.Copy(kind, first, scores)
		f.write(first, scores)
	}
}

// symbol returns the place of a score among those of its layer: every fourth.
func (f *flat) symbol(score game.Score) int { return (int(score) + f.beans) / 4 }

// read returns count scores from index first on: memory of the table where it has
// them as bytes, else buf, filled.
func (f *flat) read(first uint64, count int, buf []game.Score) []game.Score {
	if f.packed == nil {
		return f.scores[first : first+uint64(count) : first+uint64(count)]
	}
	score := func(symbol byte) game.Score { return game.Score(int(symbol)*4 - f.beans) }
	buf = buf[:count]
	rest := buf
	at := first / 2
	if first%2 == 1 && count > 0 {
		rest[0] = score(f.packed[at] >> 4)
		rest = rest[1:]
		at++
	}
	packed := f.packed[at:][:(len(rest)+1)/2]
	for i := range len(rest) / 2 {
		two := packed[i]
		rest[2*i], rest[2*i+1] = score(two&15), score(two>>4)
	}
	if len(rest)%2 == 1 {
		rest[len(rest)-1] = score(packed[len(packed)-1] & 15)
	}
	return buf
}

// flatLayer is the tables of one layer in memory, by kind. Where nothing leans on
// rule 8, all three are the same.
type flatLayer [3]*flat

// leans reports whether any position leans on rule 8.
func (l *flatLayer) leans() bool { return l[solver.Lows] != l[solver.Scores] }

// size returns the bytes of memory that the tables take.
func (l *flatLayer) size() uint64 {
	size := l[solver.Scores].block.Size()
	if l.leans() {
		size += l[solver.Lows].block.Size() + l[solver.Highs].block.Size()
	}
	return uint64(size)
}

// free gives the memory back. Tables may be missing.
func (l *flatLayer) free() {
	for _, f := range l {
		if f != nil {
			f.block.Free()
		}
	}
}

// flats are the layers of one game that are in memory. They are a solver.Source,
// safe for concurrent use as long as no layer is added or freed.
type flats struct {
	game   game.Game
	layers []*flatLayer // by beans; nil where there is none
}

// newFlats returns no layers, with room for those up to beans.
func newFlats(g game.Game, beans int) *flats {
	return &flats{game: g, layers: make([]*flatLayer, beans+1)}
}

// Read implements solver.Source. The error wraps ErrNoLayer.
func (s *flats) Read(kind solver.Kind, beans int, first uint64, count int, buf []game.Score) ([]game.Score, error) {
	layer := s.layers[beans]
	if layer == nil {
		return nil, fmt.Errorf("%v: %w", KeyOf(s.game, beans), ErrNoLayer)
	}
	return layer[kind].read(first, count, buf), nil
}

// Leans implements solver.Source. A layer that is not there leans on nothing.
func (s *flats) Leans(beans int) bool {
	return s.layers[beans] != nil && s.layers[beans].leans()
}

// free gives the memory of all layers back.
func (s *flats) free() {
	for beans, layer := range s.layers {
		if layer != nil {
			layer.free()
			s.layers[beans] = nil
		}
	}
}
