package benchmarks_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/study"
)

// BenchmarkReplay judges the endings of random games by tables to 14 beans, which
// are on the disk, as soon as the first game needs them.
func BenchmarkReplay(b *testing.B) {
	const count = 100
	b.Run(fmt.Sprintf("beans=%d/games=%d", probeBeans, count), func(b *testing.B) {
		dir := probed(b)
		games := randomGames(b, count)
		judged := 0
		for b.Loop() {
			db, err := database.Open(dir, tablebase.Options{})
			if err != nil {
				b.Fatal(err)
			}
			judged = 0
			for _, played := range games {
				record, err := study.Replay(db, played)
				if err != nil {
					b.Fatal(err)
				}
				if record.Known == nil {
					continue // it ended with more beans on the board
				}
				if last := record.Plies[len(record.Plies)-1]; *last.Final != record.Stores {
					b.Fatalf("the last move leads to %v, want %v", last.Final, record.Stores)
				}
				judged += record.Length - *record.Known + 1
			}
			if err := db.Close(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N*count), "ms/game")
		report(b, judged, "moves/s")
	})
}

// randomGames plays games from the opening to positions where play is over.
func randomGames(b *testing.B, count int) []study.Game {
	b.Helper()
	g := standard(b)
	random := rand.New(rand.NewPCG(1, 1))
	games := make([]study.Game, count)
	for i := range games {
		d := g.StartDiagram(6)
		games[i] = study.Game{Diagram: d}
		for moves := g.Successors(nil, d.Position()); len(moves) > 0; moves = g.Successors(nil, d.Position()) {
			number := d.Number(moves[random.IntN(len(moves))].Pit)
			games[i].Moves.Moves = append(games[i].Moves.Moves, study.Move{Number: number})
			var err error
			if d, _, err = d.Play(g, number); err != nil {
				b.Fatal(err)
			}
		}
	}
	return games
}

// BenchmarkFind looks through a layer for puzzles, layers read and depths computed
// included. The best one is that of docs/puzzles.md.
func BenchmarkFind(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("beans=%d/workers=%d", tableBeans, workers), func(b *testing.B) {
			g := standard(b)
			dir := b.TempDir()
			buildWith(b, dir, workers)
			db := open(b, dir, 0)
			positions := 0
			for b.Loop() {
				layers, err := db.LoadUpTo(b.Context(), g, tableBeans, workers)
				if err != nil {
					b.Fatal(err)
				}
				found, err := study.Find(b.Context(), layers, study.FindOptions{Game: g, Beans: tableBeans, Limit: 1, Workers: workers})
				if err != nil {
					b.Fatal(err)
				}
				positions = int(layers.Size(tableBeans))
				layers.Free()
				want := []string{"132721", "0-4-2-1-1-1-2-1-0-0-0-0-27-33-S"}
				if diff := cmp.Diff(want, []string{fmt.Sprint(found.Positions), found.Puzzles[0].Position}); diff != "" {
					b.Fatalf("puzzles (-want +got):\n%s", diff)
				}
			}
			report(b, positions, "positions/s")
		})
	}
}
