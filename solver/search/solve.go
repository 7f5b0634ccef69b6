package search

import (
	"context"

	"bohnenspiel/solver/game"
)

// Bounds are what is proved of a score: it is from Low to High, both included.
type Bounds struct {
	Low, High game.Score
}

// Trivial returns the bounds that the number of beans on the board gives.
func Trivial(beans int) Bounds {
	return Bounds{Low: game.Score(-beans), High: game.Score(beans)}
}

// Exact reports whether the score is known.
func (b Bounds) Exact() bool { return b.Low == b.High }

// step returns the distance between two scores of a layer: with an even number of
// beans all are even.
func step(beans int) int {
	if beans%2 == 0 {
		return 2
	}
	return 1
}

// Solve narrows the bounds of the score of p, which must be right, until they are
// exact, ctx ends, or about limit positions have been visited (0 means no limit). It
// returns how far it came. Report, if not nil, is called whenever the bounds have
// become narrower.
//
// It asks about the middle of what is left, with a small effort first, then about the
// other bounds that make sense, then again with more effort. So cheap proofs come
// first, whichever side they are on.
func (s *Search) Solve(ctx context.Context, p game.Position, known Bounds, limit uint64, report func(Bounds)) (reached Bounds, visited uint64) {
	beans := p.Beans()
	reached = known
	const firstEffort, growth = 2000, 4
	for effort := uint64(firstEffort); !reached.Exact(); effort *= growth {
		progress := false
		for _, bound := range s.candidates(reached, beans) {
			if bound <= int(reached.Low) || bound > int(reached.High) {
				continue // answered meanwhile
			}
			share := effort
			if limit > 0 {
				share = min(share, limit-min(limit, visited))
			}
			verdict, n := s.Decide(ctx, p, bound, share)
			visited += n
			switch verdict {
			case Yes:
				reached.Low = game.Score(bound)
			case No:
				reached.High = game.Score(bound - step(beans))
			case Open:
			}
			if verdict != Open {
				progress = true
				if report != nil {
					report(reached)
				}
			}
			if reached.Exact() || ctx.Err() != nil || limit > 0 && visited >= limit {
				return reached, visited
			}
		}
		if progress {
			effort /= growth
		}
	}
	return reached, visited
}

// candidates returns the bounds to ask about, the most useful first: those about the
// middle of what is left, then those toward its ends.
func (s *Search) candidates(b Bounds, beans int) []int {
	by := step(beans)
	middle := (int(b.Low) + int(b.High)) / 2
	// The scores that the game mostly has are those ≡ beans (mod 4), or (mod 2).
	for (middle-beans)%(2*by) != 0 {
		middle++
	}
	var bounds []int
	for distance := 0; distance <= int(b.High)-int(b.Low); distance += by {
		bounds = append(bounds, middle+distance)
		if distance > 0 {
			bounds = append(bounds, middle-distance)
		}
	}
	return bounds
}
