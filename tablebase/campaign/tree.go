package campaign

import (
	"iter"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
)

// Tree is the questions of a campaign and those that they were split into. It is a graph
// rather: a question that is reached in several ways is there once, and quiet moves may
// lead in circles. A tree is made of lines alone, in any order. Its methods must not be
// called at the same time.
type Tree struct {
	game  game.Game
	facts *facts
	asks  []Line
	split map[search.Question]bool
	nodes []node
	index map[search.Question]int32
	// expanded are the nodes that have children, by the beans on the board, in the order in
	// which they got them.
	expanded [][]int32
	totals   Totals
	hints    map[search.Question]Numbers // of the questions after the moves of those that were split
	work     map[search.Question]uint64  // positions visited for a question, by its jobs
	seen     map[string]bool             // texts of lines
	round    int                         // of the last walk
}

// Totals sums up the lines of a campaign, each counted once.
type Totals struct {
	Jobs    int    // that took a search: answered or split
	Answers int    // lines that answer a question
	Splits  int    // lines that split one
	Visited uint64 // positions
}

// node is a question. It is a leaf as long as it has no children.
type node struct {
	question search.Question
	beans    int
	known    *known // of its position
	split    bool   // it is to have children when that is needed
	children []edge
	// estimate is, of a leaf, what it takes to answer it, as far as somebody has said.
	estimate numbers
	// can says, while answers are deduced, that its forcer may still have his way.
	can bool
	// What follows belongs to the round of a walk.
	round   int
	numbers numbers
	onPath  bool
}

// edge is a move.
type edge struct {
	node     int32
	pit      int
	captured int
}

// NewTree returns the tree of a campaign of a game that asks nothing.
func NewTree(g game.Game) *Tree {
	return &Tree{
		game: g, facts: newFacts(), split: make(map[search.Question]bool), index: make(map[search.Question]int32),
		expanded: make([][]int32, game.MaxBeans(g.Width())+1), seen: make(map[string]bool),
		work: make(map[search.Question]uint64), hints: make(map[search.Question]Numbers),
	}
}

// Load returns the tree of some lines, the first of which is a header. Errors are those of
// Add.
func Load(lines []Located) (*Tree, error) {
	t := NewTree(lines[0].Game)
	if err := t.Add(lines...); err != nil {
		return nil, err
	}
	return t, nil
}

// Add adds lines to the tree. The error wraps ErrContradiction, and names lines that
// can't both be right.
func (t *Tree) Add(lines ...Located) error {
	for _, l := range lines {
		text := l.String()
		if t.seen[text] {
			continue
		}
		t.seen[text] = true
		t.totals.add(l.Line)
		if l.Worked() {
			t.work[l.Question()] += l.Visited
		}
		switch {
		case l.Kind == Ask:
			t.asks = append(t.asks, l.Line)
		case l.Kind == Split:
			q := l.Question()
			t.split[q] = true
			for i, m := range t.game.Successors(nil, q.Position) {
				if n := l.Moves[i]; n.Yes > 0 && n.No > 0 {
					t.hints[after(q, q.Position.Beans(), m)] = n
				}
			}
			if i, ok := t.index[q]; ok {
				t.nodes[i].split = true
			}
		case l.Answers():
			if err := t.facts.add(l); err != nil {
				return err
			}
		}
	}
	return t.settle()
}

// add counts a line.
func (s *Totals) add(l Line) {
	if !l.Worked() {
		return
	}
	s.Visited += l.Visited
	if l.Visited > 0 {
		s.Jobs++
	}
	if l.Kind == Split {
		s.Splits++
	} else {
		s.Answers++
	}
}

// Totals returns what the lines sum up to.
func (t *Tree) Totals() Totals { return t.totals }

// Asks returns what the campaign asks.
func (t *Tree) Asks() []Line { return t.asks }

// Bounds returns what is proved of the score of a position.
func (t *Tree) Bounds(p game.Position) search.Bounds {
	beans := p.Beans()
	b := search.Trivial(beans)
	k := t.facts.of[p]
	if k == nil {
		return b
	}
	if n := len(k.lows); n > 0 {
		b.Low = max(b.Low, game.Score(k.lows[n-1].bound))
	}
	if n := len(k.highs); n > 0 {
		b.High = min(b.High, game.Score(k.highs[n-1].bound-step(beans)))
	}
	return b
}

// step returns the distance between two scores of a layer.
func step(beans int) int {
	if beans%2 == 0 {
		return 2
	}
	return 1
}

// Done reports whether all that the campaign asks is answered.
func (t *Tree) Done() bool { return len(t.open()) == 0 }

// open returns the questions of the campaign that are to be answered now.
func (t *Tree) open() []search.Question {
	var open []search.Question
	for _, a := range t.asks {
		q, ok := t.openOf(a)
		if ok {
			open = append(open, q)
		}
	}
	return open
}

