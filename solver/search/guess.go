package search

import "math"

// guesses are first estimates of the numbers of questions.
type guesses struct {
	// effort tells, by how many beans a bound is above what is expected, how hard it is to
	// show that the score reaches it; element 0 is for reach beans below.
	effort [2*reach + 1]float64
	// growth tells, by the beans on the board, how much harder it is than at the tables.
	growth []float64
}

// reach is the largest difference between a bound and what is expected that makes a
// difference itself, in beans.
const reach = 127

// newGuesses returns the estimates for a search above tables with so many beans, −1 for
// none.
func newGuesses(largest, top int) *guesses {
	// Above what is expected each bean is one more; well below it all bounds are alike, and
	// in between, over some beans, the one goes over into the other.
	const some = 6
	g := &guesses{growth: make([]float64, largest+1)}
	for i := range g.effort {
		g.effort[i] = 1 + some*math.Log1p(math.Exp(float64(i-reach)/some))
	}
	// What two more beans make harder.
	const factor, most = 1.3, 1 << 14 // so that the table can hold what comes of it
	for beans := range g.growth {
		g.growth[beans] = min(math.Pow(factor, float64(max(0, beans-top-2))/2), most)
	}
	return g
}

// guess returns the first estimate of the numbers of a question that nobody has looked
// at: the farther the bound is from what the mover may expect, and the more beans there
// are above the tables, the harder it is. Where a capture answers the question, it
// returns the answer.
func (s *Search) guess(q Question, beans int) numbers {
	if !s.tuning.NoAhead && s.taken(q, beans) {
		return decided(true)
	}
	if s.tuning.FlatGuess {
		return numbers{1, 1}
	}
	return s.byWorth(q, beans)
}

// byWorth returns the first estimate as far as bound, worth and beans tell it.
func (s *Search) byWorth(q Question, beans int) numbers {
	above := (int(q.Bound)*oneBean - s.worth.of(q.Position, beans)) / oneBean
	above = min(max(above, -reach), reach)
	growth := s.guesses.growth[beans]
	return numbers{uint32(growth * s.guesses.effort[reach+above]), uint32(growth * s.guesses.effort[reach-above])}
}

// guessBy returns the first estimate of a question, or the answer, where near is known:
// something about the same position, with another bound. The numbers of a twin are as good
// as its own. Of another bound the numbers tell how wrong the estimate of that was, and
// this one's is taken to be as wrong.
func (s *Search) guessBy(q Question, beans int, near entry) numbers {
	guess := s.guess(q, beans)
	if !guess.open() || s.tuning.FlatGuess {
		return guess
	}
	// What a number is multiplied with where a twin has the other answer: large, as the
	// answer is all but sure.
	const unlikely = 16
	if q.twin(near.question, beans) {
		switch verdictOf(near.numbers) {
		case Yes:
			return numbers{1, scaled(guess.no, unlikely, 1)}
		case No:
			return numbers{scaled(guess.yes, unlikely, 1), 1}
		case Open:
			return near.numbers
		}
	}
	was := s.byWorth(near.question, beans)
	return numbers{scaled(guess.yes, near.numbers.yes, was.yes), scaled(guess.no, near.numbers.no, was.no)}
}

// scaled returns n·by/of, rounded, from 1 to a number that the table can hold.
func scaled(n, by, of uint32) uint32 {
	return uint32(min(max(uint64(n)*uint64(by)/uint64(of), 1), numberMask))
}

// taken reports whether a single capture, or a move that ends play, makes the answer
// yes by the rules and the tables alone.
func (s *Search) taken(q Question, beans int) bool {
	for pit := range s.game.Width() {
		if q.Position.Mover.Pit(pit) == 0 {
			continue
		}
		next, captured := s.game.Play(q.Position, pit)
		if captured == 0 && !s.game.Over(next) {
			continue
		}
		beans := beans - captured
		if answer, ok := s.exact(q.after(next, captured, beans), beans); ok && !answer {
			return true
		}
	}
	return false
}
