package study

import (
	"slices"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// Puzzle is a position worth composing with: one move alone, the key, keeps what the
// side to move can reach, and another one would take more beans at once.
//
// Its line is best play as [tablebase.DB.Line] has it. The keys of the line are those
// moves of the side to move, from the first on, which alone of two or more legal moves
// keep the result. They end where several moves keep it, or play ends.
type Puzzle struct {
	Position    string         `json:"position"` // as game.Diagram prints it
	Rules       game.Rules     `json:"rules"`
	Beans       int            `json:"beans"` // on the board
	Stipulation Stipulation    `json:"stipulation"`
	Score       game.Score     `json:"score"` // of the side to move
	Outcome     game.Outcome   `json:"outcome"`
	Final       game.Beans     `json:"final"`  // what the stores hold after the line
	Key         tablebase.Pits `json:"key"`    // the first one alone, as in a Report
	Keys        []int          `json:"keys"`   // at which plies of the line they are, counted from 1
	Forced      int            `json:"forced"` // plies before the side to move has a choice
	Greedy      Greedy         `json:"greedy"`
	// Win and Draw are the stores, of as many beans in all, with which the side to
	// move wins, or draws, and all keys are keys.
	Win  []game.Beans   `json:"win"`
	Draw []game.Beans   `json:"draw"`
	Line tablebase.Pits `json:"line"`
}

// Study returns the puzzle as a study. Its solution ends where the side to move has a
// choice.
func (p Puzzle) Study() (Study, error) {
	d, err := game.ParseDiagram(p.Position, 0)
	if err != nil {
		return Study{}, err
	}
	s := Study{Rules: p.Rules, Diagram: d, Stipulation: p.Stipulation}
	for i, number := range p.Line[:p.Forced] {
		move := Move{Number: number}
		if slices.Contains(p.Keys, i+1) {
			move.Mark = Key
		}
		s.Solution.Moves = append(s.Solution.Moves, move)
	}
	return s, nil
}

// Greedy is the moves that take the most at once, more than the key. There are none in
// puzzles that only FindOptions.AnyCapture asks for; Captured is then 0.
type Greedy struct {
	Pits     []int `json:"pits"`
	Captured int   `json:"captured"` // beans that each takes
}

// puzzle describes a puzzle.
func (f *finder) puzzle(d game.Diagram, score game.Score) Puzzle {
	w := f.walk(d, score)
	first := w.look()
	puzzle := Puzzle{
		Position:    d.String(),
		Rules:       f.options.Game.Rules(),
		Beans:       f.options.Beans,
		Stipulation: f.options.Stipulation,
		Score:       score,
		Outcome:     d.Outcome(score),
		Final:       d.Final(score),
		Key:         tablebase.Pits{d.Number(first.best.Pit)},
		Greedy:      Greedy{Pits: []int{}},
		Win:         []game.Beans{},
		Draw:        []game.Beans{},
	}
	if first.greedy > first.best.Captured {
		puzzle.Greedy = greedy(f.options.Game, d, first.greedy)
	}
	for w.step() {
	}
	puzzle.Keys, puzzle.Forced = w.keys, len(w.line)
	beans := d.Stores[game.South] + d.Stores[game.North]
	for margin := 0; margin <= w.gap; margin++ {
		stores, ok := storesOf(beans, margin-int(score), d.ToMove)
		switch {
		case !ok:
		case margin == 0:
			puzzle.Draw = append(puzzle.Draw, game.Diagram{Stores: stores}.Won())
		default:
			puzzle.Win = append(puzzle.Win, game.Diagram{Stores: stores}.Won())
		}
	}
	for !w.over() && !w.endless {
		w.play()
	}
	puzzle.Line = w.line
	return puzzle
}

// greedy returns the moves that take this many beans.
func greedy(g game.Game, d game.Diagram, captured int) Greedy {
	moves := Greedy{Captured: captured}
	for _, m := range g.Successors(nil, d.Position()) {
		if m.Captured == captured {
			moves.Pits = append(moves.Pits, d.Number(m.Pit))
		}
	}
	return moves
}
