package solver_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/internal/reference"
)

// TestSolveAgainstReference compares all records of all layers. Narrow boards go
// up to many beans: they have sowings of several laps, chains through both rows,
// and even layers that lean.
func TestSolveAgainstReference(t *testing.T) {
	boards := []board{
		{1, 12, 12},
		{2, 24, 24},
		{3, 8, 17},
		{4, 6, 10},
		{5, 5, 8},
		{6, 6, 8},
		{7, 4, 6},
		{8, 3, 5},
		{9, 3, 4},
	}
	againstReference(t, boards, func(t *testing.T, g game.Game, beans int, solved tables, known *reference.Tables) {
		t.Helper()
		compare(t, index.New(g.Width(), beans), beans, solved[beans], known)
	})
}

// compare reports the first record of each table that differs from the reference.
func compare(t *testing.T, x *index.Index, beans int, layer *solver.Layer, want *reference.Tables) {
	t.Helper()
	if layer.Beans() != beans || layer.Size() != x.Size(beans) {
		t.Fatalf("got a layer of %d beans with %d positions, want %d with %d", layer.Beans(), layer.Size(), beans, x.Size(beans))
	}
	if got, want := layer.Leaning(), uint64(want.Totals(beans).Leaning); got != want {
		t.Errorf("%d beans: %d positions lean, want %d", beans, got, want)
	}
	for _, kind := range kinds() {
		for i, got := range all(layer, kind) {
			p := x.Unrank(beans, uint64(i))
			value := want.Value(p)
			record := [...]int{value.Score, value.Low, value.High}[kind]
			if int(got) != record {
				t.Errorf("%d beans, %v, index %d, %v / %v: got %d, want %d", beans, kind, i, p.Mover.Pits(x.Width()), p.Opponent.Pits(x.Width()), got, record)
				break
			}
		}
	}
}

func TestWorkersAgree(t *testing.T) {
	t.Parallel()
	boards := []struct{ width, beans int }{{1, 12}, {2, 12}, {2, 13}, {3, 9}, {6, 6}, {6, 7}}
	for _, rules := range both() {
		for _, board := range boards {
			t.Run(fmt.Sprintf("%v/width=%d/beans=%d", rules, board.width, board.beans), func(t *testing.T) {
				t.Parallel()
				g := newGame(t, rules, board.width)
				want := solveTo(t, g, board.beans, 1)
				for _, workers := range []int{2, 3, 8, 0} {
					for n, layer := range solveTo(t, g, board.beans, workers) {
						for _, kind := range kinds() {
							if !slices.Equal(all(layer, kind), all(want[n], kind)) {
								t.Errorf("%d beans: %v of %d workers differ from those of one", n, kind, workers)
							}
						}
						if layer.Leaning() != want[n].Leaning() || layer.Sweeps() != want[n].Sweeps() {
							t.Errorf("%d beans, %d workers: %d positions lean after %d sweeps, want %d after %d",
								n, workers, layer.Leaning(), layer.Sweeps(), want[n].Leaning(), want[n].Sweeps())
						}
					}
				}
			})
		}
	}
}

// totals are the columns of testdata/layers.tsv.
type totals struct {
	Positions, Wins, Draws, Losses, ScoreSum int
}

// totalsOf sums up the scores of a layer.
func totalsOf(layer *solver.Layer) totals {
	var sum totals
	for _, score := range all(layer, solver.Scores) {
		sum.Positions++
		switch game.OutcomeOf(int(score)) {
		case game.Win:
			sum.Wins++
		case game.Loss:
			sum.Losses++
		default:
			sum.Draws++
		}
		sum.ScoreSum += int(score)
	}
	return sum
}

// TestTotals compares with the totals that another program, in another language
// and by another method, has found for the traditional board.
func TestTotals(t *testing.T) {
	data, err := os.ReadFile("testdata/layers.tsv")
	if err != nil {
		t.Fatal(err)
	}
	largest := 16
	if testing.Short() {
		largest = 7
	}
	for _, rules := range both() {
		g := newGame(t, rules, game.StandardWidth)
		solved := []tables{solveTo(t, g, largest, 0), solveTo(t, g, largest-1, 0)}
		rows := 0
		for line := range strings.Lines(string(data)) {
			var name string
			var beans int
			var want totals
			_, err := fmt.Sscan(line, &name, &beans, &want.Positions, &want.Wins, &want.Draws, &want.Losses, &want.ScoreSum)
			if err != nil || name != rules.String() || beans > largest {
				continue // the headings, or another test's row
			}
			rows++
			if diff := cmp.Diff(want, totalsOf(solved[(largest-beans)%2][beans])); diff != "" {
				t.Errorf("%v, %d beans, -want +got:\n%s", rules, beans, diff)
			}
		}
		if rows != largest+1 {
			t.Errorf("%v: testdata has %d layers, want %d", rules, rows, largest+1)
		}
	}
}
