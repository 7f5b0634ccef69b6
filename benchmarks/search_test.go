package benchmarks_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/search"
)

// leafTables are the scores of the even layers up to some beans. They are a
// solver.Source and a search.Prober.
type leafTables struct {
	index  *index.Index
	beans  int
	scores [][]game.Score // by beans
}

// Read implements solver.Source.
func (l *leafTables) Read(_ solver.Kind, beans int, first uint64, count int, _ []game.Score) ([]game.Score, error) {
	return l.scores[beans][first : first+uint64(count)], nil
}

// Leans implements solver.Source. No even layer of this board leans on rule 8.
func (l *leafTables) Leans(int) bool { return false }

// Probe implements search.Prober.
func (l *leafTables) Probe(p game.Position, beans int) (game.Score, bool) {
	if beans > l.beans {
		return 0, false
	}
	_, at := l.index.Rank(p)
	return l.scores[beans][at], true
}

// Top implements search.Prober.
func (l *leafTables) Top() int { return l.beans }

// newLeafTables solves the even layers up to some beans.
func newLeafTables(b *testing.B, g game.Game, beans int) *leafTables {
	b.Helper()
	l := &leafTables{index: index.New(g.Width(), beans), beans: beans, scores: make([][]game.Score, beans+1)}
	for n := 0; n <= beans; n += 2 {
		layer, err := solver.Solve(context.Background(), solver.Problem{Game: g, Index: l.index, Beans: n, Lower: l})
		if err != nil {
			b.Fatal(err)
		}
		l.scores[n] = make([]game.Score, layer.Size())
		layer.Copy(solver.Scores, 0, l.scores[n])
	}
	return l
}

// searched are positions that searches are measured on: what random play from the opening
// leads to when so many beans are left, five each, the same at each call.
func searched(g game.Game, layers ...int) []game.Position {
	var positions []game.Position
	for _, beans := range layers {
		random := rand.New(rand.NewPCG(1, uint64(beans)))
		for found := 0; found < 5; {
			p := g.Start(6)
			for p.Beans() > beans && !g.Over(p) {
				moves := g.Successors(nil, p)
				p = moves[random.IntN(len(moves))].Next
			}
			if p.Beans() == beans && !g.Over(p) {
				positions = append(positions, p)
				found++
			}
		}
	}
	return positions
}

// variant is a way to search.
type variant struct {
	name    string
	workers int
	worth   *search.Worth
	tuning  search.Tuning
}

// variants are all refinements, without each of them, without any, and with two workers.
func variants(worth *search.Worth) []variant {
	return []variant{
		{"all", 1, worth, search.Tuning{}},
		{"weak-numbers", 1, worth, search.Tuning{Weak: true}},
		{"no-share", 1, worth, search.Tuning{NoShare: true}},
		{"nothing-learnt", 1, nil, search.Tuning{}},
		{"flat-guess", 1, nil, search.Tuning{FlatGuess: true}},
		{"no-look-ahead", 1, worth, search.Tuning{NoAhead: true}},
		{"none", 1, nil, search.Tuning{NoShare: true, FlatGuess: true, NoAhead: true}},
		{"all", 2, worth, search.Tuning{}},
	}
}

// search returns a search that knows nothing yet.
func (v variant) search(tables *leafTables, g game.Game, memory uint64) *search.Search {
	return search.New(search.Options{
		Game: g, Prober: tables, Worth: v.worth, Memory: memory, Workers: v.workers, Tuning: v.tuning,
	})
}

// BenchmarkSearch solves 20 positions of 24 to 36 beans above tables of 16, in each
// variant. Each position gets a search that knows nothing. All variants have to find the
// same scores.
func BenchmarkSearch(b *testing.B) {
	const beans, memory = 16, 8 << 20
	g := standard(b)
	tables := newLeafTables(b, g, beans)
	positions := searched(g, 24, 28, 32, 36)
	var want []game.Score
	for _, v := range variants(search.Learn(g, tables, g.Start(6))) {
		b.Run(fmt.Sprintf("tables=%d/refinements=%s/workers=%d", beans, v.name, v.workers), func(b *testing.B) {
			total := uint64(0)
			for b.Loop() {
				for i, p := range positions {
					s := v.search(tables, g, memory)
					bounds, visited := s.Solve(b.Context(), p, search.Trivial(p.Beans()), 0, nil)
					total += visited
					s.Free()
					switch {
					case !bounds.Exact():
						b.Fatalf("%v: got %+v", p, bounds)
					case i == len(want):
						want = append(want, bounds.Low)
					case want[i] != bounds.Low:
						b.Fatalf("%v: got %d, want %d", p, bounds.Low, want[i])
					}
				}
			}
			reportSearch(b, total)
		})
	}
}

// reportSearch reports positions and time of a benchmark that visited so many positions.
func reportSearch(b *testing.B, visited uint64) {
	b.Helper()
	b.ReportMetric(float64(visited)/float64(b.N), "positions/op")
	b.ReportMetric(float64(visited)/b.Elapsed().Seconds(), "positions/s")
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/op")
}

// BenchmarkSearchFar asks of 20 positions of 40 to 52 beans above tables of 16 whether they
// are won, and whether they are lost, in each variant. It gives each question up after a
// million positions.
func BenchmarkSearchFar(b *testing.B) {
	const beans, memory, limit = 16, 64 << 20, 1_000_000
	g := standard(b)
	tables := newLeafTables(b, g, beans)
	positions := searched(g, 40, 44, 48, 52)
	for _, v := range variants(search.Learn(g, tables, g.Start(6))) {
		b.Run(fmt.Sprintf("tables=%d/refinements=%s/workers=%d", beans, v.name, v.workers), func(b *testing.B) {
			total, open := uint64(0), 0
			for b.Loop() {
				for _, p := range positions {
					s := v.search(tables, g, memory)
					for _, bound := range []int{1, 0} {
						verdict, visited := s.Decide(b.Context(), p, bound, limit)
						total += visited
						if verdict == search.Open {
							open++
						}
					}
					s.Free()
				}
			}
			reportSearch(b, total)
			b.ReportMetric(float64(open)/float64(b.N), "open/op")
		})
	}
}
