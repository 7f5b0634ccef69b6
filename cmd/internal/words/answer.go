package words

import (
	"fmt"
	"slices"
	"strings"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// Answer prints an answer for people: the board, who wins, and the moves.
// Endless says for each move whether its score leans on rule 8.
func Answer(g game.Game, d game.Diagram, a tablebase.Answer) string {
	v := NewVerdict(g, d, a)
	var text strings.Builder
	text.WriteString(d.Board())
	text.WriteByte('\n')
	text.WriteString(v.Sentence())
	if !v.Given && !v.Over() {
		text.WriteString("\nNo stores are given, so this counts the beans on the board alone.")
	}
	text.WriteByte('\n')
	if len(a.Moves) > 0 {
		text.WriteByte('\n')
		text.WriteString(v.moveTable())
		text.WriteByte('\n')
		text.WriteString(v.depth())
		text.WriteString(v.bestPlay())
	}
	return text.String()
}

// Verdict puts an answer in words.
type Verdict struct {
	game   game.Game
	d      game.Diagram
	answer tablebase.Answer
	mover  game.Side
	Given  bool // whether the position says what the stores hold
	lead   int  // by how many beans the mover is ahead at the end
}

// NewVerdict returns the verdict on a position of which the tables give an answer.
func NewVerdict(g game.Game, d game.Diagram, a tablebase.Answer) Verdict {
	return Verdict{
		game:   g,
		d:      d,
		answer: a,
		mover:  d.ToMove,
		Given:  d.Stores != [2]int{},
		lead:   d.Lead() + int(*a.Score),
	}
}

// Over reports whether play is over.
func (v Verdict) Over() bool { return v.game.Over(v.d.Position()) }

// Sentence says who wins and by what, and which moves do it.
func (v Verdict) Sentence() string {
	switch {
	case v.Over() && v.Given:
		return v.Ending() + " " + v.Result()
	case v.Over():
		return v.Ending()
	}
	return v.Turn() + v.Result() + " " + v.choice()
}

// Turn says who is to move, and by which rules if they are not the usual ones.
func (v Verdict) Turn() string {
	if v.game.Rules() == game.Mangala {
		return fmt.Sprintf("%v to move, by the rules of Mangala II. ", v.mover)
	}
	return fmt.Sprintf("%v to move. ", v.mover)
}

// Ending says why play is over and what becomes of the beans on the board.
func (v Verdict) Ending() string {
	if v.answer.Beans == 0 {
		return "Play is over: the board is empty."
	}
	return fmt.Sprintf("Play is over: %v to move has no beans, so %v takes the %s on the board.",
		v.mover, v.mover.Other(), Things(v.answer.Beans, "bean"))
}

// Result says who wins and by what final score.
func (v Verdict) Result() string {
	winner, lead := v.mover, v.lead
	if lead < 0 {
		winner, lead = winner.Other(), -lead
	}
	final := v.answer.Final
	if final == nil {
		const why = "may stay on the board for ever, where they count for nobody (rule 8)"
		if lead == 0 {
			return "It is a draw; some beans " + why + "."
		}
		return fmt.Sprintf("%v wins by %s; some %s.", winner, Things(lead, "bean"), why)
	}
	high, low := max(final.South, final.North), min(final.South, final.North)
	switch {
	case lead == 0 && v.Given:
		return fmt.Sprintf("It is a draw, %d–%d.", high, low)
	case lead == 0:
		return fmt.Sprintf("Each side wins %d of the %s on the board.", high, Things(v.answer.Beans, "bean"))
	case v.Given:
		return fmt.Sprintf("%v wins %d–%d.", winner, high, low)
	default:
		return fmt.Sprintf("%v wins %d more than %v of the %s on the board, %d–%d.",
			winner, lead, winner.Other(), Things(v.answer.Beans, "bean"), high, low)
	}
}

// choice says which moves keep the result, and which are best.
func (v Verdict) choice() string {
	moves := v.answer.Moves
	if len(moves) == 1 && moves[0].Pit == nil {
		return fmt.Sprintf("%v has to pass.", v.mover)
	}
	if len(moves) == 1 {
		return fmt.Sprintf("Move %d is the only one.", *moves[0].Pit)
	}
	var keeping, best []int
	for _, move := range moves {
		if v.keeps(move) {
			keeping = append(keeping, *move.Pit)
		}
		if v.best(move) {
			best = append(best, *move.Pit)
		}
	}
	slices.Sort(keeping)
	slices.Sort(best)
	verb := [...]string{"lose", "draw", "win"}[*v.answer.Outcome+1]
	var text string
	switch {
	case len(keeping) == len(moves):
		text = "Every move " + verb + "s"
	case len(keeping) == 1:
		text = fmt.Sprintf("Only move %d %ss", keeping[0], verb)
	default:
		text = fmt.Sprintf("Moves %s %s", PitList(keeping), verb)
	}
	switch {
	case len(best) == len(keeping):
		return text + "."
	case len(best) == 1:
		return fmt.Sprintf("%s; move %d is best.", text, best[0])
	default:
		return fmt.Sprintf("%s; moves %s are best.", text, PitList(best))
	}
}

// keeps reports whether a move keeps the result: a win, a draw or a loss.
func (v Verdict) keeps(m tablebase.Move) bool { return *m.Outcome == *v.answer.Outcome }

// best reports whether no move scores more.
func (v Verdict) best(m tablebase.Move) bool { return *m.Score == *v.answer.Score }

// moveTable lists the moves, best first.
func (v Verdict) moveTable() string {
	rows := NewTable()
	rows.Row("", "move", "takes", "South–North", "for "+v.mover.String(), "DTC")
	legend := "  *  best"
	for _, move := range v.answer.Moves {
		mark := ""
		switch {
		case v.best(move):
			mark = "*"
		case v.keeps(move) && *move.Outcome != game.Loss:
			mark = "+"
			legend = "  *  best    +  keeps the result, with fewer beans"
		}
		rows.Row(mark, MoveName(move.Number()), fmt.Sprint(move.Captured), v.final(move), move.Outcome.String(), depthText(move.DTC))
	}
	return rows.String() + legend + "\n"
}

// final returns what the stores hold after a move and best play, or by how many
// beans the mover is ahead where endless play leaves that open.
func (v Verdict) final(m tablebase.Move) string {
	if m.Endless {
		return "by " + Signed(v.d.Lead()+int(*m.Score))
	}
	final := v.d.Final(*m.Score)
	return fmt.Sprintf("%d–%d", final.South, final.North)
}

// depthText prints a DTC, or a question mark where it is not known.
func depthText(dtc *game.DTC) string {
	if dtc == nil {
		return "?"
	}
	return dtc.String()
}

// depth says what the DTC is and what it counts.
func (v Verdict) depth() string {
	const counts = "plies to the next capture or the end of play"
	switch dtc := v.answer.DTC; {
	case dtc == nil:
		return "DTC (" + counts + ") takes a longer search: allow more with --limit, or store depths with build --dtc.\n"
	case *dtc == game.Endless:
		return "Best play never captures again: DTC (" + counts + ") is endless.\n"
	default:
		return fmt.Sprintf("DTC %v: %s; in the table, those after the move.\n%s\n", dtc, counts, hurry(v.mover, *v.answer.Score))
	}
}

// hurry says which side hurries to convert, by the score of the side to move.
func hurry(mover game.Side, score game.Score) string {
	ahead := mover
	switch {
	case score == 0:
		return "Both sides get the same from the board, and go the shortest way that keeps it so."
	case score < 0:
		ahead = mover.Other()
	}
	return fmt.Sprintf("%v gets more from the board and hurries; %v delays.", ahead, ahead.Other())
}

// lineWidth is how many characters a line of text has at most where it is broken.
const lineWidth = 80

// bestPlay lists the moves of best play, if they are known.
func (v Verdict) bestPlay() string {
	if v.answer.Line == nil {
		return ""
	}
	end := v.d
	text := "Best play:"
	column := len(text)
	for _, pit := range v.answer.Line {
		move := MoveName(pit)
		if column+1+len(move) > lineWidth {
			text += "\n          "
			column = len("          ")
		}
		text += " " + move
		column += 1 + len(move)
		end, _, _ = end.Play(v.game, pit) // the moves of a line are legal
	}
	if !v.game.Over(end.Position()) { // play is endless
		text += " …"
	}
	return text + "\n"
}
