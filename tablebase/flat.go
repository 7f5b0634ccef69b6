package tablebase

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
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
	// squeezed is packed, in larger layers too: the lowest scores share a symbol, and a
	// list says where which of them is.
	squeezed
	// spilled is in a file, a score a byte.
	spilled
)

// flat is one table of a layer in the order of package index, in one of the forms. It
// is safe for concurrent reading.
type flat struct {
	block  memory.Block
	scores []game.Score // nil unless bytewise
	packed []byte       // nil unless packed or squeezed, the first score in the low half
	spill  *spill       // nil unless spilled
	beans  int          // of the layer
	shared int          // how many of the lowest scores share symbol 0 with the next one
	// lowest has the positions with one of these, in ascending order: the index, and in
	// the lowest placeBits bits the place of the score among those of the layer.
	lowest []uint64
}

const (
	// placeBits is enough for the place of a score in all layers that can be squeezed.
	placeBits   = 5
	listedBytes = 8 // what an entry of the list takes
)

// packable reports whether the scores of a layer that nothing leans in have at most
// 16 values, so that two fit in a byte.
func packable(beans int) bool { return beans%2 == 0 && sharing(beans) == 0 }

// squeezable reports whether a layer that nothing leans in can be squeezed.
func squeezable(beans int) bool { return beans%2 == 0 && beans/2 < 1<<placeBits }

// sharing returns how many of the lowest scores of an even layer are too many for 16
// symbols.
func sharing(beans int) int { return max(0, beans/2+1-16) }

// can returns the form in which a table of a layer will be if it is to be in one.
func can(beans int, as form) form {
	if as == packed && !packable(beans) || as == squeezed && !squeezable(beans) {
		return bytewise
	}
	return as
}

// flatBytes returns the memory that a flat table takes outside the heap.
func flatBytes(beans int, positions uint64, f form) uint64 {
	switch can(beans, f) {
	case spilled:
		return 0
	case packed, squeezed:
		return (positions + 1) / 2
	default:
		return positions
	}
}

// listed returns how many positions of a layer a squeezed table has to list.
func listed(m Manifest) (count uint64) {
	for place := range sharing(m.Beans) {
		count += m.Histogram[4*place] // of the score 4·place − beans
	}
	return count
}

