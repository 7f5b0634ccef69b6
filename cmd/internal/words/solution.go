package words

import (
	"fmt"
	"strings"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/proof"
)

// Solution prints a solution for people: the board, what is proved, and the moves.
func Solution(g game.Game, d game.Diagram, s proof.Solution) string {
	var text strings.Builder
	text.WriteString(d.Board())
	text.WriteByte('\n')
	low, high := d.Lead()+int(s.Bounds[0]), d.Lead()+int(s.Bounds[1])
	fmt.Fprintf(&text, "%v to move", d.ToMove)
	if g.Rules() == game.Mangala {
		text.WriteString(", by the rules of Mangala II")
	}
	switch {
	case !s.Exact():
		fmt.Fprintf(&text, ". Not solved: %v ends between %s and %s beans ahead.\n", d.ToMove, Signed(low), Signed(high))
		if s.Outcome != nil {
			fmt.Fprintf(&text, "It is proved to be a %v.\n", *s.Outcome)
		}
	case low == 0:
		text.WriteString(". It is a draw.\n")
	case low > 0:
		fmt.Fprintf(&text, ". %v wins by %s.\n", d.ToMove, Things(low, "bean"))
	default:
		fmt.Fprintf(&text, ". %v wins by %s.\n", d.ToMove.Other(), Things(-low, "bean"))
	}
	if s.Exact() {
		text.WriteString(bestMoves(s))
	}
	if len(s.Line) > 0 {
		names := make([]string, len(s.Line))
		for i, number := range s.Line {
			names[i] = MoveName(number)
		}
		fmt.Fprintf(&text, "Line, as far as the search went: %s\n", strings.Join(names, " "))
	}
	if s.Visited > 0 {
		fmt.Fprintf(&text, "Positions visited: %s\n", Count(s.Visited))
	}
	return text.String()
}

// bestMoves says which moves keep the score.
func bestMoves(s proof.Solution) string {
	var best []int
	for _, move := range s.Moves {
		if move.Score != nil && *move.Score == *s.Score && move.Pit != nil {
			best = append(best, *move.Pit)
		}
	}
	switch {
	case len(best) == 0:
		return ""
	case s.Keeping == nil && len(best) == 1:
		return fmt.Sprintf("Move %d is best; others may be as good.\n", best[0])
	case s.Keeping == nil:
		return fmt.Sprintf("Moves %s are best; others may be as good.\n", PitList(best))
	case len(best) == 1:
		return fmt.Sprintf("Move %d is the only best one.\n", best[0])
	default:
		return fmt.Sprintf("Moves %s are best.\n", PitList(best))
	}
}
