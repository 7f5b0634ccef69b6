package format

import (
	"encoding/binary"
	"math/bits"
)

// mostFew is the largest number of symbols that a shortlist holds.
const mostFew = 16

// shortlists does the work of prediction where there are at most 16 symbols, as in even
// layers to 30 beans: a list is one word, four bits a place, the first in the lowest.
// So places are found, and symbols moved, without a loop or a branch, and eight symbols
// of a row are looked at together.
type shortlists struct {
	lists [2 * mostFew]uint64 // by the symbol above; of these, mostFew stands for none
	first [2 * mostFew]uint8  // of each list
	rows  [2][]uint8          // symbols of the row above and of this one
}

// Words of eight bytes, and of sixteen halves.
const (
	eachHalf = 0x1111111111111111
	halfTops = 0x8888888888888888
)

// reset makes the lists that each block begins with, see prediction, and the row above
// the first of this many columns.
func (s *shortlists) reset(top uint8, columns int) {
	for above := range int(top) + 2 {
		at, middle := above, above
		if above == int(top)+1 {
			at, middle = mostFew, above/2
		}
		list, place := uint64(middle), 4
		for distance := 1; place < 4*(int(top)+1); distance++ {
			if middle-distance >= 0 {
				list |= uint64(middle-distance) << place
				place += 4
			}
			if middle+distance <= int(top) {
				list |= uint64(middle+distance) << place
				place += 4
			}
		}
		s.lists[at], s.first[at] = list, uint8(middle)
	}
	for i := range s.rows {
		s.rows[i] = Sized(s.rows[i], columns+7)
	}
	for i := range s.rows[0] {
		s.rows[0][i] = mostFew
	}
}

// predicted returns the first symbols of the lists for eight symbols above.
func (s *shortlists) predicted(above uint64) uint64 {
	const most = 2*mostFew - 1
	return uint64(s.first[above&most]) | uint64(s.first[above>>8&most])<<8 |
		uint64(s.first[above>>16&most])<<16 | uint64(s.first[above>>24&most])<<24 |
		uint64(s.first[above>>32&most])<<32 | uint64(s.first[above>>40&most])<<40 |
		uint64(s.first[above>>48&most])<<48 | uint64(s.first[above>>56&most])<<56
}

// promoted returns a list after the symbol at a place has moved half way to the front,
// and the symbol.
func promoted(list uint64, place int) (after, symbol uint64) {
	at, to := 4*place&63, 4*(place/2)&63
	symbol = list >> at & 15
	moved := uint64(16)<<at - uint64(1)<<to // the places from its new one to its old one
	return list&^moved | list<<4&moved&^(15<<to) | symbol<<to, symbol
}

// firstEqual returns where a symbol is in a list that has it: the place is a quarter of
// the number of trailing zeros.
func firstEqual(list, symbol uint64) uint64 {
	different := list ^ symbol*eachHalf
	return (different - eachHalf) &^ different & halfTops
}

// firstUpTo returns the place of the first symbol of a list that is at most the given one,
// which it has: the place is a quarter of the number of trailing zeros, as in firstEqual.
func firstUpTo(list, symbol uint64) uint64 {
	const even = 15 * EachByte
	limit := symbol*EachByte | ByteTops
	return (limit-list&even)&ByteTops>>4 | (limit-list>>4&even)&ByteTops
}

