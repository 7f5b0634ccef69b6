package game

// Position is the board as the player to move sees it: his own row and the
// opponent's, each in sowing order from its owner's left. Sowing runs through
// Mover, then Opponent, then Mover again. Stores are no part of a position: best
// play does not depend on them. Positions are comparable and may be map keys.
type Position struct {
	Mover, Opponent Row
}

// Beans returns the number of beans on the board: the layer of the position.
func (p Position) Beans() int {
	return p.Mover.Beans() + p.Opponent.Beans()
}

// Swap returns the position as the other side sees it.
func (p Position) Swap() Position {
	return Position{Mover: p.Opponent, Opponent: p.Mover}
}
