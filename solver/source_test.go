package solver_test

import (
	"fmt"
	"testing"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/internal/reference"
)

// tables are solved layers in memory, by beans: the smallest Source. It refuses
// what a Source need not answer, so a test fails where the solver asks for that.
type tables map[int]*solver.Layer

func (s tables) Read(kind solver.Kind, beans int, first uint64, count int, buf []game.Score) ([]game.Score, error) {
	layer, ok := s[beans]
	if !ok {
		return nil, fmt.Errorf("layer %d is not there", beans)
	}
	if kind != solver.Scores && !s.Leans(beans) {
		return nil, fmt.Errorf("layer %d has no %v", beans, kind)
	}
	if first+uint64(count) > layer.Size() {
		return nil, fmt.Errorf("layer %d ends at %d: no %d records from %d on", beans, layer.Size(), count, first)
	}
	layer.Copy(kind, first, buf[:count])
	return buf[:count], nil
}

func (s tables) Leans(beans int) bool {
	layer, ok := s[beans]
	return ok && layer.Leaning() > 0
}

// sourceFunc is a Source that does something before each read of another.
type sourceFunc struct {
	solver.Source
	before func() error
}

func (s sourceFunc) Read(kind solver.Kind, beans int, first uint64, count int, buf []game.Score) ([]game.Score, error) {
	if err := s.before(); err != nil {
		return nil, err
	}
	return s.Source.Read(kind, beans, first, count, buf)
}

// altered is a Source with one record changed.
type altered struct {
	solver.Source
	kind  solver.Kind
	beans int
	index uint64
	score game.Score
}

func (s altered) Read(kind solver.Kind, beans int, first uint64, count int, buf []game.Score) ([]game.Score, error) {
	run, err := s.Source.Read(kind, beans, first, count, buf)
	if err == nil && kind == s.kind && beans == s.beans && first <= s.index && s.index < first+uint64(count) {
		run[s.index-first] = s.score
	}
	return run, err
}

// shifted is a Source with a part of the scores of a layer one too high.
type shifted struct {
	solver.Source
	beans    int
	from, to uint64
}

func (s shifted) Read(kind solver.Kind, beans int, first uint64, count int, buf []game.Score) ([]game.Score, error) {
	run, err := s.Source.Read(kind, beans, first, count, buf)
	for i := range run {
		if beans == s.beans && s.from <= first+uint64(i) && first+uint64(i) < s.to {
			run[i]++
		}
	}
	return run, err
}

// both are the two rule sets.
func both() []game.Rules { return []game.Rules{game.Bohnenspiel, game.Mangala} }

// kinds are all kinds of tables.
func kinds() []solver.Kind { return []solver.Kind{solver.Scores, solver.Lows, solver.Highs} }

// newGame returns the game with the given rules and width.
func newGame(t *testing.T, rules game.Rules, width int) game.Game {
	t.Helper()
	g, err := game.New(rules, width)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// solveTo solves the layers of the same parity as beans, up to it.
func solveTo(t *testing.T, g game.Game, beans, workers int) tables {
	t.Helper()
	solved := make(tables)
	x := index.New(g.Width(), beans)
	for n := beans % 2; n <= beans; n += 2 {
		layer, err := solver.Solve(t.Context(), solver.Problem{Game: g, Index: x, Beans: n, Lower: solved, Workers: workers})
		if err != nil {
			t.Fatalf("%v, width %d, %d beans: %v", g.Rules(), g.Width(), n, err)
		}
		solved[n] = layer
	}
	return solved
}

// all returns a whole table of a layer.
func all(layer *solver.Layer, kind solver.Kind) []game.Score {
	table := make([]game.Score, layer.Size())
	layer.Copy(kind, 0, table)
	return table
}

// board is a width of boards whose layers are compared with the reference, with the most
// beans under -short and otherwise.
type board struct{ width, short, long int }

// againstReference has every layer of these boards compared with the reference, in both
// games and of both parities. Solved are the layers of the parity up to beans or more.
func againstReference(t *testing.T, boards []board, compare func(t *testing.T, g game.Game, beans int, solved tables, known *reference.Tables)) {
	t.Helper()
	t.Parallel()
	for _, rules := range both() {
		for _, board := range boards {
			most := board.long
			if testing.Short() {
				most = board.short
			}
			t.Run(fmt.Sprintf("%v/width=%d/beans=%d", rules, board.width, most), func(t *testing.T) {
				t.Parallel()
				g := newGame(t, rules, board.width)
				known := reference.Solve(g, most)
				for top := max(0, most-1); top <= most; top++ {
					solved := solveTo(t, g, top, 2)
					for beans := range solved {
						compare(t, g, beans, solved, known)
					}
				}
			})
		}
	}
}
