package tablebase

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
	symbols int    // of them
	lists   []byte // by the symbol above, one behind the other; the last where there is none
}

// reset makes the lists that each block begins with.
func (p *prediction) reset(symbols int) {
	p.symbols = symbols
	if size := symbols * (symbols + 1); cap(p.lists) < size {
		p.lists = make([]byte, size)
	} else {
		p.lists = p.lists[:size]
	}
	for above := range symbols + 1 {
		middle := above
		if above == symbols {
			middle = symbols / 2
		}
		list := append(p.list(byte(above))[:0], byte(middle))
		for distance := 1; len(list) < symbols; distance++ {
			if middle-distance >= 0 {
				list = append(list, byte(middle-distance))
			}
			if middle+distance < symbols {
				list = append(list, byte(middle+distance))
			}
		}
	}
}

// list returns the list for the symbol above, or for none.
func (p *prediction) list(above byte) []byte {
	at := int(above) * p.symbols
	return p.lists[at : at+p.symbols]
}

// promote moves the symbol at a place half way to the front.
func promote(list []byte, place int) {
	symbol, to := list[place], place/2
	copy(list[to+1:place+1], list[to:place])
	list[to] = symbol
}

// tell sets the places of symbols from 0 to top, which stand in rows of so many
// columns. Where free, which may be nil, is set, it changes the symbol to the most
// likely one that is not larger.
func (p *prediction) tell(symbols, places []byte, top uint8, columns int, free []bool) {
	p.reset(int(top) + 1)
	for i, symbol := range symbols {
		above := top + 1
		if i >= columns {
			above = symbols[i-columns]
		}
		list := p.list(above)
		place := 0
		if free != nil && free[i] {
			for list[place] > symbol {
				place++
			}
		} else {
			for list[place] != symbol {
				place++
			}
		}
		symbols[i] = list[place]
		if place > 0 {
			promote(list, place)
		}
		places[i] = byte(place)
	}
}

// follow sets the symbols that have these places. It returns false if a place is
// beyond the lists.
func (p *prediction) follow(places, symbols []byte, top uint8, columns int) bool {
	p.reset(int(top) + 1)
	above := symbols[:0] // the row above
	for first := 0; first < len(symbols); first += columns {
		row := symbols[first:min(first+columns, len(symbols))]
		for i, place := range places[first : first+len(row)] {
			symbol := top + 1
			if i < len(above) {
				symbol = above[i]
			}
			list := p.list(symbol)
			if place == 0 {
				row[i] = list[0]
				continue
			}
			if place > top {
				return false
			}
			row[i] = list[place]
			promote(list, int(place))
		}
		above = row
	}
	return true
}
