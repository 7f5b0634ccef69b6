package search

// guess returns the first estimate of the numbers of a question that nobody has looked
// at: the farther the bound is from what the mover may expect, the harder it is. Where a
// capture answers the question, it returns the answer.
//
// Who has more beans in his row mostly wins more: about half of what he has more.
func (s *Search) guess(q Question, beans int) numbers {
	if !s.tuning.NoAhead && s.taken(q, beans) {
		return decided(true)
	}
	n := numbers{1, 1}
	if s.tuning.FlatGuess {
		return n
	}
	expected := q.Position.Mover.Beans() - beans/2
	if ahead := int(q.Bound) - expected; ahead > 0 {
		n.yes += uint32(ahead)
	} else {
		n.no += uint32(-ahead)
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
