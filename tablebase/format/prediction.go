package format

// prediction tells symbols of a block by those above them. For each symbol that may
// stand above, and for none, as in the first row, there is a list of all symbols, the
// likely ones first. A symbol is told as its place in the list of the symbol above
// it; then it moves half way to the front of that list. Most places are 0. Encoder
// and decoder change their lists alike.
//
// At first the list of a symbol begins with that symbol, and goes on with those at
// distance 1, 2, … from it, the lower one first; the list of none begins with the
// symbol in the middle. For example, with symbols 0 to 3:
//
//	above 0      0 1 2 3
//	above 1      1 0 2 3
//	above 2      2 1 3 0
//	above 3      3 2 1 0
//	above none   2 1 3 0
//
// If 0 is told below 1, its place is 1, which moves it to place 0: the list becomes
// 0 1 2 3.
type prediction struct {
	symbols int       // of them
	lists   []byte    // by the symbol above, one behind the other; the last where there is none
	first   [256]byte // of each list
	none    []byte    // a row of no symbols
}

// reset makes the lists that each block begins with, and the row above the first of
// this many columns.
func (p *prediction) reset(top uint8, columns int) {
	p.symbols = int(top) + 1
	p.lists = Sized(p.lists, p.symbols*(p.symbols+1))
	for above := range p.symbols + 1 {
		middle := above
		if above == p.symbols {
			middle = p.symbols / 2
		}
		p.first[above] = byte(middle)
		list := p.list(byte(above))[:0]
		list = append(list, byte(middle))
		for distance := 1; len(list) < p.symbols; distance++ {
			if middle-distance >= 0 {
				list = append(list, byte(middle-distance))
			}
			if middle+distance < p.symbols {
				list = append(list, byte(middle+distance))
			}
		}
	}
	p.none = Sized(p.none, columns)
	for i := range p.none {
		p.none[i] = top + 1
	}
}

// Sized returns a slice of this many elements, in the same memory if there is enough.
func Sized[T any](slice []T, size int) []T {
	if cap(slice) < size {
		return make([]T, size)
	}
	return slice[:size]
}

// list returns the list for the symbol above, or for none.
func (p *prediction) list(above byte) []byte {
	at := int(above) * p.symbols
	return p.lists[at : at+p.symbols]
}

// promote moves the symbol at a place of a list half way to the front.
func (p *prediction) promote(above byte, place int) {
	list := p.list(above)
	symbol, to := list[place], place/2
	copy(list[to+1:place+1], list[to:place])
	list[to] = symbol
	p.first[above] = list[0]
}

// tell sets the places of symbols from 0 to top, at most 254, which stand in rows of so
// many columns. Where free, which may be nil, is set, it changes the symbol to the most
// likely one that is not larger.
func (p *prediction) tell(symbols, places []byte, top uint8, columns int, free []bool) {
	p.reset(top, columns)
	last := p.none // the row above
	for from := 0; from < len(symbols); from += columns {
		row := symbols[from:min(from+columns, len(symbols))]
		places, above := places[from:][:len(row)], last[:len(row)]
		for i, symbol := range row {
			if p.first[above[i]] == symbol {
				places[i] = 0
				continue
			}
			list, place := p.list(above[i]), 0
			if free != nil && free[from+i] {
				for list[place] > symbol {
					place++
				}
			} else {
				for list[place] != symbol {
					place++
				}
			}
			row[i], places[i] = list[place], byte(place)
			if place > 0 {
				p.promote(above[i], place)
			}
		}
		last = row
	}
}

// follow sets the symbols that have these places. Where a place is largePlace, what is
// to be added comes from large. It returns false if a place is beyond the lists.
func (p *prediction) follow(places, large, symbols []byte, top uint8, columns int) bool {
	p.reset(top, columns)
	last := p.none // the row above
	for from := 0; from < len(symbols); from += columns {
		row := symbols[from:min(from+columns, len(symbols))]
		places, above := places[from:][:len(row)], last[:len(row)]
		for i := range row {
			place := int(places[i])
			if place == 0 {
				row[i] = p.first[above[i]]
				continue
			}
			if place == largePlace {
				place += int(large[0])
				large = large[1:]
			}
			if place > int(top) {
				return false
			}
			row[i] = p.list(above[i])[place]
			p.promote(above[i], place)
		}
		last = row
	}
	return true
}

// largePlace stands for all places from 3 on where four share a byte. What is above
// it follows in a stream of its own.
const largePlace = 3
