package tablebase_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// TestStoredDepths holds that answers are the same from tables of depths as from a
// search, and need none then.
func TestStoredDepths(t *testing.T) {
	even, odd, count := 10, 7, 300
	if testing.Short() {
		even, odd, count = 6, 5, 50
	}
	ctx := context.Background()
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		g, db := tabletest.BothParities(t, rules, even, odd)
		type known struct {
			answer tablebase.Answer
			line   tablebase.Line
		}
		var diagrams []game.Diagram
		found := make(map[game.Diagram]known)
		for _, m := range db.Layers() {
			for _, d := range randomDiagrams(g, m.Beans, count, 7) {
				answer := answerTo(t, db, rules, d)
				line := lineFrom(t, db, rules, d)
				if (line.Visited == 0) != g.Over(d.Position()) {
					t.Fatalf("%v: a line found by search looked at %d positions", d, line.Visited)
				}
				diagrams = append(diagrams, d)
				found[d] = known{answer, line}
			}
		}
		for beans, parity := range map[int]format.Parity{even: format.Even, odd: format.Odd} {
			if _, err := build.Depths(ctx, db, build.Options{Game: g, Beans: beans, Parity: parity}); err != nil {
				t.Fatal(err)
			}
		}
		for _, d := range diagrams {
			dtc, visited, err := db.Depth(ctx, g, d.Position(), 0)
			if err != nil || visited != 0 || dtc != *found[d].answer.DTC {
				t.Fatalf("%v: got DTC %v, %d positions, error %v; want %v from the table", d, dtc, visited, err, *found[d].answer.DTC)
			}
			answer, err := db.Answer(ctx, rules, d, 0)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(found[d].answer, answer); diff != "" {
				t.Fatalf("%v: answer differs (-search +table):\n%s", d, diff)
			}
			line, err := db.Line(ctx, rules, d, tablebase.LineOptions{Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			want := found[d].line
			want.Visited = 0
			if diff := cmp.Diff(want, line); diff != "" {
				t.Fatalf("%v: line differs (-search +table):\n%s", d, diff)
			}
		}
	}
}
