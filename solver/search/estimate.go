package search

import "bohnenspiel/solver/game"

// Estimate returns what is known of the question whether the score of a position is at
// least bound, without a visit: about how many positions have to be decided to show yes,
// and how many to show no. Verdict is not Open where rules, tables, a capture or an
// earlier search answer it. Visited says whether a search has been there; if not, the
// numbers are what a first look says.
func (s *Search) Estimate(p game.Position, bound int) (yes, no uint32, verdict Verdict, visited bool) {
	beans := p.Beans()
	q := newQuestion(p, beans, min(max(bound, -beans), beans+1))
	var n numbers
	if answer, ok := s.exact(q, beans); ok {
		n = decided(answer)
	} else if e, ok := s.table.find(q); ok {
		n, visited = e.numbers, true
	} else {
		n = s.guess(q, beans)
	}
	return n.yes, n.no, verdictOf(n), visited
}