// openOf returns the question that is to be answered now for what a line asks, and whether
// there is one.
func (t *Tree) openOf(ask Line) (search.Question, bool) {
	beans := ask.Position.Beans()
	for {
		bound := ask.Bound
		if ask.Score {
			b := t.Bounds(ask.Position)
			if b.Exact() {
				return search.Question{}, false
			}
			bound = t.closest(ask.Position, b, middle(b, beans))
		}
		q := newQuestion(ask.Position, beans, bound)
		if !t.nodes[t.node(q)].answered() {
			return q, true
		}
		if !ask.Score {
			return search.Question{}, false
		}
		// The rules have answered it, so the bounds are narrower now.
	}
}

// closest returns the bound closest to the middle about which a question was split, where
// it would narrow bounds; else the middle.
func (t *Tree) closest(p game.Position, b search.Bounds, middle int) int {
	best, found := middle, false
	distance := func(bound int) int { return max(bound-middle, middle-bound) }
	for _, q := range t.splitOf(p) {
		bound := int(q.Bound)
		if bound > int(b.Low) && bound <= int(b.High) && (!found || distance(bound) < distance(best)) {
			best, found = bound, true
		}
	}
	return best
}

// middle returns the bound to ask about where a score is between bounds: the middle, or
// the next one that a game can end with; such scores are ≡ beans (mod 4).
func middle(b search.Bounds, beans int) int {
	low, high, by := int(b.Low), int(b.High), step(beans)
	bound := low + (high-low+by)/(2*by)*by
	if (bound-beans)%(2*by) != 0 && bound+by <= high {
		return bound + by
	}
	return bound
}

// node returns the number of the node of a question. Where the rules answer the question,
// that is known from then on.
func (t *Tree) node(q search.Question) int32 {
	if i, ok := t.index[q]; ok {
		return i
	}
	i := int32(len(t.nodes))
	t.index[q] = i
	n := node{question: q, beans: q.Position.Beans(), known: t.facts.about(q.Position), split: t.split[q]}
	t.nodes = append(t.nodes, n)
	if _, ok := n.known.answer(int(q.Bound)); ok {
		return i
	}
	if answer, ok := t.ruled(q); ok {
		t.facts.keep(n.known, int(q.Bound), answer, Located{})
	}
	return i
}

// ruled answers a question that the rules or the beans left answer.
func (t *Tree) ruled(q search.Question) (yes, ok bool) {
	beans := q.Position.Beans()
	switch {
	case t.game.Over(q.Position):
		return int(t.game.Final(q.Position)) >= int(q.Bound), true
	case int(q.Bound) > beans:
		return false, true
	case int(q.Bound) <= -beans:
		return true, true
	default:
		return false, false
	}
}

// expand gives a node its children.
func (t *Tree) expand(i int32) {
	q, beans := t.nodes[i].question, t.nodes[i].beans
	moves := t.game.Successors(nil, q.Position)
	children := make([]edge, 0, len(moves))
	for _, m := range moves {
		child := t.node(after(q, beans, m))
		children = append(children, edge{child, m.Pit, m.Captured})
	}
	t.nodes[i].children = children // nodes may have moved
	t.expanded[beans] = append(t.expanded[beans], i)
}

// after returns the question after a move of a position with so many beans. The answer to
// q is yes exactly if for some move the answer to that one is no.
func after(q search.Question, beans int, m game.Successor) search.Question {
	return newQuestion(m.Next, beans-m.Captured, m.Captured-int(q.Bound)+1)
}

// settle deduces what follows from the lines, and expands the nodes that were split as far
// as open questions need them.
func (t *Tree) settle() error {
	for {
		if err := t.deduce(); err != nil {
			return err
		}
		grown := false
		for i := range t.walk(t.begun()) {
			if n := &t.nodes[i]; n.split && n.children == nil {
				t.expand(i)
				grown = true
			}
		}
		if !grown {
			return nil
		}
	}
}

// begun returns the questions about positions of the campaign that were split, and those
// that are to be answered now.
func (t *Tree) begun() []search.Question {
	begun := t.open()
	for _, a := range t.asks {
		begun = append(begun, t.splitOf(a.Position)...)
	}
	return begun
}

// splitOf returns the questions about a position that were split.
func (t *Tree) splitOf(p game.Position) []search.Question {
	var split []search.Question
	beans := p.Beans()
	for bound := -beans; bound <= beans; bound += step(beans) {
		if q := newQuestion(p, beans, bound); t.split[q] {
			split = append(split, q)
		}
	}
	return split
}

// walk yields the open nodes that some questions lead to, each once, a node before its
// children.
func (t *Tree) walk(from []search.Question) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		t.round++
		var stack []int32
		push := func(i int32) {
			n := &t.nodes[i]
			if n.round != t.round && !n.answered() {
				n.round = t.round
				stack = append(stack, i)
			}
		}
		for _, q := range from {
			push(t.node(q))
		}
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !yield(i) {
				return
			}
			for _, e := range t.nodes[i].children {
				push(e.node)
			}
		}
	}
}

// answered reports whether the answer is known.
func (n *node) answered() bool {
	_, ok := n.known.answer(int(n.question.Bound))
	return ok
}
