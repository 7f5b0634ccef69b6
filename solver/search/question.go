package search

import "bohnenspiel/solver/game"

// Question asks whether the score of a position is at least Bound, seen by the side
// to move. Questions are comparable.
//
// Where Bound is above 0, the mover has to force it: endless play, worth 0, does not
// do. Where it is 0 or less, it is the opponent who has to force the score below it,
// and endless play does for the mover. The side that has to force something is the
// forcer of the question.
type Question struct {
	Position game.Position
	Bound    int8
}

// newQuestion returns the question for a position with so many beans. With an even
// number of beans all scores are even, so odd bounds are raised to even ones.
func newQuestion(p game.Position, beans, bound int) Question {
	if beans%2 == 0 && bound%2 != 0 {
		bound++
	}
	return Question{Position: p, Bound: int8(bound)}
}

// after returns the question about the position after a move that takes so many
// beans, which leaves so many on the board. The answer to q is yes exactly if for some
// move the answer to that question is no.
func (q Question) after(next game.Position, captured, beans int) Question {
	return newQuestion(next, beans, captured-int(q.Bound)+1)
}

// endless returns the answer if play goes on for ever: the score is 0 (rule 8).
func (q Question) endless() bool { return q.Bound <= 0 }

// answer returns the answer where the score is known.
func (q Question) answer(score game.Score) bool { return int(score) >= int(q.Bound) }

// twin reports whether a question about the same position, with so many beans, has the
// same answer but for endless play, because no other score lies between the bounds. Where
// an odd number of beans makes 0 such a score, endless play is common.
func (q Question) twin(other Question, beans int) bool {
	low, high := int(min(q.Bound, other.Bound)), int(max(q.Bound, other.Bound))
	return high-low == step(beans) && (high-beans)%lattice(beans) == 0 && (beans%2 == 0 || low != 0)
}

// apart returns the distance between the bounds of two questions.
func (q Question) apart(other Question) int {
	return max(int(q.Bound)-int(other.Bound), int(other.Bound)-int(q.Bound))
}
