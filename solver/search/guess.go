package search

// slope is by how many beans a bound has to be farther away to count as one position
// more.
const slope = 4

// guess returns the first estimate of the numbers of a question that nobody has looked
// at: the farther the bound is from an even game, the harder it is to reach. Where a
// capture answers the question, it returns the answer.
func (s *Search) guess(q Question, beans int) numbers {
	if !s.tuning.NoAhead && s.taken(q, beans) {
		return decided(true)
	}
	n := numbers{1, 1}
	switch bound := int(q.Bound); {
	case s.tuning.FlatGuess:
	case bound > 0:
		n.yes += uint32(bound) / slope
	default:
		n.no += uint32(-bound) / slope
	}
	return n
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
