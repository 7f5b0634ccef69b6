package solver

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"bohnenspiel/solver/game"
)

// lattice is the set of scores that the intervals of a layer can have as ends:
// −beans, −beans+step, …, beans. Captures are even, so with an even number of
// beans all scores are ≡ beans (mod 4), and with an odd number all are odd.
type lattice struct {
	beans, step int
}

// latticeOf returns the lattice of a layer. Scores of lower layers that lean on
// rule 8 may be any number; they want all numbers up to beans.
func latticeOf(beans int, leaning bool) lattice {
	switch {
	case leaning:
		return lattice{beans, 1}
	case beans%2 == 0:
		return lattice{beans, 4}
	default:
		return lattice{beans, 2}
	}
}

// values returns the number of scores on the lattice.
func (l lattice) values() int { return 2*l.beans/l.step + 1 }

// place returns the place of a score on the lattice, counted from 0 for −beans.
func (l lattice) place(score int) int { return (score + l.beans) / l.step }

// score returns the score at a place.
func (l lattice) score(place int) game.Score { return game.Score(place*l.step - l.beans) }

// code is how a cell keeps an interval: the number of its pair of ends.
type code interface{ uint8 | uint16 }

// coding numbers the intervals lo ≤ hi on a lattice.
//
//	0                  no position, and no successor: what it stands for can't be reached
//	1 … values         the points lo = hi, from −beans up
//	values+1 …         the open intervals lo < hi, in order of lo, then hi
//
// So a cell is closed when its code is at most values. With up to 22 values all
// codes fit in 8 bits: even layers to 42 beans, odd ones to 21.
type coding[C code] struct {
	lattice
	codes  [][]C   // codes[lo][hi], by place on the lattice; meaningless if lo > hi
	lo, hi []uint8 // the ends, by code
}

// nothing is the code of a cell that holds no position.
const nothing = 0

func newCoding[C code](l lattice) *coding[C] {
	n := l.values()
	c := &coding[C]{lattice: l, codes: make([][]C, n), lo: make([]uint8, 1, 1+n*(n+1)/2), hi: make([]uint8, 1, 1+n*(n+1)/2)}
	number := func(lo, hi int) {
		c.codes[lo][hi] = C(len(c.lo))
		c.lo = append(c.lo, uint8(lo))
		c.hi = append(c.hi, uint8(hi))
	}
	for place := range n {
		c.codes[place] = make([]C, n)
		number(place, place)
	}
	for lo := range n {
		for hi := lo + 1; hi < n; hi++ {
			number(lo, hi)
		}
	}
	return c
}

// valuesOf returns the value of each code in a table of the given kind. A score is 0
// drawn into the interval: endless play is worth 0 (rule 8).
func (c *coding[C]) valuesOf(kind Kind) []game.Score {
	values := make([]game.Score, len(c.lo))
	for code := range values {
		lo, hi := c.score(int(c.lo[code])), c.score(int(c.hi[code]))
		switch kind {
		case Lows:
			values[code] = lo
		case Highs:
			values[code] = hi
		default:
			values[code] = min(max(0, lo), hi)
		}
	}
	return values
}

// decode sets as many of dst as there are cells to the values of their codes.
func (c *coding[C]) decode(values []game.Score, cells []C, dst []game.Score) {
	if narrow, ok := any(cells).([]uint8); ok {
		// Points are every step-th score from −beans on, so eight are found at once. All are
		// in most layers that are solved.
		shift, beans := bits.TrailingZeros(uint(c.step)), uint64(c.beans)*onesInBytes
		above := uint64(0x7f-c.values()) * onesInBytes
		for len(narrow) >= 8 {
			word := binary.LittleEndian.Uint64(narrow)
			if ((word&^topsOfBytes+above)|word)&topsOfBytes != 0 {
				break
			}
			places := (word - onesInBytes) << shift
			binary.LittleEndian.PutUint64(asBytes(dst), (places|topsOfBytes)-beans^topsOfBytes)
			narrow, cells, dst = narrow[8:], cells[8:], dst[8:]
		}
	}
	for i, code := range cells {
		dst[i] = values[code]
	}
}

// asBytes returns the memory of scores.
func asBytes[S game.Score | PlacedScore](scores []S) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(scores))), len(scores))
}

// fitsByte reports whether the codes of a lattice fit in 8 bits.
func (l lattice) fitsByte() bool { return l.values() <= 22 }
