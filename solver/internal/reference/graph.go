package reference

import (
	"slices"

	"bohnenspiel/solver/game"
)

// never is the worth of a capture that does not exist. Any other is larger.
const never = -1000

// graph is a layer with its moves. Positions are numbered from 0 in the order of
// boards; each slice has one entry a position.
type graph struct {
	boards []board
	number map[board]int32
	quiet  []int     // number of quiet moves
	before [][]int32 // the positions that a quiet move leads here from, once a move
	// score, low and high are the worth of the best capture, or of the end of
	// play: by the scores of lower layers, and at least and at most by their
	// intervals. Without captures they are never.
	score, low, high []int
}

// newGraph plays all moves of the layer after those in lower.
func newGraph(g game.Game, lower []layer) *graph {
	beans := len(lower)
	all := boards(g.Width(), beans)
	l := &graph{
		boards: all,
		number: make(map[board]int32, len(all)),
		quiet:  make([]int, len(all)),
		before: make([][]int32, len(all)),
		score:  make([]int, len(all)),
		low:    make([]int, len(all)),
		high:   make([]int, len(all)),
	}
	for i, b := range all {
		l.number[b] = int32(i)
		l.score[i], l.low[i], l.high[i] = never, never, never
	}
	for i, b := range all {
		switch {
		case b.movable(g.Width()):
			for pit := range g.Width() {
				if b[pit] == 0 {
					continue
				}
				next, captured := b.play(g.Width(), pit)
				if captured == 0 {
					l.addQuiet(i, next)
				} else {
					l.addCapture(i, captured, lower[beans-captured][next])
				}
			}
		case g.Rules() == game.Mangala && beans > 0: // rule 6
			l.addQuiet(i, b.turn(g.Width()))
		default: // rule 5: the opponent gets what is left
			l.score[i], l.low[i], l.high[i] = -beans, -beans, -beans
		}
	}
	return l
}

// addQuiet adds a move that takes nothing.
func (l *graph) addQuiet(from int, next board) {
	to := l.number[next]
	l.quiet[from]++
	l.before[to] = append(l.before[to], int32(from))
}

// addCapture adds a move that takes beans and leads to a position with value next.
func (l *graph) addCapture(from, captured int, next Value) {
	l.score[from] = max(l.score[from], captured-next.Score)
	l.low[from] = max(l.low[from], captured-next.High)
	l.high[from] = max(l.high[from], captured-next.Low)
}

// member is a position that has just entered one of the two sets of force.
type member struct {
	position int32
	least    bool // it entered atLeast, not atMost
}

// force finds the two sets of the package comment for one b. Captures are worth
// low at least and high at most.
func (l *graph) force(b int, low, high []int) (atLeast, atMost []bool) {
	atLeast = make([]bool, len(l.boards))
	atMost = make([]bool, len(l.boards))
	var entered []member // and not handed on yet
	enterLeast := func(p int32) {
		if !atLeast[p] {
			atLeast[p] = true
			entered = append(entered, member{p, true})
		}
	}
	open := slices.Clone(l.quiet) // quiet moves not known to lead into atLeast
	enterMost := func(p int32) {
		if !atMost[p] && open[p] == 0 && high[p] <= -b {
			atMost[p] = true
			entered = append(entered, member{p, false})
		}
	}
	for i := range l.boards {
		if low[i] >= b {
			enterLeast(int32(i))
		}
		enterMost(int32(i))
	}
	for len(entered) > 0 {
		m := entered[len(entered)-1]
		entered = entered[:len(entered)-1]
		for _, p := range l.before[m.position] {
			if m.least {
				open[p]--
				enterMost(p)
			} else {
				enterLeast(p)
			}
		}
	}
	return atLeast, atMost
}
