package tablebase

import (
	"context"
	"encoding/binary"
	"fmt"
	"unsafe"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/memory"
)

// form is how a table of a layer is kept while it serves others.
type form uint8

const (
	// bytewise is in memory, a score a byte.
	bytewise form = iota
	// packed is in memory, two scores a byte where that is possible.
	packed
	// spilled is in a file, a score a byte.
	spilled
)

// flat is one table of a layer in the order of package index, in one of the forms. It
// is safe for concurrent reading.
type flat struct {
	block  memory.Block
	scores []game.Score // nil unless bytewise
	packed []byte       // nil unless packed, the first score in the low half
	spill  *spill       // nil unless spilled
	beans  int          // of the layer
}

// packable reports whether the scores of a layer that nothing leans in have at most
// 16 values, so that two fit in a byte.
func packable(beans int) bool { return beans%2 == 0 && beans <= 30 }

// flatBytes returns the memory that a flat table takes outside the heap.
func flatBytes(beans int, positions uint64, f form) uint64 {
	switch {
	case f == spilled:
		return 0
	case f == packed && packable(beans):
		return (positions + 1) / 2
	}
	return positions
}

// newFlat returns an empty table of a layer. The directory is where a spilled one has
// its file. A table that is not packable is bytewise instead of packed. The error
// wraps ErrMemory or ErrStorage.
func newFlat(beans int, positions uint64, as form, dir string) (*flat, error) {
	f := &flat{beans: beans}
	if as == spilled {
		var err error
		f.spill, err = newSpill(dir, positions)
		return f, err
	}
	bytes, err := f.block.Bytes(int(flatBytes(beans, positions, as)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMemory, err)
	}
	if as == packed && packable(beans) {
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

// write sets the scores from index first on. Only a spilled table gives an error.
func (f *flat) write(first uint64, scores []game.Score) error {
	switch {
	case f.spill != nil:
		return f.spill.write(first, scores)
	case f.packed == nil:
		copy(f.scores[first:], scores)
		return nil
	}
	at := first / 2
	if first%2 == 1 && len(scores) > 0 {
		f.packed[at] = f.packed[at]&15 | byte(f.symbol(scores[0])<<4)
		at++
		scores = scores[1:]
	}
	beans := uint64(f.beans) * eachByte
	for ; len(scores) >= 8; scores, at = scores[8:], at+4 {
		eight := binary.LittleEndian.Uint64(asBytes(scores))
		// The sum of each byte and beans, with the top bits apart, as they would carry.
		symbols := ((eight&^byteTops + beans) ^ eight&byteTops) >> 2 & (15 * eachByte)
		symbols = (symbols | symbols>>4) & 0x00ff00ff00ff00ff
		symbols = (symbols | symbols>>8) & 0x0000ffff0000ffff
		binary.LittleEndian.PutUint32(f.packed[at:], uint32(symbols|symbols>>16))
	}
	for len(scores) >= 2 {
		f.packed[at] = byte(f.symbol(scores[0]) | f.symbol(scores[1])<<4)
		at++
		scores = scores[2:]
	}
	if len(scores) == 1 {
		f.packed[at] = f.packed[at]&^15 | byte(f.symbol(scores[0]))
	}
	return nil
}

// copyFrom sets scores, from index first on and as many as buf has, to those of a solved
// layer. It returns them: memory of the table where it has them as bytes, else buf,
// filled. Only a spilled table gives an error.
func (f *flat) copyFrom(solved *solver.Layer, kind solver.Kind, first uint64, buf []game.Score) ([]game.Score, error) {
	if f.scores != nil {
		buf = f.scores[first:][:len(buf):len(buf)]
	}
	solved.Copy(kind, first, buf)
	if f.scores != nil {
		return buf, nil
	}
	return buf, f.write(first, buf)
}

// symbol returns the place of a score among those of its layer: every fourth.
func (f *flat) symbol(score game.Score) int { return (int(score) + f.beans) / 4 }

// read returns count scores from index first on: memory of the table where it has
// them as bytes, else buf, filled. Only a spilled table gives an error.
func (f *flat) read(first uint64, count int, buf []game.Score) ([]game.Score, error) {
	switch {
	case f.spill != nil:
		return f.spill.read(first, count, buf)
	case f.packed == nil:
		return f.scores[first : first+uint64(count) : first+uint64(count)], nil
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
	beans := uint64(f.beans) * eachByte
	for ; len(rest) >= 8; rest, packed = rest[8:], packed[4:] {
		symbols := uint64(binary.LittleEndian.Uint32(packed))
		symbols = (symbols | symbols<<16) & 0x0000ffff0000ffff
		symbols = (symbols | symbols<<8) & 0x00ff00ff00ff00ff
		symbols = (symbols | symbols<<4) & (15 * eachByte)
		// A byte that is made larger by 128 does not borrow from the next.
		binary.LittleEndian.PutUint64(asBytes(rest), (symbols<<2|byteTops)-beans^byteTops)
	}
	for i := range len(rest) / 2 {
		two := packed[i]
		rest[2*i], rest[2*i+1] = score(two&15), score(two>>4)
	}
	if len(rest)%2 == 1 {
		rest[len(rest)-1] = score(packed[len(packed)-1] & 15)
	}
	return buf, nil
}

// free gives memory and file back.
func (f *flat) free() {
	f.block.Free()
	if f.spill != nil {
		f.spill.free()
	}
}

// at returns one score.
func (f *flat) at(index uint64) game.Score {
	if f.packed == nil {
		return f.scores[index]
	}
	return game.Score(int(f.packed[index/2]>>(index%2*4)&15)*4 - f.beans)
}

// flatLayer is the tables of one layer in memory, by kind. Where nothing leans on
// rule 8, all three are the same.
type flatLayer [3]*flat

// leans reports whether any position leans on rule 8.
func (l *flatLayer) leans() bool { return l[solver.Lows] != l[solver.Scores] }

// leaning counts the positions that lean on rule 8.
func (l *flatLayer) leaning(ctx context.Context, positions uint64) (uint64, error) {
	if !l.leans() {
		return 0, nil
	}
	leaning := uint64(0)
	size := min(positions, summaryChunk)
	lowBuffer, highBuffer := make([]game.Score, size), make([]game.Score, size)
	for first := uint64(0); first < positions; first += summaryChunk {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		count := int(min(positions-first, summaryChunk))
		lows, err := l[solver.Lows].read(first, count, lowBuffer)
		if err != nil {
			return 0, err
		}
		highs, err := l[solver.Highs].read(first, count, highBuffer)
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

// size returns the bytes that the tables take: in memory outside the heap, and in
// files.
func (l *flatLayer) size() (memory, files uint64) {
	for kind, f := range l {
		if kind > 0 && !l.leans() {
			break
		}
		memory += uint64(f.block.Size())
		if f.spill != nil {
			files += f.spill.size
		}
	}
	return memory, files
}

// free gives memory and files back. Tables may be missing.
func (l *flatLayer) free() {
	for kind, f := range l {
		if f != nil && (kind == 0 || f != l[solver.Scores]) {
			f.free()
		}
	}
}

// flats are the layers of one game that are at hand. They are a solver.Source,
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
	return layer[kind].read(first, count, buf)
}

// Leans implements solver.Source. A layer that is not there leans on nothing.
func (s *flats) Leans(beans int) bool {
	return s.layers[beans] != nil && s.layers[beans].leans()
}

// size returns the bytes that all layers take: in memory outside the heap, and in files.
func (s *flats) size() (memory, files uint64) {
	for _, layer := range s.layers {
		if layer != nil {
			m, f := layer.size()
			memory, files = memory+m, files+f
		}
	}
	return memory, files
}

// free gives memory and files of all layers back.
func (s *flats) free() {
	for beans, layer := range s.layers {
		if layer != nil {
			layer.free()
			s.layers[beans] = nil
		}
	}
}
