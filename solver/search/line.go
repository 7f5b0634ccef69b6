package search

import (
	"context"

	"bohnenspiel/solver/game"
)

// Keeps returns, for each move of p, whether it keeps the score, which must be that of
// p: Yes, No, or Open where that was not decided before ctx ended. Visited is the number
// of positions looked at.
func (s *Search) Keeps(ctx context.Context, p game.Position, score game.Score, effort uint64) (keeps []Verdict, visited uint64) {
	for _, next := range s.game.Successors(nil, p) {
		verdict, n := s.Decide(ctx, next.Next, next.Captured-int(score)+1, effort)
		visited += n
		switch verdict {
		case Yes:
			verdict = No
		case No:
			verdict = Yes
		case Open:
		}
		keeps = append(keeps, verdict)
	}
	return keeps, visited
}

// Line returns best play from p, whose score must be given, as long as tables don't have
// the position: until there, to the end of play, to a position that comes again, or to
// where ctx ended. A side that is to get more plays a move that it gets it by soonest,
// as far as the search knows.
func (s *Search) Line(ctx context.Context, p game.Position, score game.Score) []game.Successor {
	var line []game.Successor
	seen := make(map[game.Position]bool)
	for !seen[p] && !s.game.Over(p) {
		if s.prober != nil {
			if _, ok := s.prober.Probe(p, p.Beans()); ok {
				break
			}
		}
		seen[p] = true
		move, ok := s.keepingMove(ctx, p, score)
		if !ok {
			break
		}
		line = append(line, move)
		p, score = move.Next, game.Score(move.Captured)-score
	}
	return line
}

// keepingMove returns a move of p that keeps its score: of those known to, the one that
// gets there soonest, else the first that a search finds.
func (s *Search) keepingMove(ctx context.Context, p game.Position, score game.Score) (best game.Successor, ok bool) {
	shortest := uint32(0)
	moves := s.game.Successors(nil, p)
	question := func(m game.Successor) (q Question, beans int) {
		beans = m.Next.Beans()
		return newQuestion(m.Next, beans, m.Captured-int(score)+1), beans
	}
	for _, m := range moves {
		q, beans := question(m)
		length := uint32(0)
		if answer, known := s.exact(q, beans); known {
			if answer {
				continue
			}
		} else if e, known := s.table.find(q); known && e.numbers.no == 0 {
			length = e.length
		} else {
			continue
		}
		if m.Captured == 0 {
			length++
		}
		if !ok || length < shortest {
			best, shortest, ok = m, length, true
		}
	}
	for i := 0; !ok && i < len(moves); i++ {
		q, _ := question(moves[i])
		verdict, _ := s.Decide(ctx, q.Position, int(q.Bound), 0)
		best, ok = moves[i], verdict == No
	}
	return best, ok
}
