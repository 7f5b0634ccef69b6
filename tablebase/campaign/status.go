package campaign

import (
	"math"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
)

// Status is how far a campaign is. Its JSON form is the object of "campaign status
// --json".
type Status struct {
	Rules     game.Rules       `json:"rules"`
	Width     int              `json:"width"`
	Questions []QuestionStatus `json:"questions"`
	JobsDone  int              `json:"jobs_done"` // that took a search
	JobsOpen  int              `json:"jobs_open"` // that the tree has now; more will follow
	Answered  int              `json:"answered"`  // questions that lines answer
	Split     int              `json:"split"`     // questions that were split
	Visited   uint64           `json:"visited"`   // positions so far
	// Left is about how many positions are to be visited yet, null where nothing can be said.
	// It takes open questions for as hard as those before them, of as many beans, and the tree
	// for as large as it will ever be: so it may well be wrong by a factor of ten, and is
	// rather too low at first.
	Left *float64 `json:"left"`
	// History is how that has developed, oldest first.
	History []Estimate `json:"history"`
}

// QuestionStatus is how far a question is that a campaign asks.
type QuestionStatus struct {
	Position string        `json:"position"` // pits, the mover's first
	AtLeast  *int          `json:"at_least"` // null where the score is wanted
	Bounds   [2]game.Score `json:"bounds"`   // what is proved of the score
	Answer   *bool         `json:"answer"`   // null as long as it is open; of a score, whether it is known
	Asked    *int          `json:"asked"`    // the bound that is asked about now, null if none is
}

// Estimate is what was left when so much had been done.
type Estimate struct {
	Visited uint64   `json:"visited"`
	Left    *float64 `json:"left"`
}

// StatusOf returns how far the campaign of some lines is, the first of which is a header.
// Errors are those of Load.
func StatusOf(lines []Located) (Status, error) {
	t, err := Load(lines)
	if err != nil {
		return Status{}, err
	}
	totals := t.Totals()
	s := Status{
		Rules: t.game.Rules(), Width: t.game.Width(), JobsDone: totals.Jobs, Answered: totals.Answers, Split: totals.Splits,
		Visited: totals.Visited, Left: t.left(),
	}
	for i := range t.walk(t.open()) {
		if t.nodes[i].children == nil {
			s.JobsOpen++
		}
	}
	for _, a := range t.asks {
		b := t.Bounds(a.Position)
		q := QuestionStatus{Position: Pits(t.game, a.Position), Bounds: [2]game.Score{b.Low, b.High}}
		asked, open := t.openOf(a)
		if open {
			q.Asked = new(int(asked.Bound))
		}
		if !a.Score {
			q.AtLeast = new(a.Bound)
		}
		if !open {
			q.Answer = new(a.Score || int(b.Low) >= a.Bound)
		}
		s.Questions = append(s.Questions, q)
	}
	const times = 8
	for i := 1; i <= times; i++ {
		earlier, err := Load(lines[:max(1, len(lines)*i/times)])
		if err != nil {
			return Status{}, err
		}
		if len(earlier.asks) > 0 {
			s.History = append(s.History, Estimate{earlier.totals.Visited, earlier.left()})
		}
	}
	return s, nil
}

// left returns about how many positions are to be visited yet: the proof numbers of what
// is open, where each leaf counts as much as questions of as many beans have taken. It is
// nil where none has been answered.
func (t *Tree) left() *float64 {
	open := t.open()
	if len(open) == 0 {
		return new(0.0)
	}
	cost := t.costs()
	if cost == nil {
		return nil
	}
	for i := range t.walk(open) {
		n := &t.nodes[i]
		n.estimate = numbers{cost(n.beans), cost(n.beans)}
	}
	t.round++
	left := 0.0
	for _, q := range open {
		n := t.number(Choice{}, t.node(q))
		left += min(n.yes, n.no)
	}
	return &left
}

// costs returns what an answer takes, in positions, by the beans on the board. It is nil
// where no job has answered anything.
//
// How that grows with the beans is told by a line through the logarithms of what jobs took
// that came to an answer. Its height is such that the jobs that were given up count, too:
// as if a search came to its end at any position as likely as at any other.
func (t *Tree) costs() func(beans int) float64 {
	var n, x, y, xx, xy float64
	for q, visited := range t.work {
		if visited > 0 && !t.split[q] {
			bx, by := float64(q.Position.Beans()), math.Log(float64(visited))
			n, x, y, xx, xy = n+1, x+bx, y+by, xx+bx*bx, xy+bx*by
		}
	}
	if n == 0 {
		return nil
	}
	slope := 0.0
	if spread := n*xx - x*x; spread > 0 {
		slope = max(0, (n*xy-x*y)/spread)
	}
	sum := 0.0
	for q, visited := range t.work {
		sum += float64(visited) * math.Exp(-slope*float64(q.Position.Beans()))
	}
	return func(beans int) float64 { return max(1, sum/n*math.Exp(slope*float64(beans))) }
}

// efforts returns the positions that were visited for each node and what it was split
// into. What serves several counts for the first.
func (t *Tree) efforts() []float64 {
	efforts := make([]float64, len(t.nodes))
	parents := make([]int32, len(t.nodes))
	for i := range parents {
		parents[i] = -1
	}
	// Children that are new when a node is expanded have larger numbers than the node.
	for i := range t.nodes {
		for _, e := range t.nodes[i].children {
			if parents[e.node] < 0 && int(e.node) > i {
				parents[e.node] = int32(i)
			}
		}
	}
	for i := len(t.nodes) - 1; i >= 0; i-- {
		efforts[i] += float64(t.work[t.nodes[i].question])
		if p := parents[i]; p >= 0 {
			efforts[p] += efforts[i]
		}
	}
	return efforts
}

// verdict returns the answer to the question of a node.
func (n *node) verdict() search.Verdict {
	answer, ok := n.known.answer(int(n.question.Bound))
	switch {
	case !ok:
		return search.Open
	case answer:
		return search.Yes
	default:
		return search.No
	}
}
