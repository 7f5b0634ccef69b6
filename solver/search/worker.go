package search

import (
	"bohnenspiel/solver/game"
)

// worker looks for the answer to one question, depth first. It shares the table with
// others, and has a path of its own.
type worker struct {
	search *Search
	job    *job
	// frames are the questions on the path, from the root to the one being looked at.
	// Those beyond depth are kept for their memory.
	frames []*frame
	depth  int
	// assumed are answers that hold as long as the path does, see frame.close.
	assumed map[Question]outcome
	visited uint64 // positions since they were last reported to the job
	all     uint64 // positions visited
}

// frame is a question on the path.
type frame struct {
	question Question
	beans    int
	// first is the number of the first frame of the run of quiet moves that led here.
	// Positions can only be repeated within it.
	first    int
	children []child
	// lent are the assumed answers that lean on this frame, and on none further down.
	lent []Question
}

// child is a move, and what is known of the question after it.
type child struct {
	question Question
	outcome  outcome
	place    uint64 // in the table, or exactly
	quiet    bool
	pit      int8
	captured int8
}

// outcome is what is known of a question.
type outcome struct {
	numbers numbers
	// length is, where the forcer has his way, the number of quiet moves after which he
	// has it at the latest.
	length uint32
	// leans are the numbers of the frames that the answer leans on, in ascending order.
	// The answer is that of endless play, and it holds on paths with these frames.
	leans []int
}

// share is 1/ε: a move may cost this part more than the second best before that gets
// its turn.
const share = 4

// visit looks at a question until it is answered or one of its numbers reaches a
// limit. The question is not on the path, and none that exact answers.
func (w *worker) visit(q Question, beans int, quiet bool, yesLimit, noLimit uint32) outcome {
	f := w.push(q, beans, quiet)
	began := w.all
	w.all++
	w.visited++
	if w.visited >= reportEvery {
		w.report()
	}
	w.expand(f)
	s := w.summarize(f)
	for s.numbers.open() && s.numbers.yes < yesLimit && s.numbers.no < noLimit && !w.job.stopped.Load() {
		c := &f.children[s.next]
		cYes, cNo := w.limits(f, &s, yesLimit, noLimit)
		if w.job.shared() {
			w.search.busy.enter(c.question, 1)
		}
		c.outcome = w.visit(c.question, c.beans(f), c.quiet, cYes, cNo)
		if w.job.shared() {
			w.search.busy.enter(c.question, -1)
		}
		s = w.summarize(f)
		if w.job.shared() && s.numbers.open() {
			// Somebody else may have found the answer.
			if e, ok := w.search.table.find(q); ok && !e.numbers.open() {
				s.outcome = outcome{numbers: e.numbers, length: e.length}
			}
		}
	}
	w.close(f, &s.outcome, uint32(min(w.all-began, infinity)))
	return s.outcome
}

// limits returns the limits up to which the most promising move of a frame is looked
// at. What is yes for the frame is no after the move.
func (w *worker) limits(f *frame, s *summary, yesLimit, noLimit uint32) (yes, no uint32) {
	c := f.children[s.next].outcome.numbers
	no = yesLimit
	if s.second >= 0 {
		other := f.children[s.second].outcome.numbers.no
		if !w.search.tuning.NoShare {
			other += other / share
		}
		no = min(no, other+1)
	}
	yes = noLimit
	if noLimit < infinity {
		others := s.numbers.no - c.yes
		yes = noLimit - others
	}
	// Where other workers are busy the move need not be the best. Then the limits still
	// have to let something happen.
	return max(yes, c.yes+1), max(no, c.no+1)
}

// beans returns the beans on the board after the move.
func (c *child) beans(f *frame) int { return f.beans - int(c.captured) }

// push puts a question on the path.
func (w *worker) push(q Question, beans int, quiet bool) *frame {
	if w.depth == len(w.frames) {
		w.frames = append(w.frames, &frame{children: make([]child, 0, game.MaxWidth)})
	}
	f := w.frames[w.depth]
	f.question, f.beans, f.first = q, beans, w.depth
	if quiet {
		f.first = w.frames[w.depth-1].first
	}
	f.children, f.lent = f.children[:0], f.lent[:0]
	w.depth++
	return f
}

// expand sets the children of a frame. Where one of them gives the answer, it may be
// the only one.
func (w *worker) expand(f *frame) {
	g := w.search.game
	p := f.question.Position
	if g.Passes(p) {
		w.add(f, p.Swap(), game.Pass, 0)
	} else {
		for pit := range g.Width() {
			if p.Mover.Pit(pit) == 0 {
				continue
			}
			next, captured := g.Play(p, pit)
			if w.add(f, next, pit, captured) {
				return
			}
		}
	}
	// By now the buckets of all children are on their way.
	for i := range f.children {
		c := &f.children[i]
		if c.place == exactly {
			continue
		}
		c.outcome = w.known(f, c)
		if c.outcome.numbers.no == 0 && len(c.outcome.leans) == 0 {
			f.only(i)
			return
		}
	}
}

