package reference_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/internal/reference"
)

// both are the two rule sets.
func both() []game.Rules { return []game.Rules{game.Bohnenspiel, game.Mangala} }

// newGame returns the game with the given rules and width.
func newGame(t *testing.T, rules game.Rules, width int) game.Game {
	t.Helper()
	g, err := game.New(rules, width)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// position returns the position with the given rows.
func position(mover, opponent []int) game.Position {
	return game.Position{Mover: game.RowOf(mover...), Opponent: game.RowOf(opponent...)}
}

// published reads the totals of the traditional board, keyed by rules and beans.
// They come from another program in another language.
func published(t *testing.T) map[string]reference.Totals {
	t.Helper()
	data, err := os.ReadFile("../../testdata/layers.tsv")
	if err != nil {
		t.Fatal(err)
	}
	totals := make(map[string]reference.Totals)
	for line := range strings.Lines(string(data)) {
		var key string
		var beans int
		var x reference.Totals
		if _, err := fmt.Sscan(line, &key, &beans, &x.Positions, &x.Wins, &x.Draws, &x.Losses, &x.ScoreSum); err == nil {
			totals[fmt.Sprintf("%s %d", key, beans)] = x
		}
	}
	return totals
}

func TestTotals(t *testing.T) {
	beans := 10
	if testing.Short() {
		beans = 7
	}
	want := published(t)
	for _, rules := range both() {
		tables := reference.Solve(newGame(t, rules, game.StandardWidth), beans)
		for n := range beans + 1 {
			got := tables.Totals(n)
			got.Leaning = 0
			if diff := cmp.Diff(want[fmt.Sprintf("%v %d", rules, n)], got); diff != "" {
				t.Errorf("%v, %d beans, -want +got:\n%s", rules, n, diff)
			}
		}
	}
}

func TestByHand(t *testing.T) {
	tests := []struct {
		name            string
		rules           game.Rules
		mover, opponent []int
		want            reference.Value
	}{
		// One pit a side: 1/0 becomes 1/0 for the other player, for ever.
		{"one bean goes round", game.Bohnenspiel, []int{1}, []int{0}, reference.Value{Score: 0, Low: -1, High: 1}},
		{"empty row", game.Bohnenspiel, []int{0}, []int{2}, reference.Value{Score: -2, Low: -2, High: -2}},
		{"capture", game.Bohnenspiel, []int{1}, []int{1}, reference.Value{Score: 2, Low: 2, High: 2}},
		// 2 is sown into the other pit and, a whole lap, into its origin (rule 3).
		{"forced into a capture", game.Bohnenspiel, []int{2}, []int{0}, reference.Value{Score: -2, Low: -2, High: -2}},
		// 3/0 takes 2 and leaves 0/1: over in Bohnenspiel; a pass in Mangala, and then
		// one bean goes round.
		{"capture and end", game.Bohnenspiel, []int{3}, []int{0}, reference.Value{Score: 3, Low: 3, High: 3}},
		{"capture into a circle", game.Mangala, []int{3}, []int{0}, reference.Value{Score: 2, Low: 1, High: 3}},
		{"pass", game.Mangala, []int{0}, []int{3}, reference.Value{Score: -2, Low: -3, High: -1}},
		{"capture of both pits", game.Bohnenspiel, []int{4}, []int{0}, reference.Value{Score: 4, Low: 4, High: 4}},
		{"circle", game.Bohnenspiel, []int{3}, []int{1}, reference.Value{Score: 0, Low: -4, High: 4}},
		{"way into a circle", game.Bohnenspiel, []int{2}, []int{2}, reference.Value{Score: 0, Low: -4, High: 4}},

		{"empty board", game.Mangala, []int{0, 0, 0, 0, 0, 0}, []int{0, 0, 0, 0, 0, 0}, reference.Value{}},
		{"keeps the last bean", game.Bohnenspiel, []int{0, 0, 0, 0, 1, 0}, []int{0, 0, 0, 0, 0, 0}, reference.Value{Score: 1, Low: 1, High: 1}},
		{"gives the last bean", game.Bohnenspiel, []int{0, 0, 0, 0, 0, 1}, []int{0, 0, 0, 0, 0, 0}, reference.Value{Score: -1, Low: -1, High: -1}},
		{"one bean for ever", game.Mangala, []int{0, 0, 1, 0, 0, 0}, []int{0, 0, 0, 0, 0, 0}, reference.Value{Score: 0, Low: -1, High: 1}},

		{"ending of 4 beans", game.Bohnenspiel, []int{0, 1, 1, 1, 0, 0}, []int{0, 0, 1, 0, 0, 0}, reference.Value{Score: 4, Low: 4, High: 4}},
		{"ending of 2 beans", game.Bohnenspiel, []int{0, 1, 0, 0, 0, 1}, []int{0, 0, 0, 0, 0, 0}, reference.Value{Score: 2, Low: 2, High: 2}},
		{"ending of 6 beans", game.Bohnenspiel, []int{3, 0, 0, 0, 0, 2}, []int{0, 1, 0, 0, 0, 0}, reference.Value{Score: 6, Low: 6, High: 6}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := position(test.mover, test.opponent)
			got := reference.Solve(newGame(t, test.rules, len(test.mover)), p.Beans()).Value(p)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// boardsTo are widths with the largest layer that is quick to solve on them.
func boardsTo() map[int]int {
	return map[int]int{1: 12, 2: 16, 3: 10, 4: 7, 5: 6, 6: 6, 7: 5, 8: 4, 9: 4}
}

// TestLeaning holds what is known of rule 8: on boards of three pits a side and
// more no even layer leans on it, and in Mangala every odd position does, for the
// last bean can't be taken.
func TestLeaning(t *testing.T) {
	for _, rules := range both() {
		for width, beans := range boardsTo() {
			tables := reference.Solve(newGame(t, rules, width), beans)
			for n := range beans + 1 {
				got := tables.Totals(n)
				if n%2 == 0 && width >= 3 && got.Leaning > 0 {
					t.Errorf("%v, width %d, %d beans: %d positions lean, want none", rules, width, n, got.Leaning)
				}
				if n%2 == 1 && rules == game.Mangala && got.Leaning != got.Positions {
					t.Errorf("%v, width %d, %d beans: %d of %d positions lean, want all", rules, width, n, got.Leaning, got.Positions)
				}
			}
		}
	}
}

func TestSolvePanics(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 1)
	for _, beans := range []int{-1, 13} {
		t.Run(fmt.Sprint(beans), func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("got no panic")
				}
			}()
			reference.Solve(g, beans)
		})
	}
}
