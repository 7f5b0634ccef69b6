package benchmarks_test

import (
	"fmt"
	"testing"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// BenchmarkSolve solves one layer from lower ones in memory. The tables of row
// moves are computed before it is measured.
func BenchmarkSolve(b *testing.B) {
	g := standard(b)
	want := expected()
	x := index.New(game.StandardWidth, 14)
	lower := memory{}
	solve := func(b *testing.B, beans, workers int) *solver.Layer {
		b.Helper()
		layer, err := solver.Solve(b.Context(), solver.Problem{Game: g, Index: x, Beans: beans, Lower: lower, Workers: workers})
		if err != nil {
			b.Fatal(err)
		}
		return layer
	}
	for beans := 0; beans <= 14; beans += 2 {
		for _, workers := range []int{1, 2} {
			if beans < 10 {
				continue
			}
			b.Run(fmt.Sprintf("beans=%d/workers=%d", beans, workers), func(b *testing.B) {
				if got := totalsOf(solve(b, beans, workers)); got != want[beans] {
					b.Fatalf("totals %+v, want %+v", got, want[beans])
				}
				for b.Loop() {
					solve(b, beans, workers)
				}
				report(b, int(x.Size(beans)), "positions/s")
			})
		}
		lower[beans] = solve(b, beans, 0)
	}
}

// BenchmarkDepths computes the DTCs of one layer from scores in memory.
func BenchmarkDepths(b *testing.B) {
	g := standard(b)
	x := index.New(game.StandardWidth, 14)
	solved := memory{}
	longest := map[int]game.DTC{10: 18, 12: 24, 14: 25} // as the tables of docs/results.md have them
	for beans := 0; beans <= 14; beans += 2 {
		layer, err := solver.Solve(b.Context(), solver.Problem{Game: g, Index: x, Beans: beans, Lower: solved})
		if err != nil {
			b.Fatal(err)
		}
		solved[beans] = layer
		p := solver.DepthProblem{Game: g, Index: x, Beans: beans, Tables: solved}
		for _, p.Workers = range []int{1, 2} {
			if beans < 10 {
				continue
			}
			b.Run(fmt.Sprintf("beans=%d/workers=%d", beans, p.Workers), func(b *testing.B) {
				for b.Loop() {
					depths, err := solver.SolveDepths(b.Context(), p)
					if err != nil || depths.Longest() != longest[beans] || depths.Endless() > 0 {
						b.Fatalf("got a longest DTC of %v, want %v; error %v", depths.Longest(), longest[beans], err)
					}
				}
				report(b, int(x.Size(beans)), "positions/s")
			})
		}
	}
}

// BenchmarkCheck compares each position of a layer with its successors.
func BenchmarkCheck(b *testing.B) {
	g := standard(b)
	const beans = 10
	x := index.New(game.StandardWidth, beans)
	solved := memory{}
	for n := 0; n <= beans; n += 2 {
		layer, err := solver.Solve(b.Context(), solver.Problem{Game: g, Index: x, Beans: n, Lower: solved})
		if err != nil {
			b.Fatal(err)
		}
		solved[n] = layer
	}
	b.Run(fmt.Sprintf("beans=%d/workers=1", beans), func(b *testing.B) {
		for b.Loop() {
			looked, err := solver.Check(b.Context(), solver.Review{Game: g, Index: x, Beans: beans, Tables: solved, Workers: 1})
			if err != nil || looked != x.Size(beans) {
				b.Fatalf("looked at %d positions: %v", looked, err)
			}
		}
		report(b, int(x.Size(beans)), "positions/s")
	})
}

// memory gives solved layers, by beans.
type memory map[int]*solver.Layer

// Read copies from a layer.
func (m memory) Read(kind solver.Kind, beans int, first uint64, count int, buf []game.Score) ([]game.Score, error) {
	m[beans].Copy(kind, first, buf[:count])
	return buf[:count], nil
}

// Leans reports whether any position of a layer leans on rule 8.
func (m memory) Leans(beans int) bool { return m[beans].Leaning() > 0 }
