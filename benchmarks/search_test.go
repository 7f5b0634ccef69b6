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

// BenchmarkSearch solves 20 positions of 24 to 36 beans above tables of 16, with all
// refinements, without each of them, and with two workers. Each position gets a search
// that knows nothing. All variants have to find the same scores.
func BenchmarkSearch(b *testing.B) {
	const beans, memory = 16, 8 << 20
	g := standard(b)
	tables := newLeafTables(b, g, beans)
	positions := searched(g, 24, 28, 32, 36)
	worth := search.Learn(g, tables, g.Start(6))
	var want []game.Score
	for _, variant := range []struct {
		name    string
		workers int
		worth   *search.Worth
		tuning  search.Tuning
	}{
		{"all", 1, worth, search.Tuning{}},
		{"weak-numbers", 1, worth, search.Tuning{Weak: true}},
		{"no-share", 1, worth, search.Tuning{NoShare: true}},
		{"nothing-learnt", 1, nil, search.Tuning{}},
		{"flat-guess", 1, nil, search.Tuning{FlatGuess: true}},
		{"no-look-ahead", 1, worth, search.Tuning{NoAhead: true}},
		{"none", 1, nil, search.Tuning{NoShare: true, FlatGuess: true, NoAhead: true}},
		{"all", 2, worth, search.Tuning{}},
	} {
		b.Run(fmt.Sprintf("tables=%d/refinements=%s/workers=%d", beans, variant.name, variant.workers), func(b *testing.B) {
			total := uint64(0)
			for b.Loop() {
				for i, p := range positions {
					s := search.New(search.Options{
						Game: g, Prober: tables, Worth: variant.worth, Memory: memory, Workers: variant.workers, Tuning: variant.tuning,
					})
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
			b.ReportMetric(float64(total)/float64(b.N), "positions/op")
			b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "positions/s")
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/op")
		})
	}
}

// BenchmarkSearchFar asks of 20 positions of 40 to 52 beans above tables of 16 whether they
// are won, and whether they are lost. It gives each question up after a million positions.
func BenchmarkSearchFar(b *testing.B) {
	const beans, memory, limit = 16, 64 << 20, 1_000_000
	g := standard(b)
	tables := newLeafTables(b, g, beans)
	positions := searched(g, 40, 44, 48, 52)
	worth := search.Learn(g, tables, g.Start(6))
	for _, variant := range []struct {
		name    string
		workers int
		worth   *search.Worth
		tuning  search.Tuning
	}{
		{"all", 1, worth, search.Tuning{}},
		{"weak-numbers", 1, worth, search.Tuning{Weak: true}},
		{"no-share", 1, worth, search.Tuning{NoShare: true}},
		{"nothing-learnt", 1, nil, search.Tuning{}},
		{"flat-guess", 1, nil, search.Tuning{FlatGuess: true}},
		{"no-look-ahead", 1, worth, search.Tuning{NoAhead: true}},
		{"all", 2, worth, search.Tuning{}},
	} {
		b.Run(fmt.Sprintf("tables=%d/refinements=%s/workers=%d", beans, variant.name, variant.workers), func(b *testing.B) {
			total, open := uint64(0), 0
			for b.Loop() {
				for _, p := range positions {
					s := search.New(search.Options{
						Game: g, Prober: tables, Worth: variant.worth, Memory: memory, Workers: variant.workers, Tuning: variant.tuning,
					})
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
			b.ReportMetric(float64(total)/float64(b.N), "positions/op")
			b.ReportMetric(float64(open)/float64(b.N), "open/op")
			b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "positions/s")
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/op")
		})
	}
}
