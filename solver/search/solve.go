package search

import (
	"context"
	"slices"

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
// It asks about the middle of what is left, with a small effort first, then with a part of
// that about bounds half as far from the ends, and so on; then again with more effort. So
// most of the work goes into the middle, and cheap proofs on either side are found besides.
func (s *Search) Solve(ctx context.Context, p game.Position, known Bounds, limit uint64, report func(Bounds)) (reached Bounds, visited uint64) {
	beans := p.Beans()
	reached = known
	const firstEffort, growth, aside = 2000, 4, 16
	for effort := uint64(firstEffort); !reached.Exact(); effort *= growth {
		for progress := true; progress; {
			progress = false
			for i, bound := range candidates(reached, beans) {
				share := effort
				if i > 0 {
					share /= aside
				}
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
				if progress = verdict != Open; progress && report != nil {
					report(reached)
				}
				if reached.Exact() || ctx.Err() != nil || limit > 0 && visited >= limit {
					return reached, visited
				}
				if progress {
					break
				}
			}
		}
	}
	return reached, visited
}

// candidates returns the bounds to ask about, where a score is between bounds: the middle
// first, then what is half as far from the lower end and the upper end, and so on. All
// are above the lower end and not above the upper one.
//
// A yes is worth most at a score that the game can have, a no just above one: those
// scores are ≡ beans (mod 4), or (mod 2) where beans is odd, but for endless play.
func candidates(b Bounds, beans int) []int {
	low, high, by := int(b.Low), int(b.High), step(beans)
	round := func(bound, to int) int {
		if (bound-to)%(2*by) != 0 && bound+by <= high {
			return bound + by
		}
		return bound
	}
	middle := (high - low + by) / (2 * by) // in steps above low
	bounds := []int{round(low+middle*by, beans)}
	add := func(bound int) {
		if !slices.Contains(bounds, bound) {
			bounds = append(bounds, bound)
		}
	}
	for down, up := middle/2, (high-low)/by-middle; down > 0 || up > 0; down, up = down/2, up/2 {
		if down > 0 {
			add(round(low+down*by, beans))
		}
		if up > 0 {
			add(round(high-(up-1)*by, beans+by))
		}
	}
	add(high)
	return bounds
}
