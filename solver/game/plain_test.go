package game_test

import "bohnenspiel/solver/game"

// plain is the rules once more, as a person at the board would follow them: bean by
// bean, on pits 1 to 2w, with the stores. It shares nothing with the packed rules.
type plain struct {
	width  int
	passes bool // Mangala: rule 6 in place of rule 5
	pits   [19]int
	stores [2]int // South's, North's
	north  bool   // North is to move
}

// plainOf returns the board of a diagram under the rules of g.
func plainOf(g game.Game, d game.Diagram) plain {
	b := plain{width: d.Width, passes: g.Rules() == game.Mangala, stores: d.Stores, north: d.ToMove == game.North}
	for i := range d.Width {
		b.pits[1+i] = d.Rows[game.South].Pit(i)
		b.pits[1+d.Width+i] = d.Rows[game.North].Pit(i)
	}
	return b
}

// diagram returns the board as a diagram.
func (b plain) diagram() game.Diagram {
	d := game.Diagram{Width: b.width, Stores: b.stores}
	if b.north {
		d.ToMove = game.North
	}
	d.Rows[game.South] = game.RowOf(b.pits[1 : b.width+1]...)
	d.Rows[game.North] = game.RowOf(b.pits[b.width+1 : 2*b.width+1]...)
	return d
}

// mine returns the first and the last pit of the side to move.
func (b plain) mine() (first, last int) {
	if b.north {
		return b.width + 1, 2 * b.width
	}
	return 1, b.width
}

// moves returns the numbers of the legal moves, 0 for a pass.
func (b plain) moves() []int {
	var moves []int
	first, last := b.mine()
	for pit := first; pit <= last; pit++ {
		if b.pits[pit] > 0 {
			moves = append(moves, pit)
		}
	}
	if len(moves) == 0 && b.passes {
		for pit := 1; pit <= 2*b.width; pit++ {
			if b.pits[pit] > 0 {
				return []int{0}
			}
		}
	}
	return moves
}

// over reports whether play has ended.
func (b plain) over() bool { return len(b.moves()) == 0 }

// play plays a move by its number and returns the beans that it takes.
func (b *plain) play(number int) int {
	mover := 0
	if b.north {
		mover = 1
	}
	b.north = !b.north
	if number == 0 {
		return 0
	}
	hand := b.pits[number]
	b.pits[number] = 0
	at := number
	for hand > 0 {
		if at++; at > 2*b.width {
			at = 1
		}
		b.pits[at]++
		hand--
	}
	taken := 0
	for b.pits[at] == 2 || b.pits[at] == 4 || b.pits[at] == 6 {
		taken += b.pits[at]
		b.pits[at] = 0
		if at--; at < 1 {
			at = 2 * b.width
		}
	}
	b.stores[mover] += taken
	return taken
}

// settle gives the beans on the board to the player who moved last.
func (b *plain) settle() {
	for pit := 1; pit <= 2*b.width; pit++ {
		if b.north {
			b.stores[0] += b.pits[pit]
		} else {
			b.stores[1] += b.pits[pit]
		}
		b.pits[pit] = 0
	}
}

// perft counts the ways to play so many plies.
func (b plain) perft(plies int) uint64 {
	if plies == 0 {
		return 1
	}
	var ways uint64
	for _, move := range b.moves() {
		after := b
		after.play(move)
		ways += after.perft(plies - 1)
	}
	return ways
}
