package campaign

import (
	"cmp"
	"math"
	"slices"

	"bohnenspiel/solver/search"
)

// numbers are about how many positions have to be decided to show yes, and no; 0 and
// infinity are answers.
type numbers struct{ yes, no float64 }

// decided returns the numbers of an answer.
func decided(yes bool) numbers {
	if yes {
		return numbers{0, math.Inf(1)}
	}
	return numbers{math.Inf(1), 0}
}

// open reports whether the numbers are no answer.
func (n numbers) open() bool { return n.yes != 0 && n.no != 0 }

// Choice says how the next job is chosen.
type Choice struct {
	// Busy reports whether somebody is at a question. It may be nil.
	Busy func(q search.Question) bool
	// Avoid reports whether a question is rather left to others, and taken only if it looks
	// much better than all that are not. It may be nil.
	Avoid func(q search.Question) bool
}

const (
	// busyCost is what a question costs more while others are at it, so that its neighbours
	// are taken rather.
	busyCost = 1.5
	// avoidCost is what a question costs more that is left to others.
	avoidCost = 1.5
)

// Next returns the question that is worth most to answer next, and whether there is one
// that nobody is at. It follows, from a question of the campaign, the move after which no
// is easiest to show, and where all below that are taken the next best.
func (t *Tree) Next(c Choice) (q search.Question, ok bool) {
	t.round++
	open := t.open()
	roots := make([]int32, 0, len(open))
	for _, q := range open {
		roots = append(roots, t.node(q))
	}
	cost := make(map[int32]float64, len(roots))
	for _, i := range roots {
		n := t.number(c, i)
		cost[i] = min(n.yes, n.no)
	}
	slices.SortStableFunc(roots, func(a, b int32) int { return cmp.Compare(cost[a], cost[b]) })
	p := &picker{tree: t, choice: c, been: make(map[int32]bool)}
	for _, i := range roots {
		if q, ok := p.pick(i); ok {
			return q, true
		}
	}
	return search.Question{}, false
}

// number sets the numbers of a node and of all below it. A node that is on the path that
// led to it counts as endless play, so what is above it may be wrong elsewhere; that only
// misleads.
func (t *Tree) number(c Choice, i int32) numbers {
	n := &t.nodes[i]
	switch answer, ok := n.known.answer(int(n.question.Bound)); {
	case ok:
		return decided(answer)
	case n.onPath:
		return decided(n.question.Bound <= 0)
	case n.round == t.round:
		return n.numbers
	}
	if n.children == nil {
		yes, no := max(n.estimate.yes, 1), max(n.estimate.no, 1)
		if c.Busy != nil && c.Busy(n.question) {
			yes, no = yes*busyCost, no*busyCost
		}
		if c.Avoid != nil && c.Avoid(n.question) {
			yes, no = yes*avoidCost, no*avoidCost
		}
		n.numbers = numbers{yes, no}
	} else {
		n.onPath = true
		n.numbers = numbers{math.Inf(1), 0}
		for _, e := range n.children {
			after := t.number(c, e.node)
			n.numbers.yes = min(n.numbers.yes, after.no)
			n.numbers.no += after.yes
		}
		n.onPath = false
	}
	n.round = t.round
	return n.numbers
}

// picker looks for a job from the best node to the worst.
type picker struct {
	tree   *Tree
	choice Choice
	been   map[int32]bool
}

// pick returns a leaf below a node that nobody is at, or the node if it is one.
func (p *picker) pick(i int32) (search.Question, bool) {
	n := &p.tree.nodes[i]
	if n.answered() || p.been[i] {
		return search.Question{}, false
	}
	p.been[i] = true
	if n.children == nil {
		return n.question, p.choice.Busy == nil || !p.choice.Busy(n.question)
	}
	// What counts as answered by way of a circle only may be wrong, but comes last.
	by := func(e edge) float64 {
		if after := p.tree.nodes[e.node].numbers; after.open() {
			return after.no
		}
		return math.Inf(1)
	}
	order := slices.Clone(n.children)
	slices.SortStableFunc(order, func(a, b edge) int { return cmp.Compare(by(a), by(b)) })
	for _, e := range order {
		if q, ok := p.pick(e.node); ok {
			return q, true
		}
	}
	return search.Question{}, false
}
