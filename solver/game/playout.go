package game

import "fmt"

// StartDiagram returns the opening position with beansPerPit beans in each pit, 0 to 6,
// as a diagram: stores empty, South to move. Six is the traditional number.
func (g Game) StartDiagram(beansPerPit int) Diagram {
	start := g.Start(beansPerPit)
	return Diagram{Width: g.width, Rows: [2]Row{start.Mover, start.Opponent}}
}

// Play plays a move of the side to move by its number (rule 1): a pit, 1 to w for
// South and w+1 to 2w for North, or 0 for a pass. It returns the diagram after the
// move, with the captured beans in the mover's store, and how many they are. It does
// not settle the game where that is over, see [Diagram.Settle].
//
// A move that is not legal gives an error that wraps ErrMove, and a diagram of
// another width than the game's one that wraps ErrWidth.
func (d Diagram) Play(g Game, number int) (next Diagram, captured int, err error) {
	if d.Width != g.width {
		return Diagram{}, 0, fmt.Errorf("%w %d: the game is played on a 2×%d board", ErrWidth, d.Width, g.width)
	}
	p := d.Position()
	first := d.Number(0)
	pit := number - first
	switch {
	case g.Over(p):
		return Diagram{}, 0, fmt.Errorf("%w %d: the game is over", ErrMove, number)
	case g.Passes(p) && number != 0:
		return Diagram{}, 0, fmt.Errorf("%w %d: %s has no beans and has to pass", ErrMove, number, d.ToMove)
	case g.Passes(p):
		pit = Pass
	case number == 0:
		return Diagram{}, 0, fmt.Errorf("%w: %s has beans and must not pass", ErrMove, d.ToMove)
	case pit < 0 || pit >= g.width:
		return Diagram{}, 0, fmt.Errorf("%w %d: %s to move has pits %d to %d", ErrMove, number, d.ToMove, first, first+g.width-1)
	case p.Mover.Pit(pit) == 0:
		return Diagram{}, 0, fmt.Errorf("%w %d: the pit is empty", ErrMove, number)
	}
	after, captured := g.Play(p, pit)
	next = d
	next.ToMove = d.ToMove.Other()
	next.Rows[next.ToMove], next.Rows[d.ToMove] = after.Mover, after.Opponent
	next.Stores[d.ToMove] += captured
	return next, captured, nil
}

// Settle returns the diagram after the end of play: the beans on the board lie in
// the store of the opponent of the side to move (rule 5). Where play is not Over, it
// returns d as it is.
func (d Diagram) Settle(g Game) Diagram {
	if p := d.Position(); g.Over(p) {
		d.Stores[d.ToMove.Other()] += p.Beans()
		d.Rows = [2]Row{}
	}
	return d
}
