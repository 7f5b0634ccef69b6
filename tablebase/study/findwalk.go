package study

import (
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// walk follows the line of a puzzle: best play of both sides, for as long as the side
// that began has to find the only move that keeps its result.
type walk struct {
	game    game.Game
	layers  Layers
	need    int // least lead of the solver at the end that keeps the result
	diagram game.Diagram
	line    tablebase.Pits // the moves played
	keys    []int          // at which plies the solver's keys are, counted from 1
	gap     int            // least number of beans by which a key was better than all other moves
	endless bool           // play does not end
	moves   []game.Successor
}

// walk begins at a diagram of a score, whose side to move is the solver.
func (f *finder) walk(d game.Diagram, score game.Score) *walk {
	need, _ := f.options.Stipulation.need(d.Lead(), score)
	return &walk{
		game:    f.options.Game,
		layers:  f.layers,
		need:    need,
		diagram: d,
		gap:     f.options.Beans * 2,
		moves:   make([]game.Successor, 0, d.Width),
	}
}

// turn is what the solver can do.
type turn struct {
	best   game.Successor // as the line has it
	alone  bool           // whether one of two or more moves alone keeps the result
	forced bool           // whether only one move does
	gap    int            // by how many beans it is better than all others
	greedy int            // the most beans that a move takes
}

// over reports whether play has ended.
func (w *walk) over() bool { return w.game.Over(w.diagram.Position()) }

// look looks at all moves of the solver, where play is not over.
func (w *walk) look() turn {
	p := w.diagram.Position()
	score := w.layers.Probe(p).Score
	w.moves = w.game.Successors(w.moves[:0], p)
	t := turn{gap: w.gap}
	keeping := 0
	for _, m := range w.moves {
		t.greedy = max(t.greedy, m.Captured)
		after := game.Score(m.Captured) - w.layers.Probe(m.Next).Score
		switch {
		case after == score && keeping == 0:
			t.best = m
		case after != score:
			t.gap = min(t.gap, int(score-after))
		}
		if w.diagram.Lead()+int(after) >= w.need {
			keeping++
		}
	}
	t.forced = keeping == 1
	t.alone = t.forced && len(w.moves) > 1
	return t
}

// step plays the solver's move, if it is forced, and the answer. Otherwise it plays
// nothing and returns false.
func (w *walk) step() bool {
	if w.endless || w.over() {
		return false
	}
	t := w.look()
	if !t.forced {
		return false
	}
	if t.alone {
		w.keys = append(w.keys, len(w.line)+1)
		w.gap = min(w.gap, t.gap)
	}
	w.play()
	if !w.over() {
		w.play()
	}
	return true
}

// play plays the next move of the line: of the moves that keep the score the one that
// leads to a conversion as the depth says, the lowest pit of several. Where the depth
// is endless it plays nothing, and says so.
func (w *walk) play() {
	p := w.diagram.Position()
	score, depth := w.layers.Probe(p).Score, w.layers.Depth(p)
	if depth == game.Endless {
		w.endless = true
		return
	}
	w.moves = w.game.Successors(w.moves[:0], p)
	for _, m := range w.moves {
		if game.Score(m.Captured)-w.layers.Probe(m.Next).Score != score {
			continue
		}
		converts := w.game.Converts(m)
		if converts && depth == 1 || !converts && w.layers.Depth(m.Next)+1 == depth {
			w.line = append(w.line, w.diagram.Number(m.Pit))
			w.advance(m)
			return
		}
	}
	panic("study: depths and scores of the layers contradict each other")
}

// advance sets the diagram to that after a move.
func (w *walk) advance(m game.Successor) {
	d := &w.diagram
	side := d.ToMove
	d.Stores[side] += m.Captured
	d.ToMove = side.Other()
	d.Rows[d.ToMove], d.Rows[side] = m.Next.Mover, m.Next.Opponent
}
