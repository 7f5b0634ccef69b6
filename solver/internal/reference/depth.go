package reference

import (
	"bohnenspiel/solver/game"
)

// Endless is the depth of a position from which no way that keeps the score ever
// converts.
const Endless = 1 << 30

// Depths returns the DTC of each position of a solved layer, in plies, or Endless. It is
// the plainest way there is: at first every depth is Endless; then, round by round, each
// is computed anew from those of the round before, by the definition, until a round
// changes nothing.
func (t *Tables) Depths(beans int) map[game.Position]int {
	depths := make(map[board]int)
	for b := range t.layers[beans] {
		depths[b] = Endless
	}
	for changed := true; changed; {
		changed = false
		next := make(map[board]int)
		for b := range depths {
			next[b] = t.depth(b, beans, depths)
			changed = changed || next[b] != depths[b]
		}
		depths = next
	}
	all := make(map[game.Position]int)
	for b, depth := range depths {
		all[b.position(t.game.Width())] = depth
	}
	return all
}

// depth returns the depth of a position by those of the positions after quiet moves.
func (t *Tables) depth(b board, beans int, depths map[board]int) int {
	if t.over(b, beans) {
		return 0
	}
	score := t.layers[beans][b].Score
	var keeping []int // what the moves that keep the score are worth
	for _, m := range t.moves(b) {
		if m.captured-t.layers[beans-m.captured][m.next].Score != score {
			continue
		}
		switch {
		case m.captured > 0, t.over(m.next, beans):
			keeping = append(keeping, 1)
		case depths[m.next] == Endless:
			keeping = append(keeping, Endless)
		default:
			keeping = append(keeping, 1+depths[m.next])
		}
	}
	depth := keeping[0]
	for _, plies := range keeping {
		if score < 0 {
			depth = max(depth, plies)
		} else {
			depth = min(depth, plies)
		}
	}
	return depth
}

// move is a move and what it leads to.
type move struct {
	captured int
	next     board
}

// moves returns all legal moves, a pass among them.
func (t *Tables) moves(b board) []move {
	if !b.movable(t.game.Width()) {
		return []move{{0, b.turn(t.game.Width())}} // rule 6; by rule 5 play is over
	}
	var moves []move
	for pit := range t.game.Width() {
		if b[pit] > 0 {
			next, captured := b.play(t.game.Width(), pit)
			moves = append(moves, move{captured, next})
		}
	}
	return moves
}

// over reports whether play is over.
func (t *Tables) over(b board, beans int) bool {
	return !b.movable(t.game.Width()) && (t.game.Rules() == game.Bohnenspiel || beans == 0)
}
