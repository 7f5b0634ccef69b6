package held

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/memory"
	"bohnenspiel/tablebase/format"
)

// Form is how a table of a layer is kept while it serves others.
type Form uint8

const (
	// Bytewise is in memory, a score a byte.
	Bytewise Form = iota
	// Packed is in memory, two scores a byte where that is possible.
	Packed
	// Squeezed is packed, in larger layers too: the lowest scores share a symbol, and a
	// list says where which of them is.
	Squeezed
	// Spilled is in a file, a score a byte.
	Spilled
)

// Table is one table of a layer in the order of package index, in one of the forms. It
// is safe for concurrent reading.
type Table struct {
	block  memory.Block
	Scores []game.Score // nil unless bytewise
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
	placeBits = 5
	// ListedBytes is what an entry of the list takes.
	ListedBytes = 8
)

// packable reports whether the scores of a layer that nothing leans in have at most
// 16 values, so that two fit in a byte.
func packable(beans int) bool { return beans%2 == 0 && sharing(beans) == 0 }

// Squeezable reports whether a layer that nothing leans in can be squeezed.
func Squeezable(beans int) bool { return beans%2 == 0 && beans/2 < 1<<placeBits }

// sharing returns how many of the lowest scores of an even layer are too many for 16
// symbols.
func sharing(beans int) int { return max(0, beans/2+1-16) }

// can returns the form in which a table of a layer will be if it is to be in one.
func can(beans int, as Form) Form {
	if as == Packed && !packable(beans) || as == Squeezed && !Squeezable(beans) {
		return Bytewise
	}
	return as
}

// TableBytes returns the memory that a table takes outside the heap.
func TableBytes(beans int, positions uint64, f Form) uint64 {
	switch can(beans, f) {
	case Spilled:
		return 0
	case Packed, Squeezed:
		return (positions + 1) / 2
	default:
		return positions
	}
}

// Listed returns how many positions of a layer a squeezed table has to list.
func Listed(m format.Manifest) (count uint64) {
	for place := range sharing(m.Beans) {
		count += m.Histogram[4*place] // of the score 4·place − beans
	}
	return count
}

// NewTable returns an empty table of a layer. The directory is where a spilled one has
// its file. A table that can't be packed or squeezed is bytewise. The error
// wraps ErrMemory or ErrStorage.
func NewTable(beans int, positions uint64, as Form, dir string) (*Table, error) {
	f := &Table{beans: beans}
	if as == Spilled {
		var err error
		f.spill, err = newSpill(dir, positions)
		return f, err
	}
	bytes, err := f.block.Bytes(int(TableBytes(beans, positions, as)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMemory, err)
	}
	if can(beans, as) == Bytewise {
		f.Scores = format.Scores(bytes)
	} else {
		f.packed, f.shared = bytes, sharing(beans)
	}
	return f, nil
}

// Write sets the scores from index first on. A squeezed table has to be written in
// ascending order, and once. Only a spilled table gives an error.
func (t *Table) Write(first uint64, scores []game.Score) error {
	switch {
	case t.spill != nil:
		return t.spill.write(first, scores)
	case t.packed == nil:
		copy(t.Scores[first:], scores)
		return nil
	}
	t.list(first, scores)
	at := first / 2
	if first%2 == 1 && len(scores) > 0 {
		t.packed[at] = t.packed[at]&15 | byte(t.symbol(scores[0])<<4)
		at++
		scores = scores[1:]
	}
	beans, shared := uint64(t.beans)*format.EachByte, uint64(t.shared)*format.EachByte
	for ; len(scores) >= 8; scores, at = scores[8:], at+4 {
		eight := binary.LittleEndian.Uint64(format.Bytes(scores))
		// The sum of each byte and beans, with the top bits apart, as they would carry.
		symbols := ((eight&^format.ByteTops + beans) ^ eight&format.ByteTops) >> 2 & (31 * format.EachByte)
		// Less the shared ones, but at least 0: the top bit stays where nothing is borrowed.
		symbols = (symbols | format.ByteTops) - shared
		symbols &= (symbols & format.ByteTops >> 7) * 15
		symbols = (symbols | symbols>>4) & 0x00ff00ff00ff00ff
		symbols = (symbols | symbols>>8) & 0x0000ffff0000ffff
		binary.LittleEndian.PutUint32(t.packed[at:], uint32(symbols|symbols>>16))
	}
	for len(scores) >= 2 {
		t.packed[at] = byte(t.symbol(scores[0]) | t.symbol(scores[1])<<4)
		at++
		scores = scores[2:]
	}
	if len(scores) == 1 {
		t.packed[at] = t.packed[at]&^15 | byte(t.symbol(scores[0]))
	}
	return nil
}

