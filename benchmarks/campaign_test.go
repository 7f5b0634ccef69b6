package benchmarks_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/campaign"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/proof"
)

// BenchmarkCampaign solves openings at once, by jobs that proof numbers choose, and by a
// frontier: all questions about more than some beans are split at once, and the others
// are jobs with a limit that few reach. With 256 MiB the transposition table has room for
// everything, and with less it is smaller than the proof.
func BenchmarkCampaign(b *testing.B) {
	for _, c := range []struct {
		rules           game.Rules
		width, pit, top int
		score           game.Score
	}{
		{game.Bohnenspiel, 4, 6, 16, 0},
		{game.Mangala, 4, 6, 12, 0},
		{game.Mangala, 5, 4, 10, 16},
		{game.Bohnenspiel, 6, 4, 10, 0},
	} {
		g, err := game.New(c.rules, c.width)
		if err != nil {
			b.Fatal(err)
		}
		p := g.Start(c.pit)
		db := campaignTables(b, g, c.top)
		name := fmt.Sprintf("rules=%v/width=%d/pit=%d/tables=%d", c.rules, c.width, c.pit, c.top)
		for _, memory := range []uint64{256 << 20, 24 << 20, 16 << 20, 8 << 20} {
			b.Run(fmt.Sprintf("%s/memory=%d/way=once", name, memory>>20), func(b *testing.B) {
				for b.Loop() {
					r, err := proof.NewResident(b.Context(), db, proof.ResidentOptions{Game: g, Parity: format.Even, Beans: c.top, Memory: 1 << 30})
					if err != nil {
						b.Fatal(err)
					}
					s := search.New(search.Options{Game: g, Prober: r, Worth: search.Learn(g, r, p), Memory: memory - min(memory-memory/8, memory/16+r.Size()), Workers: 1})
					b.ReportMetric(float64(r.Size()>>20), "tables-MiB")
					bounds, visited := s.Solve(b.Context(), p, search.Trivial(p.Beans()), 0, nil)
					s.Free()
					r.Free()
					if bounds.Low != c.score || bounds.High != c.score {
						b.Fatalf("got %v, want %d", bounds, c.score)
					}
					b.ReportMetric(float64(visited), "positions")
				}
			})
			for _, limit := range []uint64{1_000, 10_000, 100_000} {
				b.Run(fmt.Sprintf("%s/memory=%d/way=numbers/limit=%d", name, memory>>20, limit), func(b *testing.B) {
					benchmarkCampaign(b, db, g, p, c.score, limit, memory, campaign.LocalOptions{})
				})
			}
			for _, less := range []int{4, 8, 12} {
				above := p.Beans() - less
				b.Run(fmt.Sprintf("%s/memory=%d/way=frontier/beans=%d", name, memory>>20, above), func(b *testing.B) {
					benchmarkCampaign(b, db, g, p, c.score, 1_000_000, memory, campaign.LocalOptions{SplitAbove: above})
				})
			}
		}
	}
}

// benchmarkCampaign solves a position by a campaign.
func benchmarkCampaign(b *testing.B, db *tablebase.DB, g game.Game, p game.Position, score game.Score, limit, memory uint64, o campaign.LocalOptions) {
	b.Helper()
	for b.Loop() {
		path := filepath.Join(b.TempDir(), "campaign")
		if err := campaign.Create(path, g, campaign.Line{Kind: campaign.Ask, Position: p, Score: true}); err != nil {
			b.Fatal(err)
		}
		file, err := campaign.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		lines, err := file.Read()
		if err != nil {
			b.Fatal(err)
		}
		tree, err := campaign.Load(lines)
		if err != nil {
			b.Fatal(err)
		}
		s, err := campaign.NewSolver(b.Context(), db, campaign.SolverOptions{Game: g, Position: p, Memory: memory, Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		if err := campaign.Work(b.Context(), campaign.NewLocal(file, tree, s, o), s, limit, nil); err != nil {
			b.Fatal(err)
		}
		s.Free()
		if err := file.Close(); err != nil {
			b.Fatal(err)
		}
		if got := tree.Bounds(p); got.Low != score || got.High != score {
			b.Fatalf("got %v, want %d", got, score)
		}
		b.ReportMetric(float64(tree.Totals().Visited), "positions")
		b.ReportMetric(float64(tree.Totals().Jobs), "jobs")
	}
}

// campaignTables builds the even layers of a game up to beans.
func campaignTables(b *testing.B, g game.Game, beans int) *tablebase.DB {
	b.Helper()
	dir := b.TempDir()
	db, err := database.Create(dir, tablebase.Options{})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := build.Scores(b.Context(), db, build.Options{Game: g, Beans: beans, Parity: format.Even}); err != nil {
		b.Fatal(err)
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	if db, err = database.Open(dir, tablebase.Options{}); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	})
	return db
}
