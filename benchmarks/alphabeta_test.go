package benchmarks_test

import (
	"cmp"
	"slices"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
)

// alphaBeta is what package search was chosen over: a search with a null window that is
// deepened ply by ply until the answer rests on nothing that the depth cut off. It takes
// captures first, the larger ones before, then the move that answered the question last
// time. The proof flag is the answer itself: yes, no, or cut off.
type alphaBeta struct {
	game    game.Game
	tables  *leafTables
	memory  []deepened
	visited uint64
	limit   uint64
}

// deepened is an entry of its transposition table.
type deepened struct {
	question search.Question
	answer   search.Verdict
	depth    int8 // plies that were looked ahead where the answer is open
	move     int8
}

const deepenedBytes = 32

// exact answers a question by rules and tables.
func (a *alphaBeta) exact(p game.Position, beans, bound int) search.Verdict {
	answer := func(yes bool) search.Verdict {
		if yes {
			return search.Yes
		}
		return search.No
	}
	switch {
	case a.game.Over(p):
		return answer(int(a.game.Final(p)) >= bound)
	case bound > beans, bound <= -beans:
		return answer(bound <= -beans)
	}
	if score, known := a.tables.Probe(p, beans); known {
		return answer(int(score) >= bound)
	}
	return search.Open
}

// decide answers whether the score of p is at least bound, looking so many plies ahead.
func (a *alphaBeta) decide(p game.Position, beans, bound, depth int) search.Verdict {
	if bound%2 != 0 {
		bound++
	}
	if answer := a.exact(p, beans, bound); answer != search.Open || depth == 0 || a.visited >= a.limit {
		return answer
	}
	q := search.Question{Position: p, Bound: int8(bound)}
	at := (uint64(p.Mover)*0x9E3779B97F4A7C15 ^ uint64(p.Opponent)*0xC2B2AE3D27D4EB4F ^ uint64(uint8(bound))) * 0xD6E8FEB86659FD93 >> 20 % uint64(len(a.memory))
	e := &a.memory[at]
	first := int8(-1)
	if e.question == q {
		if e.answer != search.Open || int(e.depth) >= depth {
			return e.answer
		}
		first = e.move
	}
	a.visited++
	moves := a.game.Successors(make([]game.Successor, 0, game.MaxWidth), p)
	slices.SortStableFunc(moves, func(x, y game.Successor) int {
		value := func(m game.Successor) int {
			if m.Pit == int(first) {
				return 100
			}
			return m.Captured
		}
		return cmp.Compare(value(y), value(x))
	})
	answer, best := search.No, int8(-1)
	for _, m := range moves {
		switch a.decide(m.Next, beans-m.Captured, m.Captured-bound+1, depth-1) {
		case search.No:
			answer, best = search.Yes, int8(m.Pit)
		case search.Open:
			answer = search.Open
		case search.Yes:
		}
		if answer == search.Yes {
			break
		}
	}
	*e = deepened{question: q, answer: answer, depth: int8(depth), move: best}
	return answer
}

// BenchmarkAlphaBeta answers for the positions of BenchmarkSearch the two questions that
// prove the score, by alpha-beta and by package search, both above the same tables.
func BenchmarkAlphaBeta(b *testing.B) {
	const beans, memory, limit = 16, 64 << 20, 5_000_000
	g := standard(b)
	tables := newLeafTables(b, g, beans)
	positions := searched(g, 24, 28, 32, 36)
	worth := search.Learn(g, tables, g.Start(6))
	scores := make([]int, len(positions))
	b.Run("search=proof-numbers", func(b *testing.B) {
		total := uint64(0)
		for b.Loop() {
			for i, p := range positions {
				s := search.New(search.Options{Game: g, Prober: tables, Worth: worth, Memory: memory, Workers: 1})
				bounds, _ := s.Solve(b.Context(), p, search.Trivial(p.Beans()), 0, nil)
				scores[i] = int(bounds.Low)
				s = search.New(search.Options{Game: g, Prober: tables, Worth: worth, Memory: memory, Workers: 1})
				for bound := scores[i]; bound <= scores[i]+2; bound += 2 {
					_, visited := s.Decide(b.Context(), p, bound, 0)
					total += visited
				}
			}
		}
		b.ReportMetric(float64(total)/float64(b.N), "positions/op")
	})
	b.Run("search=alpha-beta", func(b *testing.B) {
		total, cut := uint64(0), 0
		for b.Loop() {
			for i, p := range positions {
				a := &alphaBeta{game: g, tables: tables, memory: make([]deepened, memory/deepenedBytes), limit: limit}
				for bound := scores[i]; bound <= scores[i]+2; bound += 2 {
					answer := search.Open
					for depth := 1; answer == search.Open && a.visited < a.limit; depth++ {
						answer = a.decide(p, p.Beans(), bound, depth)
					}
					switch {
					case answer == search.Open:
						cut++
					case (answer == search.Yes) != (bound == scores[i]):
						b.Fatalf("%v at least %d: got %v", p, bound, answer)
					}
				}
				total += a.visited
			}
		}
		b.ReportMetric(float64(total)/float64(b.N), "positions/op")
		b.ReportMetric(float64(cut)/float64(b.N), "unanswered/op")
		b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/op")
	})
}
