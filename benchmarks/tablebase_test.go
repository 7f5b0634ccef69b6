package benchmarks_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
)

const (
	// tableBeans is the last layer of the databases that are built.
	tableBeans = 12
	// probeBeans is the layer that is probed.
	probeBeans = 14
)

// BenchmarkBuild builds all even layers from nothing to a closed database.
func BenchmarkBuild(b *testing.B) {
	want := expected()
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("beans=%d/workers=%d", tableBeans, workers), func(b *testing.B) {
			built := buildWith(b, b.TempDir(), workers)
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
				buildWith(b, filepath.Join(dir, fmt.Sprint(n)), workers)
				n++
			}
			report(b, positions, "positions/s")
			b.ReportMetric(float64(bytes)/float64(positions), "B/position")
		})
	}
}

// BenchmarkProbe looks up positions of a layer in random order. All blocks are in the
// cache.
func BenchmarkProbe(b *testing.B) {
	g := standard(b)
	b.Run(fmt.Sprintf("beans=%d/cache=warm", probeBeans), func(b *testing.B) {
		db := open(b, probed(b), 0)
		positions := sample(probeBeans)
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
		report(b, len(positions), "probes/s")
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(positions)), "ns/probe")
	})
}

// BenchmarkColdProbe looks up one position each in databases that have just been opened:
// no block is in the cache, but the files are in that of the system. Where a position has
// no captures, its own block is all that is read. It reports the median.
func BenchmarkColdProbe(b *testing.B) {
	g := standard(b)
	for _, c := range []struct {
		name     string
		captures bool
	}{{"any", true}, {"without captures", false}} {
		b.Run(fmt.Sprintf("beans=%d/cache=cold/positions=%s", probeBeans, c.name), func(b *testing.B) {
			dir := probed(b)
			var positions []game.Position
			var want []game.Score
			db := open(b, dir, 0)
			for _, p := range sample(probeBeans) {
				if g.Over(p) || !c.captures && captures(g, p) {
					continue
				}
				checkProbe(b, db, g, p)
				value, err := db.Probe(g, p)
				if err != nil {
					b.Fatal(err)
				}
				positions, want = append(positions, p), append(want, value.Score)
			}
			var took []time.Duration
			for b.Loop() {
				i := len(took) % len(positions)
				db, err := database.Open(dir, tablebase.Options{})
				if err != nil {
					b.Fatal(err)
				}
				began := time.Now()
				value, err := db.Probe(g, positions[i])
				took = append(took, time.Since(began))
				if err != nil || value.Score != want[i] {
					b.Fatalf("score of %v: %d, %v, want %d", positions[i], value.Score, err, want[i])
				}
				if err := db.Close(); err != nil {
					b.Fatal(err)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1000, "µs/probe")
		})
	}
}

// BenchmarkBatch looks up positions of a layer in random order with a cache that holds
// few of its blocks: one by one, and all at once.
func BenchmarkBatch(b *testing.B) {
	const cache = 1 << 20
	g := standard(b)
	dir := probed(b)
	positions := sample(probeBeans)
	want := make([]tablebase.Value, len(positions))
	db := open(b, dir, 0)
	for i, p := range positions {
		checkProbe(b, db, g, p)
		value, err := db.Probe(g, p)
		if err != nil {
			b.Fatal(err)
		}
		want[i] = value
	}
	for _, c := range []struct {
		name  string
		probe func(db *tablebase.DB, values []tablebase.Value) error
	}{
		{"one by one", func(db *tablebase.DB, values []tablebase.Value) (err error) {
			for i, p := range positions {
				if values[i], err = db.Probe(g, p); err != nil {
					return err
				}
			}
			return nil
		}},
		{"all at once", func(db *tablebase.DB, values []tablebase.Value) error { return db.ProbeAll(g, positions, values) }},
	} {
		b.Run(fmt.Sprintf("beans=%d/cache=1MiB/probes=%s", probeBeans, c.name), func(b *testing.B) {
			db := open(b, dir, cache)
			values := make([]tablebase.Value, len(positions))
			for b.Loop() {
				if err := c.probe(db, values); err != nil {
					b.Fatal(err)
				}
				if !slices.Equal(values, want) {
					b.Fatal("the values differ from those of single probes")
				}
			}
			report(b, len(positions), "probes/s")
		})
	}
}

// captures reports whether any move of a position takes something.
func captures(g game.Game, p game.Position) bool {
	return slices.ContainsFunc(g.Successors(nil, p), func(s game.Successor) bool { return s.Captured > 0 })
}

// probed builds the database that is probed, and returns its directory.
func probed(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	last := buildTo(b, dir, probeBeans, 0)
	if got, want := totalsIn(last[len(last)-1]), expected()[probeBeans]; got != want {
		b.Fatalf("totals %+v, want %+v", got, want)
	}
	return dir
}

// BenchmarkOpen opens a database for reading and closes it.
func BenchmarkOpen(b *testing.B) {
	b.Run(fmt.Sprintf("beans=%d", probeBeans), func(b *testing.B) {
		dir := probed(b)
		for b.Loop() {
			db, err := database.Open(dir, tablebase.Options{})
			if err != nil {
				b.Fatal(err)
			}
			if got, want := len(db.Layers()), probeBeans/2+1; got != want {
				b.Fatalf("got %d layers, want %d", got, want)
			}
			if err := db.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkAnswer looks up positions with all their moves.
func BenchmarkAnswer(b *testing.B) {
	g := standard(b)
	dir := b.TempDir()
	buildWith(b, dir, 0)
	b.Run(fmt.Sprintf("beans=%d", tableBeans), func(b *testing.B) {
		db := open(b, dir, 0)
		positions := sample(tableBeans)[:256]
		for _, p := range positions {
			checkProbe(b, db, g, p)
		}
		for b.Loop() {
			for _, p := range positions {
				d := game.Diagram{Width: g.Width(), Rows: [2]game.Row{p.Mover, p.Opponent}}
				if _, err := db.Answer(b.Context(), g.Rules(), d, tablebase.DefaultDepthLimit); err != nil {
					b.Fatal(err)
				}
			}
		}
		report(b, len(positions), "positions/s")
	})
}

// BenchmarkLine plays best play to the end, with depths found by search.
func BenchmarkLine(b *testing.B) {
	g := standard(b)
	dir := b.TempDir()
	buildWith(b, dir, 0)
	b.Run(fmt.Sprintf("beans=%d", tableBeans), func(b *testing.B) {
		db := open(b, dir, 0)
		positions := sample(tableBeans)[:256]
		diagrams := make([]game.Diagram, 0, len(positions))
		plies, visited := 0, uint64(0)
		for _, p := range positions {
			d := game.Diagram{Width: g.Width(), Rows: [2]game.Row{p.Mover, p.Opponent}}
			line, err := db.Line(b.Context(), g.Rules(), d, tablebase.LineOptions{})
			if err != nil {
				b.Fatal(err)
			}
			if got, want := line.Final.South-line.Final.North, int(line.Score); got != want {
				b.Fatalf("%v: the line wins %d, want %d", d, got, want)
			}
			diagrams = append(diagrams, d)
			plies += len(line.Plies)
			visited += line.Visited
		}
		for b.Loop() {
			for _, d := range diagrams {
				if _, err := db.Line(b.Context(), g.Rules(), d, tablebase.LineOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		}
		report(b, len(diagrams), "lines/s")
		b.ReportMetric(float64(plies)/float64(len(diagrams)), "plies/line")
		b.ReportMetric(float64(visited)/float64(len(diagrams)), "visited/line")
	})
}

// Build builds the even layers up to tableBeans and closes the database.
func buildWith(b *testing.B, dir string, workers int) []format.Manifest {
	b.Helper()
	return buildTo(b, dir, tableBeans, workers)
}

// buildTo builds the even layers up to beans and closes the database.
func buildTo(b *testing.B, dir string, beans, workers int) []format.Manifest {
	b.Helper()
	db, err := database.Create(dir, tablebase.Options{})
	if err != nil {
		b.Fatal(err)
	}
	built, err := build.Scores(b.Context(), db, build.Options{Game: standard(b), Beans: beans, Workers: workers})
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
	db, err := database.Open(dir, tablebase.Options{CacheBytes: cache})
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
func totalsIn(m format.Manifest) totals {
	return totals{
		positions: int(m.Positions),
		wins:      int(m.Wins), draws: int(m.Draws), losses: int(m.Losses),
		scoreSum: int(m.ScoreSum),
	}
}
