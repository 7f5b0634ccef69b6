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

// lattice returns the distance between two scores of a layer but for endless play: they
// are ≡ beans (mod 4), or (mod 2) where beans is odd.
func lattice(beans int) int { return 2 * step(beans) }

// Solve narrows the bounds of the score of p, which must be right, until they are
// exact, ctx ends, or about limit positions have been visited (0 means no limit). It
// returns how far it came. Report, if not nil, is called whenever the bounds have
// become narrower.
//
// Two questions prove a score: is it at least that, and is it more? Solve puts its effort
// into these two about the score that it expects, a small one first, then twice as much,
// and so on. What it expects is at first what the position is worth; then proof numbers
// tell, for they are low for the answer that is the right one. Besides, it asks with less
// effort about bounds farther off, where proofs are cheap.
func (s *Search) Solve(ctx context.Context, p game.Position, known Bounds, limit uint64, report func(Bounds)) (reached Bounds, visited uint64) {
	beans := p.Beans()
	c := &closing{search: s, position: p, beans: beans, reached: known, limit: limit, report: report}
	c.expected = s.worth.of(p, beans)/oneBean + step(beans)
	const firstEffort, growth, aside = 2000, 2, 32
	for effort := uint64(firstEffort); !c.done(ctx); effort *= growth {
		c.middle(ctx, effort)
		c.below(ctx, effort/aside)
		c.above(ctx, effort/aside)
	}
	return c.reached, c.visited
}

// closing is the state of Solve.
type closing struct {
	search   *Search
	position game.Position
	beans    int
	reached  Bounds
	expected int // the score that is expected, on the lattice after clip
	visited  uint64
	limit    uint64
	report   func(Bounds)
}

// done reports whether there is nothing more to do.
func (c *closing) done(ctx context.Context) bool {
	return c.reached.Exact() || ctx.Err() != nil || c.limit > 0 && c.visited >= c.limit
}

// clip moves the expected score to the largest one on the lattice that is not above it,
// and between the bounds as far as there is one.
func (c *closing) clip() {
	c.expected = c.down(min(max(c.expected, c.down(int(c.reached.Low)+lattice(c.beans)-1)), int(c.reached.High)))
}

// down returns the largest number on the lattice that is not above a number.
func (c *closing) down(n int) int {
	by := lattice(c.beans)
	return n - ((n-c.beans)%by+by)%by
}

// ask asks whether the score is at least bound, with so much effort.
func (c *closing) ask(ctx context.Context, bound int, effort uint64) (v Verdict, n numbers) {
	if c.limit > 0 {
		effort = min(effort, c.limit-min(c.limit, c.visited))
	}
	v, visited := c.search.Decide(ctx, c.position, bound, max(effort, 1))
	c.visited += visited
	switch v {
	case Yes:
		c.reached.Low = game.Score(bound)
	case No:
		c.reached.High = game.Score(bound - step(c.beans))
	case Open:
		if e, ok := c.search.table.find(newQuestion(c.position, c.beans, bound)); ok {
			n = e.numbers
		}
		return Open, n
	}
	if c.report != nil {
		c.report(c.reached)
	}
	return v, n
}

// middle asks about the score that is expected, until the effort is spent for that and
// for more than that. It asks about each bound once.
func (c *closing) middle(ctx context.Context, effort uint64) {
	asked := make(map[int]bool)
	by := lattice(c.beans)
	for !c.done(ctx) {
		c.clip()
		least, more := c.expected, c.expected+step(c.beans)
		switch {
		case least > int(c.reached.Low) && !asked[least]:
			asked[least] = true
			if v, n := c.ask(ctx, least, effort); v == Open && n.yes > n.no && !asked[least-by] {
				c.expected -= by
			}
		case more <= int(c.reached.High) && !asked[more]:
			asked[more] = true
			if v, n := c.ask(ctx, more, effort); v == Open && n.no > n.yes && !asked[more+by] {
				c.expected += by
			}
		default:
			return
		}
	}
}

// below asks about scores below the one that is expected: halfway between that and the
// lower bound, as long as the answer is found.
func (c *closing) below(ctx context.Context, effort uint64) {
	for !c.done(ctx) {
		c.clip()
		bound := c.down((c.expected + int(c.reached.Low)) / 2)
		if bound <= int(c.reached.Low) || bound >= c.expected {
			return
		}
		if v, _ := c.ask(ctx, bound, effort); v == Open {
			return
		}
	}
}

// above asks about scores above the one that is expected, in the same way.
func (c *closing) above(ctx context.Context, effort uint64) {
	for !c.done(ctx) {
		c.clip()
		bound := c.down((c.expected+int(c.reached.High))/2) + step(c.beans)
		if bound > int(c.reached.High) || bound <= c.expected+step(c.beans) {
			return
		}
		if v, _ := c.ask(ctx, bound, effort); v == Open {
			return
		}
	}
}
