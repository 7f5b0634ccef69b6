package format

import (
	"encoding/binary"
	"slices"
)

// Marks are symbols on their way into a block, each marked if a lower one will do as
// well. A byte is a solver.PlacedScore: twice a place, and 1 more if it is marked; and
//
//	symbol = (2·place − lowest) / 2^shift
type Marks struct {
	Bytes  []byte // one a symbol, and MarksMargin more
	Count  int    // of symbols
	lowest uint8  // twice the lowest place
	shift  uint8  // 1 to 7
}

// MarksMargin is the number of bytes behind marks, so that eight can be read anywhere. They
// have to be as any of the marks where lowest is not 0; span makes them so.
const MarksMargin = 7

// span returns the lowest place and the highest, and a number that a power of two
// divides if it divides the distances of all places. There is at least one mark. It sets
// the margin.
func (m Marks) span() (lowest, highest, steps uint8) {
	for i := range MarksMargin {
		m.Bytes[m.Count+i] = m.Bytes[0]
	}
	const most = 127 * EachByte
	place := func(i int) uint64 { return binary.LittleEndian.Uint64(m.Bytes[i:]) >> 1 & most }
	first := uint64(m.Bytes[0]>>1) * EachByte
	low, high, different := first, first, uint64(0)
	for i := 0; i < m.Count; i += 8 {
		places := place(i)
		different |= places ^ first
		low ^= (low ^ places) & below(places, low)
		high ^= (high ^ places) & below(high, places)
	}
	bytes := binary.LittleEndian.AppendUint64(nil, low)
	bytes = binary.LittleEndian.AppendUint64(bytes, high)
	bytes = binary.LittleEndian.AppendUint64(bytes, different)
	for _, b := range bytes[16:] {
		steps |= b
	}
	return slices.Min(bytes[:8]), slices.Max(bytes[8:16]), steps
}

// below returns 255 in each byte where a is below b, and 0 elsewhere. All bytes are at
// most 127.
func below(a, b uint64) uint64 {
	tops := ((a | ByteTops) - b) & ByteTops // where a is not below b
	return (tops ^ ByteTops) >> 7 * 255
}
