package proof

import (
	"cmp"
	"slices"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase"
)

// Solution is what a search has found out about a position. Its JSON form is one object
// of "solve --json": that of Answer, with bounds and visited besides. What is not known
// is nil, and null there; so are score and outcome until they are proved.
type Solution struct {
	tablebase.Answer
	// Endless is not known for positions above the tables. It hides the field of Answer.
	Endless *bool `json:"endless"`
	// Bounds are what is proved of the score, both included.
	Bounds [2]game.Score `json:"bounds"`
	// Visited is the number of positions that the search has looked at, in this run and in
	// those that it goes on from. It is 0 where the tables have the answer.
	Visited uint64 `json:"visited"`
}

// Exact reports whether the score is known.
func (s Solution) Exact() bool { return s.Bounds[0] == s.Bounds[1] }

// SolutionOf returns the solution that an answer of the tables is.
func SolutionOf(a tablebase.Answer) Solution {
	return Solution{Answer: a, Endless: &a.Endless, Bounds: [2]game.Score{*a.Score, *a.Score}}
}

// newSolution returns what bounds say about a position.
func newSolution(g game.Game, d game.Diagram, b search.Bounds, visited uint64) Solution {
	s := Solution{
		Answer: tablebase.Answer{
			Position: d.String(), Rules: g.Rules(), Beans: d.Position().Beans(), Moves: []tablebase.Move{},
		},
		Bounds:  [2]game.Score{b.Low, b.High},
		Visited: visited,
	}
	if b.Exact() {
		s.Score = new(b.Low)
	}
	// The outcome may be known without the score.
	if low, high := d.Outcome(b.Low), d.Outcome(b.High); low == high {
		s.Outcome = new(low)
	}
	for _, m := range g.Successors(nil, d.Position()) {
		move := tablebase.Move{Captured: m.Captured}
		if m.Pit != game.Pass {
			move.Pit = new(d.Number(m.Pit))
		}
		s.Moves = append(s.Moves, move)
	}
	return s
}

// keeps sets the scores of the moves that keep the score, and how many they are if all
// are decided; and it sorts the moves, those first.
func (s *Solution) keeps(d game.Diagram, keeps []search.Verdict) {
	keeping := 0
	for i, verdict := range keeps {
		if verdict == search.Yes {
			keeping++
			s.Moves[i].Score, s.Moves[i].Outcome = new(*s.Score), new(d.Outcome(*s.Score))
		}
	}
	if !slices.Contains(keeps, search.Open) {
		s.Keeping = &keeping
	}
	slices.SortStableFunc(s.Moves, func(a, b tablebase.Move) int {
		known := func(m tablebase.Move) int {
			if m.Score != nil {
				return 0
			}
			return 1
		}
		return cmp.Compare(known(a), known(b))
	})
}
