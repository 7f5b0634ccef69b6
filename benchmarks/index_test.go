package benchmarks_test

import (
	"fmt"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// BenchmarkRank ranks a sample of a layer.
func BenchmarkRank(b *testing.B) {
	for _, beans := range []int{10, 20, 40} {
		b.Run(fmt.Sprintf("beans=%d", beans), func(b *testing.B) {
			x := index.New(game.StandardWidth, beans)
			positions := sample(beans)
			for _, p := range positions {
				if layer, i := x.Rank(p); layer != beans || x.Unrank(layer, i) != p {
					b.Fatalf("rank of %v: %d in layer %d, which is %v", p, i, layer, x.Unrank(layer, i))
				}
			}
			for b.Loop() {
				for _, p := range positions {
					x.Rank(p)
				}
			}
			report(b, len(positions), "positions/s")
		})
	}
}

// BenchmarkUnrank unranks a sample of a layer.
func BenchmarkUnrank(b *testing.B) {
	for _, beans := range []int{10, 20, 40} {
		b.Run(fmt.Sprintf("beans=%d", beans), func(b *testing.B) {
			x := index.New(game.StandardWidth, beans)
			numbers := make([]uint64, sampleSize)
			for i, p := range sample(beans) {
				_, numbers[i] = x.Rank(p)
				if got := x.Unrank(beans, numbers[i]); got != p {
					b.Fatalf("unrank of %d: %v, want %v", numbers[i], got, p)
				}
			}
			for b.Loop() {
				for _, i := range numbers {
					x.Unrank(beans, i)
				}
			}
			report(b, len(numbers), "positions/s")
		})
	}
}

// BenchmarkRowMoves computes the tables of the moves of all rows of a layer.
func BenchmarkRowMoves(b *testing.B) {
	for _, beans := range []int{12, 20} {
		b.Run(fmt.Sprintf("beans=%d", beans), func(b *testing.B) {
			rows := 0
			for b.Loop() {
				x := index.New(game.StandardWidth, beans)
				rows = 0
				for mover := range beans + 1 {
					rows += len(x.RowMoves(mover).Sowings)
				}
			}
			report(b, rows, "rows/s")
		})
	}
}