// newFlat returns an empty table of a layer. The directory is where a spilled one has
// its file. A table that can't be packed or squeezed is bytewise. The error
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
	if can(beans, as) == bytewise {
		f.scores = asScores(bytes)
	} else {
		f.packed, f.shared = bytes, sharing(beans)
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

// write sets the scores from index first on. A squeezed table has to be written in
// ascending order, and once. Only a spilled table gives an error.
func (f *flat) write(first uint64, scores []game.Score) error {
	switch {
	case f.spill != nil:
		return f.spill.write(first, scores)
	case f.packed == nil:
		copy(f.scores[first:], scores)
		return nil
	}
	f.list(first, scores)
	at := first / 2
	if first%2 == 1 && len(scores) > 0 {
		f.packed[at] = f.packed[at]&15 | byte(f.symbol(scores[0])<<4)
		at++
		scores = scores[1:]
	}
	beans, shared := uint64(f.beans)*eachByte, uint64(f.shared)*eachByte
	for ; len(scores) >= 8; scores, at = scores[8:], at+4 {
		eight := binary.LittleEndian.Uint64(asBytes(scores))
		// The sum of each byte and beans, with the top bits apart, as they would carry.
		symbols := ((eight&^byteTops + beans) ^ eight&byteTops) >> 2 & (31 * eachByte)
		// Less the shared ones, but at least 0: the top bit stays where nothing is borrowed.
		symbols = (symbols | byteTops) - shared
		symbols &= (symbols & byteTops >> 7) * 15
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

// place returns the place of a score among those of its layer: every fourth.
func (f *flat) place(score game.Score) int { return (int(score) + f.beans) / 4 }

// symbol returns the symbol of a score.
func (f *flat) symbol(score game.Score) int { return max(0, f.place(score)-f.shared) }

// score returns the largest score that has a symbol.
func (f *flat) score(symbol byte) game.Score {
	return game.Score((int(symbol)+f.shared)*4 - f.beans)
}

// list adds those of some scores to the list that share a symbol with a larger one.
func (f *flat) list(first uint64, scores []game.Score) {
	if f.shared == 0 {
		return
	}
	least := f.score(0)
	for i, score := range scores {
		if score < least {
			f.lowest = append(f.lowest, (first+uint64(i))<<placeBits|uint64(f.place(score)))
		}
	}
}

// lowestFrom yields the scores in the list from index first on, with their indices.
func (f *flat) lowestFrom(first uint64) iter.Seq2[uint64, game.Score] {
	return func(yield func(uint64, game.Score) bool) {
		at, _ := slices.BinarySearch(f.lowest, first<<placeBits)
		for _, entry := range f.lowest[at:] {
			place := int(entry & (1<<placeBits - 1))
			if !yield(entry>>placeBits, game.Score(4*place-f.beans)) {
				return
			}
		}
	}
}

// read returns count scores from index first on: memory of the table where it has
// them as bytes, else buf, filled. Only a spilled table gives an error.
func (f *flat) read(first uint64, count int, buf []game.Score) ([]game.Score, error) {
	switch {
	case f.spill != nil:
		return f.spill.read(first, count, buf)
	case f.packed == nil:
		return f.scores[first : first+uint64(count) : first+uint64(count)], nil
	}
	buf = buf[:count]
	rest := buf
	at := first / 2
	if first%2 == 1 && count > 0 {
		rest[0] = f.score(f.packed[at] >> 4)
		rest = rest[1:]
		at++
	}
	packed := f.packed[at:][:(len(rest)+1)/2]
	least := uint64(-f.score(0)) * eachByte
	for ; len(rest) >= 8; rest, packed = rest[8:], packed[4:] {
		symbols := uint64(binary.LittleEndian.Uint32(packed))
		symbols = (symbols | symbols<<16) & 0x0000ffff0000ffff
		symbols = (symbols | symbols<<8) & 0x00ff00ff00ff00ff
		symbols = (symbols | symbols<<4) & (15 * eachByte)
		// A byte that is made larger by 128 does not borrow from the next.
		binary.LittleEndian.PutUint64(asBytes(rest), (symbols<<2|byteTops)-least^byteTops)
	}
	for i := range len(rest) / 2 {
		two := packed[i]
		rest[2*i], rest[2*i+1] = f.score(two&15), f.score(two>>4)
	}
	if len(rest)%2 == 1 {
		rest[len(rest)-1] = f.score(packed[len(packed)-1] & 15)
	}
	if f.shared > 0 {
		for index, score := range f.lowestFrom(first) {
			if index >= first+uint64(count) {
				break
			}
			buf[index-first] = score
		}
	}
	return buf, nil
}

// free gives memory and file back.
func (f *flat) free() {
	f.block.Free()
	f.lowest = nil
	if f.spill != nil {
		f.spill.free()
	}
}

// at returns one score.
func (f *flat) at(index uint64) game.Score {
	if f.packed == nil {
		return f.scores[index]
	}
	symbol := f.packed[index/2] >> (index % 2 * 4) & 15
	if symbol == 0 && f.shared > 0 {
		for i, score := range f.lowestFrom(index) {
			if i == index {
				return score
			}
			break
		}
	}
	return f.score(symbol)
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

// size returns the bytes that the tables take: in memory, and in files.
func (l *flatLayer) size() (memory, files uint64) {
	for kind, f := range l {
		if kind > 0 && !l.leans() {
			break
		}
		memory += uint64(f.block.Size()) + uint64(cap(f.lowest))*listedBytes
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

// size returns the bytes that all layers take: in memory, and in files.
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
