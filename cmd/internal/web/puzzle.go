package web

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"bohnenspiel/solver/game"
)

// puzzleText lists positions of Bohnenspiel that study find has found, one a line, with
// 6 to 12 beans, of both sides, to win and to draw. One move only keeps the result.
//
//go:embed puzzles.txt
var puzzleText string

// puzzle is a position worth solving.
type puzzle struct {
	diagram game.Diagram
	win     bool // or else a draw
}

// puzzleView is a puzzle as the page shows it.
type puzzleView struct {
	Board board
	Mover string
	Win   bool
	URL   string
}

// newPuzzles keeps those puzzles that the tables can answer.
func newPuzzles(dbs databases) []puzzle {
	var all []puzzle
	for line := range strings.Lines(puzzleText) {
		d, err := game.ParseDiagram(line, 0)
		if err != nil {
			continue // a test holds that there is none
		}
		if a, err := dbs.answer(context.Background(), game.Bohnenspiel, d, 0); err == nil && *a.Outcome != game.Loss {
			all = append(all, puzzle{d, *a.Outcome == game.Win})
		}
	}
	return all
}

// puzzleOf returns the puzzle of a day, the same for everybody, or nil if there is none.
func (s *Server) puzzleOf(day time.Time) *puzzleView {
	if len(s.puzzles) == 0 {
		return nil
	}
	const daySeconds = 24 * 60 * 60
	number := day.UTC().Unix() / daySeconds
	p := s.puzzles[int(number%int64(len(s.puzzles)))]
	return &puzzleView{
		Board: newBoard(game.Bohnenspiel, p.diagram, positionView{}), Mover: p.diagram.ToMove.String(), Win: p.win,
		URL: address(game.Bohnenspiel, p.diagram.String()) + "&puzzle=1",
	}
}
