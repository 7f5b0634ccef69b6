package reference

import "bohnenspiel/solver/game"

// board is the beans in each pit in sowing order: pits 0 to w−1 are the mover's,
// w to 2w−1 the opponent's, the others are 0.
type board [2 * game.MaxWidth]int8

// boardOf unpacks a position on a board with width pits a side.
func boardOf(p game.Position, width int) board {
	var b board
	for i := range width {
		b[i] = int8(p.Mover.Pit(i))
		b[width+i] = int8(p.Opponent.Pit(i))
	}
	return b
}

// position packs the board.
func (b board) position(width int) game.Position {
	var pits [2 * game.MaxWidth]int
	for i := range pits {
		pits[i] = int(b[i])
	}
	return game.Position{
		Mover:    game.RowOf(pits[:width]...),
		Opponent: game.RowOf(pits[width : 2*width]...),
	}
}

// turn returns the board as the other player sees it.
func (b board) turn(width int) board {
	var turned board
	for i := range 2 * width {
		turned[i] = b[(i+width)%(2*width)]
	}
	return turned
}

// movable reports whether the mover has any bean.
func (b board) movable(width int) bool {
	for i := range width {
		if b[i] > 0 {
			return true
		}
	}
	return false
}

// play makes a move from a pit with beans (rules 2 to 4). It returns the board as
// the other player sees it, and the beans taken.
func (b board) play(width, pit int) (next board, captured int) {
	hand := b[pit]
	b[pit] = 0
	for hand > 0 {
		pit = (pit + 1) % (2 * width)
		b[pit]++
		hand--
	}
	for b[pit] == 2 || b[pit] == 4 || b[pit] == 6 {
		captured += int(b[pit])
		b[pit] = 0
		pit = (pit + 2*width - 1) % (2 * width)
	}
	return b.turn(width), captured
}

// boards returns all ways to put this many beans into 2·width pits.
func boards(width, beans int) []board {
	var all []board
	var b board
	var fill func(pit, rest int)
	fill = func(pit, rest int) {
		if pit == 2*width-1 {
			b[pit] = int8(rest)
			all = append(all, b)
			return
		}
		for x := range rest + 1 {
			b[pit] = int8(x)
			fill(pit+1, rest-x)
		}
	}
	fill(0, beans)
	return all
}