// tell appends the places of marked symbols from 0 to top, which stand in rows of this many
// columns, to packed and large, as prediction.tell and packPlaces do.
func (s *shortlists) tell(packed, large []byte, m Marks, top uint8, columns int) (p, l []byte) {
	s.reset(top, columns)
	lowest := uint64(m.lowest) * EachByte
	places, waiting := uint64(0), 0 // those not yet packed, two bits each, and their bits
	for from := 0; from < m.Count; from += columns {
		above, row := s.rows[0], s.rows[1]
		for column, last := 0, min(columns, m.Count-from); column < last; column += 8 {
			up, marked := binary.LittleEndian.Uint64(above[column:]), binary.LittleEndian.Uint64(m.Bytes[from+column:])
			symbols, free := (marked&^EachByte-lowest)>>(m.shift&7), marked&EachByte*255
			width := min(8, last-column)
			told := s.predicted(up)
			// The top bits of symbols that are not what is told, nor free and above it.
			lanes := uint64(ByteTops) >> (64 - 8*width)
			wrong := (symbols ^ told + 127*EachByte) &^ (((symbols | ByteTops) - told) & free) & lanes
			for wrong != 0 {
				at := bits.TrailingZeros64(wrong) & 56
				own := up >> at & 31
				symbol, loose := symbols>>at&15, free>>at&1
				list := s.lists[own]
				found := firstEqual(list, symbol)
				found ^= (found ^ firstUpTo(list, symbol)) & -loose
				place := bits.TrailingZeros64(found) / 4
				list, symbol = promoted(list, place)
				s.lists[own], s.first[own] = list, uint8(list&15)
				places |= uint64(min(place, largePlace)) << ((waiting + at/4) & 63)
				if place >= largePlace {
					large = append(large, uint8(place-largePlace))
				}
				// What follows is told by the list as it is now.
				told = told&^(255<<at) | symbol<<at
				same := behind(up, own, at)
				told = told&^same | list&15*EachByte&same
				wrong = (symbols ^ told + 127*EachByte) &^ (((symbols | ByteTops) - told) & free) & lanes & (^uint64(255) << at)
			}
			binary.LittleEndian.PutUint64(row[column:], told)
			waiting += 2 * width
			if waiting >= 32 {
				packed = binary.LittleEndian.AppendUint32(packed, uint32(places))
				places >>= 32
				waiting -= 32
			}
		}
		s.rows[0], s.rows[1] = row, above
	}
	for ; waiting > 0; waiting -= 8 {
		packed = append(packed, byte(places))
		places >>= 8
	}
	return packed, large
}

// follow sets the symbols that have these places, packed, of which the unused ones are 0
// and at least eight bytes behind them can be read. Large ones, less 3, come from large.
// Seven bytes behind the symbols are set as well. It returns false if a place is beyond
// the lists.
func (s *shortlists) follow(packed, large, symbols []byte, count int, top uint8, columns int) bool {
	s.reset(top, columns)
	above := s.rows[0]
	for from := 0; from < count; from += columns {
		row := symbols[from:]
		for column, last := 0, min(columns, count-from); column < last; column += 8 {
			at, width := from+column, min(8, last-column)
			places := binary.LittleEndian.Uint32(packed[at/4:]) >> (at % 4 * 2) & (1<<(2*width) - 1)
			up := binary.LittleEndian.Uint64(above[column:])
			told := s.predicted(up)
			for rest := (places | places>>1) & 0x5555; rest != 0; rest &= rest - 1 {
				two := bits.TrailingZeros32(rest) & 15
				place := int(places >> two & largePlace)
				if place == largePlace {
					place += int(large[0])
					large = large[1:]
				}
				if place > int(top) {
					return false
				}
				at := 4 * two
				own := up >> at & 31
				list, symbol := promoted(s.lists[own], place)
				s.lists[own], s.first[own] = list, uint8(list&15)
				told = told&^(255<<at) | symbol<<at
				same := behind(up, own, at)
				told = told&^same | list&15*EachByte&same
			}
			binary.LittleEndian.PutUint64(row[column:], told)
		}
		above = row
	}
	return true
}

// behind returns 255 in those bytes of a word that are above the one at a bit and have the
// given value, and 0 elsewhere. All are at most 127.
func behind(word, value uint64, at int) uint64 {
	same := (ByteTops - (word ^ value*EachByte)) & ByteTops & (^uint64(255) << (at & 63))
	return same | (same - same>>7)
}