// exactly is the place of a child that rules or tables answer.
const exactly = 1<<64 - 1

// add adds a move to a frame. It reports whether rules or tables say that it gives the
// answer; then it is the only one.
func (w *worker) add(f *frame, next game.Position, pit, captured int) (answers bool) {
	beans := f.beans - captured
	f.children = append(f.children, child{
		question: f.question.after(next, captured, beans),
		quiet:    captured == 0,
		pit:      int8(pit),
		captured: int8(captured),
		place:    exactly,
	})
	c := &f.children[len(f.children)-1]
	if answer, ok := w.search.exact(c.question, beans); ok {
		c.outcome.numbers = decided(answer)
		if !answer {
			f.only(len(f.children) - 1)
		}
		return !answer
	}
	c.place = w.search.table.place(next)
	w.search.table.fetch(c.place)
	return false
}

// only leaves a frame one child.
func (f *frame) only(i int) {
	f.children[0] = f.children[i]
	f.children = f.children[:1]
}

// known returns what is known of the question after a move that neither rules nor tables
// answer, without a visit.
func (w *worker) known(f *frame, c *child) outcome {
	if c.quiet {
		for i := f.first; i < w.depth; i++ {
			if w.frames[i].question == c.question {
				return outcome{numbers: decided(c.question.endless()), leans: []int{i}}
			}
		}
		if len(w.assumed) > 0 {
			if o, ok := w.assumed[c.question]; ok {
				return o
			}
		}
	}
	if e, ok := w.search.table.findAt(c.place, c.question); ok {
		return outcome{numbers: e.numbers, length: e.length}
	}
	near, ok := w.search.table.near(c.place, c.question, c.beans(f))
	if !ok {
		return outcome{numbers: w.search.guess(c.question, c.beans(f))}
	}
	return outcome{numbers: w.search.guessBy(c.question, c.beans(f), near)}
}

// summary is what the children of a frame say about it.
type summary struct {
	outcome
	// next is the most promising move where the question is open, and second the one
	// after it, or −1.
	next, second int
	open         uint32 // moves after which the question is open
}

// summarize sums up the children of a frame.
func (w *worker) summarize(f *frame) summary {
	s := summary{outcome: outcome{numbers: numbers{infinity, 0}}, next: -1, second: -1}
	var nextCost, secondCost uint32
	var largest uint32 // of the numbers for yes after the moves
	for i := range f.children {
		c := &f.children[i]
		n := c.outcome.numbers
		if n.no == 0 {
			return summary{outcome: f.won()}
		}
		if n.yes == 0 {
			continue
		}
		s.open++
		largest = max(largest, n.yes)
		s.numbers.yes = min(s.numbers.yes, n.no)
		s.numbers.no = min(s.numbers.no+n.yes, infinity-1)
		cost := n.no
		if w.job.shared() {
			cost = min(infinity, cost+w.search.busy.penalty(c.question, cost))
		}
		switch {
		case s.next < 0 || cost < nextCost:
			s.second, secondCost = s.next, nextCost
			s.next, nextCost = i, cost
		case s.second < 0 || cost < secondCost:
			s.second, secondCost = i, cost
		}
	}
	if s.open == 0 {
		return summary{outcome: f.lost()}
	}
	if w.search.tuning.Weak {
		s.numbers.no = min(largest+s.open-1, infinity-1)
	}
	return s
}

// won returns the outcome of a frame with a move after which the answer is no: that of
// the move that leans on least, and wins soonest.
func (f *frame) won() outcome {
	var best *child
	for i := range f.children {
		c := &f.children[i]
		if c.outcome.numbers.no == 0 && (best == nil || better(&c.outcome, &best.outcome)) {
			best = c
		}
	}
	o := outcome{numbers: decided(true), leans: best.outcome.leans, length: best.outcome.length}
	if best.quiet {
		o.length++
	}
	return o
}

// lost returns the outcome of a frame where the answer is yes after each move.
func (f *frame) lost() outcome {
	o := outcome{numbers: decided(false)}
	for i := range f.children {
		c := &f.children[i]
		o.leans = union(o.leans, c.outcome.leans)
		if c.quiet {
			o.length = max(o.length, c.outcome.length+1)
		}
	}
	return o
}

// better reports whether an answer is worth more than another to the same effect: it
// leans on less, or is reached sooner.
func better(a, b *outcome) bool {
	if len(a.leans) != len(b.leans) {
		return len(a.leans) < len(b.leans)
	}
	return a.length < b.length
}
