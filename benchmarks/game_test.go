package benchmarks_test

import (
	"fmt"
	"testing"

	"bohnenspiel/solver/game"
)

// BenchmarkPlay plays every move of a sample of a layer.
func BenchmarkPlay(b *testing.B) {
	g := standard(b)
	for _, beans := range []int{10, 20, 40} {
		b.Run(fmt.Sprintf("beans=%d", beans), func(b *testing.B) {
			positions := sample(beans)
			moves := 0
			for _, p := range positions {
				for pit := range g.Width() {
					if p.Mover.Pit(pit) == 0 {
						continue
					}
					if next, captured := g.Play(p, pit); next.Beans()+captured != beans {
						b.Fatalf("pit %d of %v: %d beans left and %d taken, want %d together", pit, p, next.Beans(), captured, beans)
					}
					moves++
				}
			}
			for b.Loop() {
				for _, p := range positions {
					for pit := range g.Width() {
						if p.Mover.Pit(pit) > 0 {
							g.Play(p, pit)
						}
					}
				}
			}
			report(b, moves, "moves/s")
		})
	}
}

// BenchmarkSuccessors lists the successors of a sample of a layer.
func BenchmarkSuccessors(b *testing.B) {
	g := standard(b)
	for _, beans := range []int{10, 20, 40} {
		b.Run(fmt.Sprintf("beans=%d", beans), func(b *testing.B) {
			positions := sample(beans)
			var successors []game.Successor
			for _, p := range positions {
				for _, s := range g.Successors(successors[:0], p) {
					if s.Captured+s.Next.Beans() != beans {
						b.Fatalf("pit %d of %v: %d beans left and %d taken, want %d together", s.Pit, p, s.Next.Beans(), s.Captured, beans)
					}
				}
			}
			for b.Loop() {
				for _, p := range positions {
					successors = g.Successors(successors[:0], p)
				}
			}
			report(b, len(positions), "positions/s")
		})
	}
}

// BenchmarkPredecessors lists the positions from which a move that takes nothing
// leads to those of a sample.
func BenchmarkPredecessors(b *testing.B) {
	g := standard(b)
	for _, beans := range []int{10, 20, 40} {
		b.Run(fmt.Sprintf("beans=%d", beans), func(b *testing.B) {
			positions := sample(beans)
			var predecessors []game.Predecessor
			for _, p := range positions {
				for _, before := range g.Predecessors(predecessors[:0], p, 0) {
					if next, captured := g.Play(before.Previous, before.Pit); next != p || captured != 0 {
						b.Fatalf("pit %d of %v: %v with %d taken, want %v with none", before.Pit, before.Previous, next, captured, p)
					}
				}
			}
			for b.Loop() {
				for _, p := range positions {
					predecessors = g.Predecessors(predecessors[:0], p, 0)
				}
			}
			report(b, len(positions), "positions/s")
		})
	}
}

// BenchmarkPerft counts the ways to play from the start.
func BenchmarkPerft(b *testing.B) {
	g := standard(b)
	const plies, want = 7, 203586
	b.Run(fmt.Sprintf("plies=%d", plies), func(b *testing.B) {
		if got := game.Perft(g, g.Start(6), plies); got != want {
			b.Fatalf("perft %d = %d, want %d", plies, got, want)
		}
		for b.Loop() {
			game.Perft(g, g.Start(6), plies)
		}
		report(b, want, "leaves/s")
	})
}
