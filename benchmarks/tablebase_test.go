package benchmarks_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// tableBeans is the last layer of the databases that are measured.
const tableBeans = 12

// BenchmarkBuild builds all even layers from nothing to a closed database.
func BenchmarkBuild(b *testing.B) {
	want := expected()
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("beans=%d/workers=%d", tableBeans, workers), func(b *testing.B) {
			built := build(b, b.TempDir(), workers)
			positions, bytes := 0, 0
			for _, m := range built {
				positions += int(m.Positions)
				bytes += int(m.Bytes)
			}
			last := built[len(built)-1]
			if got := totalsIn(last); got != want[tableBeans] {
				b.Fatalf("totals %+v, want %+v", got, want[tableBeans])
			}
			dir, n := b.TempDir(), 0
			for b.Loop() {
				build(b, filepath.Join(dir, fmt.Sprint(n)), workers)
				n++
			}
			report(b, positions, "positions/s")
			b.ReportMetric(float64(bytes)/float64(positions), "B/position")
		})
	}
}

// BenchmarkProbe looks up positions of a layer in random order.
func BenchmarkProbe(b *testing.B) {
	g := standard(b)
	dir := b.TempDir()
	build(b, dir, 0)
	for _, cache := range []int64{0, 1} { // the default, and as good as none
		b.Run(fmt.Sprintf("beans=%d/cache=%d", tableBeans, cache), func(b *testing.B) {
			db := open(b, dir, cache)
			positions := sample(tableBeans)[:256]
			for _, p := range positions {
				checkProbe(b, db, g, p)
			}
			for b.Loop() {
				for _, p := range positions {
					if _, err := db.Probe(g, p); err != nil {
						b.Fatal(err)
					}
				}
			}
			report(b, len(positions), "positions/s")
		})
	}
}

// BenchmarkAnswer looks up positions with all their moves.
func BenchmarkAnswer(b *testing.B) {
	g := standard(b)
	dir := b.TempDir()
	build(b, dir, 0)
	b.Run(fmt.Sprintf("beans=%d", tableBeans), func(b *testing.B) {
		db := open(b, dir, 0)
		positions := sample(tableBeans)[:256]
		for _, p := range positions {
			checkProbe(b, db, g, p)
		}
		for b.Loop() {
			for _, p := range positions {
				d := game.Diagram{Width: g.Width(), Rows: [2]game.Row{p.Mover, p.Opponent}}
				if _, err := db.Answer(g.Rules(), d); err != nil {
					b.Fatal(err)
				}
			}
		}
		report(b, len(positions), "positions/s")
	})
}

// build builds the even layers up to tableBeans and closes the database.
func build(b *testing.B, dir string, workers int) []tablebase.Manifest {
	b.Helper()
	db, err := tablebase.Create(dir, tablebase.Options{})
	if err != nil {
		b.Fatal(err)
	}
	built, err := db.Build(b.Context(), tablebase.BuildOptions{Game: standard(b), Beans: tableBeans, Workers: workers})
	if err != nil {
		b.Fatal(err)
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	return built
}

// open opens a database for the rest of a benchmark.
func open(b *testing.B, dir string, cache int64) *tablebase.DB {
	b.Helper()
	db, err := tablebase.Open(dir, tablebase.Options{CacheBytes: cache})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	})
	return db
}

// checkProbe compares the score of a position with those of its successors.
func checkProbe(b *testing.B, db *tablebase.DB, g game.Game, p game.Position) {
	b.Helper()
	probe := func(p game.Position) game.Score {
		value, err := db.Probe(g, p)
		if err != nil {
			b.Fatal(err)
		}
		return value.Score
	}
	want := g.Final(p)
	for i, s := range g.Successors(nil, p) {
		score := game.Score(s.Captured) - probe(s.Next)
		if i == 0 || score > want {
			want = score
		}
	}
	if got := probe(p); got != want {
		b.Fatalf("score of %v: %d, want %d", p, got, want)
	}
}

// totalsIn returns the totals that a manifest states.
func totalsIn(m tablebase.Manifest) totals {
	return totals{
		positions: int(m.Positions),
		wins:      int(m.Wins), draws: int(m.Draws), losses: int(m.Losses),
		scoreSum: int(m.ScoreSum),
	}
}
