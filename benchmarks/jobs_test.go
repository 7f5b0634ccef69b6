package benchmarks_test

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/proof"
)

// lowTables are tables of which those above some number of beans are left out.
type lowTables struct {
	search.Prober
	top int
}

// Probe implements search.Prober.
func (l lowTables) Probe(p game.Position, beans int) (game.Score, bool) {
	if beans > l.top {
		return 0, false
	}
	return l.Prober.Probe(p, beans)
}

// Top implements search.Prober.
func (l lowTables) Top() int { return l.top }

// BenchmarkJobs solves positions of a file above the tables of a database, each by one
// worker that knows nothing at first, and gives one up after so many positions visited. It
// is skipped unless the environment says which:
//
//	BOHNENSPIEL_DB         the directory of the database
//	BOHNENSPIEL_POSITIONS  the file: lines of a number of beans, a tab, and a position
//	BOHNENSPIEL_BEANS      the numbers of beans to take, 52,56 unless said
//	BOHNENSPIEL_TABLES     the largest layers to use, one after the other, 24,26,28 unless said
//	BOHNENSPIEL_LIMIT      positions after which one is given up, 4000000 unless said
//
// It reports geometric means over the positions, those that are given up included.
func BenchmarkJobs(b *testing.B) {
	dir, file := os.Getenv("BOHNENSPIEL_DB"), os.Getenv("BOHNENSPIEL_POSITIONS")
	if dir == "" || file == "" {
		b.Skip("BOHNENSPIEL_DB and BOHNENSPIEL_POSITIONS are not set")
	}
	const memory = 512 << 20
	g := standard(b)
	tops, limit := numbersIn(b, "BOHNENSPIEL_TABLES", "24,26,28"), numbersIn(b, "BOHNENSPIEL_LIMIT", "4000000")[0]
	tables := resident(b, dir, g, tops)
	scores := make(map[game.Position]game.Score)
	for _, top := range tops {
		for _, beans := range numbersIn(b, "BOHNENSPIEL_BEANS", "52,56") {
			positions := positionsIn(b, file, beans)
			b.Run(fmt.Sprintf("tables=%d/beans=%d", top, beans), func(b *testing.B) {
				prober := lowTables{tables, top}
				total, visits, open := uint64(0), 0.0, 0
				for b.Loop() {
					for _, p := range positions {
						s := search.New(search.Options{
							Game: g, Prober: prober, Worth: search.Learn(g, prober, p), Memory: memory, Workers: 1,
						})
						bounds, visited := s.Solve(b.Context(), p, search.Trivial(beans), uint64(limit), nil)
						s.Free()
						total += visited
						visits += math.Log(float64(max(visited, 1)))
						score, known := scores[p]
						switch {
						case !bounds.Exact():
							open++
						case !known:
							scores[p] = bounds.Low
						case bounds.Low != score:
							b.Fatalf("%v: got %d, want %d", p, bounds.Low, score)
						}
					}
				}
				reportSearch(b, total)
				b.ReportMetric(math.Exp(visits/float64(b.N*len(positions))), "positions/job")
				b.ReportMetric(float64(open)/float64(b.N), "open/op")
			})
		}
	}
}

// resident brings the largest of some layers and all below it into memory.
func resident(b *testing.B, dir string, g game.Game, tops []int) *proof.Resident {
	b.Helper()
	db, err := database.Open(dir, tablebase.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	}()
	largest := 0
	for _, top := range tops {
		largest = max(largest, top)
	}
	tables, err := proof.NewResident(b.Context(), db, proof.ResidentOptions{Game: g, Parity: format.Even, Beans: largest})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(tables.Free)
	if tables.Top() != largest {
		b.Fatalf("tables of %d beans in %s, want %d", tables.Top(), dir, largest)
	}
	return tables
}

// numbersIn returns the numbers of a list in the environment.
func numbersIn(b *testing.B, name, unless string) (numbers []int) {
	b.Helper()
	for text := range strings.SplitSeq(cmp.Or(os.Getenv(name), unless), ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			b.Fatalf("%s: %v", name, err)
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// positionsIn returns the positions of a file that have so many beans.
func positionsIn(b *testing.B, file string, beans int) (positions []game.Position) {
	b.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		number, position, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || number != strconv.Itoa(beans) {
			continue
		}
		d, err := game.ParseDiagram(position, game.StandardWidth)
		if err != nil {
			b.Fatal(err)
		}
		positions = append(positions, d.Position())
	}
	if len(positions) == 0 {
		b.Fatalf("%s has no positions of %d beans", file, beans)
	}
	return positions
}
