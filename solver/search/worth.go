package search

import (
	"math/rand/v2"

	"bohnenspiel/solver/game"
)

// Worth tells roughly what score a position has: half of what the mover's row has more,
// and something for each pit by what it holds. It guides a search, and nothing that is
// proved depends on it. A nil Worth knows the rows alone.
type Worth struct {
	width int
	pits  [2 * game.MaxWidth][pitKinds]int32 // in sixteenths of a bean, the mover's first
}

const (
	pitKinds = 16 // 0 to 14 beans, and more
	oneBean  = 16 // what one bean is in a Worth
)

// Learn finds out what pits are worth, from the scores of positions that the tables have
// and that random play from p leads to. The same tables and the same p give the same.
func Learn(g game.Game, tables Prober, p game.Position) *Worth {
	w := &Worth{width: g.Width()}
	examples := w.examples(g, tables, p)
	// What is left of the scores is put down to one pit after the other: the mean over the
	// examples that have so many beans there. A few more that leave nothing keep it small
	// where there are few examples.
	const rounds, more = 12, 20
	for range rounds {
		for pit := range 2 * w.width {
			var sum, count, mean [pitKinds]int32
			for _, e := range examples {
				sum[e.pits[pit]] += e.left
				count[e.pits[pit]]++
			}
			for kind := range mean {
				mean[kind] = sum[kind] / (count[kind] + more)
				w.pits[pit][kind] += mean[kind]
			}
			for i := range examples {
				examples[i].left -= mean[examples[i].pits[pit]]
			}
		}
	}
	return w
}

// of returns what a position with so many beans is worth to the mover, in sixteenths of
// a bean.
func (w *Worth) of(p game.Position, beans int) int {
	worth := int32(p.Mover.Beans()*oneBean - beans*oneBean/2)
	if w == nil {
		return int(worth)
	}
	for pit := range w.width {
		worth += w.pits[pit][kind(p.Mover, pit)] + w.pits[w.width+pit][kind(p.Opponent, pit)]
	}
	return int(worth)
}

// kind returns what a pit counts as.
func kind(row game.Row, pit int) int { return min(row.Pit(pit), pitKinds-1) }

// example is a position with a score.
type example struct {
	pits [2 * game.MaxWidth]uint8 // what they count as, the mover's first
	left int32                    // of the score, when what is known of its worth is taken off
}

// examples plays from p, again and again, until the tables have the position. Half of the
// moves are chosen among those that take something, if there are any, the others among
// all.
func (w *Worth) examples(g game.Game, tables Prober, p game.Position) []example {
	const games, longest = 10_000, 100 // moves
	if tables == nil || tables.Top() < 0 {
		return nil
	}
	random := rand.New(rand.NewPCG(uint64(p.Mover), uint64(p.Opponent)))
	examples := make([]example, 0, games)
	var moves []game.Successor
	for range games {
		p := p
		for range longest {
			if g.Over(p) {
				break
			}
			beans := p.Beans()
			if score, ok := tables.Probe(p, beans); ok {
				examples = append(examples, w.example(p, beans, score))
				break
			}
			moves = g.Successors(moves[:0], p)
			if random.IntN(2) == 0 {
				moves = captures(moves)
			}
			p = moves[random.IntN(len(moves))].Next
		}
	}
	return examples
}

// example returns a position with its score.
func (w *Worth) example(p game.Position, beans int, score game.Score) example {
	e := example{left: int32(int(score)*oneBean - w.of(p, beans))}
	for pit := range w.width {
		e.pits[pit], e.pits[w.width+pit] = uint8(kind(p.Mover, pit)), uint8(kind(p.Opponent, pit))
	}
	return e
}

// captures returns the moves that take something, or all if none does. It changes moves.
func captures(moves []game.Successor) []game.Successor {
	taking := 0
	for i, m := range moves {
		if m.Captured > 0 {
			moves[i], moves[taking] = moves[taking], m
			taking++
		}
	}
	if taking == 0 {
		return moves
	}
	return moves[:taking]
}