// CopyFrom sets scores, from index first on and as many as buf has, to those of a solved
// layer. It returns them: memory of the table where it has them as bytes, else buf,
// filled. Only a spilled table gives an error.
func (t *Table) CopyFrom(solved *solver.Layer, kind solver.Kind, first uint64, buf []game.Score) ([]game.Score, error) {
	if t.Scores != nil {
		buf = t.Scores[first:][:len(buf):len(buf)]
	}
	solved.Copy(kind, first, buf)
	if t.Scores != nil {
		return buf, nil
	}
	return buf, t.Write(first, buf)
}

// place returns the place of a score among those of its layer: every fourth.
func (t *Table) place(score game.Score) int { return (int(score) + t.beans) / 4 }

// symbol returns the symbol of a score.
func (t *Table) symbol(score game.Score) int { return max(0, t.place(score)-t.shared) }

// score returns the largest score that has a symbol.
func (t *Table) score(symbol byte) game.Score {
	return game.Score((int(symbol)+t.shared)*4 - t.beans)
}

// list adds those of some scores to the list that share a symbol with a larger one.
func (t *Table) list(first uint64, scores []game.Score) {
	if t.shared == 0 {
		return
	}
	least := t.score(0)
	for i, score := range scores {
		if score < least {
			t.lowest = append(t.lowest, (first+uint64(i))<<placeBits|uint64(t.place(score)))
		}
	}
}

// lowestFrom yields the scores in the list from index first on, with their indices.
func (t *Table) lowestFrom(first uint64) iter.Seq2[uint64, game.Score] {
	return func(yield func(uint64, game.Score) bool) {
		at, _ := slices.BinarySearch(t.lowest, first<<placeBits)
		for _, entry := range t.lowest[at:] {
			place := int(entry & (1<<placeBits - 1))
			if !yield(entry>>placeBits, game.Score(4*place-t.beans)) {
				return
			}
		}
	}
}

// Read returns count scores from index first on: memory of the table where it has
// them as bytes, else buf, filled. Only a spilled table gives an error.
func (t *Table) Read(first uint64, count int, buf []game.Score) ([]game.Score, error) {
	switch {
	case t.spill != nil:
		return t.spill.read(first, count, buf)
	case t.packed == nil:
		return t.Scores[first : first+uint64(count) : first+uint64(count)], nil
	}
	buf = buf[:count]
	rest := buf
	at := first / 2
	if first%2 == 1 && count > 0 {
		rest[0] = t.score(t.packed[at] >> 4)
		rest = rest[1:]
		at++
	}
	packed := t.packed[at:][:(len(rest)+1)/2]
	least := uint64(-t.score(0)) * format.EachByte
	for ; len(rest) >= 8; rest, packed = rest[8:], packed[4:] {
		symbols := uint64(binary.LittleEndian.Uint32(packed))
		symbols = (symbols | symbols<<16) & 0x0000ffff0000ffff
		symbols = (symbols | symbols<<8) & 0x00ff00ff00ff00ff
		symbols = (symbols | symbols<<4) & (15 * format.EachByte)
		// A byte that is made larger by 128 does not borrow from the next.
		binary.LittleEndian.PutUint64(format.Bytes(rest), (symbols<<2|format.ByteTops)-least^format.ByteTops)
	}
	for i := range len(rest) / 2 {
		two := packed[i]
		rest[2*i], rest[2*i+1] = t.score(two&15), t.score(two>>4)
	}
	if len(rest)%2 == 1 {
		rest[len(rest)-1] = t.score(packed[len(packed)-1] & 15)
	}
	if t.shared > 0 {
		for index, score := range t.lowestFrom(first) {
			if index >= first+uint64(count) {
				break
			}
			buf[index-first] = score
		}
	}
	return buf, nil
}

// Free gives memory and file back.
func (t *Table) Free() {
	t.block.Free()
	t.lowest = nil
	if t.spill != nil {
		t.spill.free()
	}
}

// At returns one score.
func (t *Table) At(index uint64) game.Score {
	if t.packed == nil {
		return t.Scores[index]
	}
	symbol := t.packed[index/2] >> (index % 2 * 4) & 15
	if symbol == 0 && t.shared > 0 {
		for i, score := range t.lowestFrom(index) {
			if i == index {
				return score
			}
			break
		}
	}
	return t.score(symbol)
}
