package tablebase_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// plainDepths computes the DTC of all positions of a layer as its definition says: it
// begins with Endless everywhere, and recomputes all positions from their moves until
// nothing changes.
func plainDepths(tb testing.TB, db *tablebase.DB, g game.Game, positions []game.Position) map[game.Position]game.DTC {
	tb.Helper()
	scores := make(map[game.Position]game.Score)
	score := func(p game.Position) game.Score {
		if _, known := scores[p]; !known {
			scores[p] = tabletest.Probe(tb, db, g, p)
		}
		return scores[p]
	}
	now := make(map[game.Position]game.DTC)
	for _, p := range positions {
		now[p] = game.Endless
		if g.Over(p) {
			now[p] = 0
		}
	}
	for changed := true; changed; {
		changed = false
		next := make(map[game.Position]game.DTC)
		for _, p := range positions {
			if g.Over(p) {
				next[p] = 0
				continue
			}
			least, most := game.Endless, game.DTC(0)
			for _, m := range g.Successors(nil, p) {
				if game.Score(m.Captured)-score(m.Next) != score(p) {
					continue
				}
				value := game.DTC(1)
				if quiet := m.Captured == 0 && !g.Over(m.Next); quiet && now[m.Next] == game.Endless {
					value = game.Endless
				} else if quiet {
					value = 1 + now[m.Next]
				}
				least, most = min(least, value), max(most, value)
			}
			next[p] = least
			if score(p) < 0 {
				next[p] = most
			}
			changed = changed || next[p] != now[p]
		}
		now = next
	}
	return now
}

// depthOf returns the DTC of a position, however long a search takes.
func depthOf(tb testing.TB, db *tablebase.DB, g game.Game, p game.Position) game.DTC {
	tb.Helper()
	dtc, _, err := db.Depth(context.Background(), g, p, tablebase.DefaultDepthLimit)
	if err != nil {
		tb.Fatal(err)
	}
	return dtc
}

// positionsOf returns all positions of a layer.
func positionsOf(g game.Game, beans int) []game.Position {
	x := index.New(g.Width(), beans)
	positions := make([]game.Position, x.Size(beans))
	for i := range positions {
		positions[i] = x.Unrank(beans, uint64(i))
	}
	return positions
}

func TestDepth(t *testing.T) {
	type board struct{ width, beans int }
	boards := []board{{6, 8}, {1, 8}, {2, 10}, {3, 9}}
	if testing.Short() {
		boards = []board{{6, 5}, {1, 8}, {2, 8}}
	}
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		for _, b := range boards {
			g, db := tabletest.Tables(t, rules, b.width, b.beans, format.Both)
			for beans := range b.beans + 1 {
				positions := positionsOf(g, beans)
				want := plainDepths(t, db, g, positions)
				for _, p := range positions {
					got := depthOf(t, db, g, p)
					if got != want[p] {
						t.Fatalf("%v, %d beans, %v: got DTC %v, want %v", rules, beans, p, got, want[p])
					}
				}
			}
		}
	}
}

// TestDepthLimit holds that a search looks at as many positions as it says, and gives
// up with one fewer.
func TestDepthLimit(t *testing.T) {
	g, db := tabletest.OpenEven(t, 8)
	rng := rand.New(rand.NewPCG(1, 2))
	positions := positionsOf(g, 8)
	for range 100 {
		p := positions[rng.IntN(len(positions))]
		want, visited, err := db.Depth(context.Background(), g, p, tablebase.DefaultDepthLimit)
		if err != nil {
			t.Fatal(err)
		}
		if got, again, err := db.Depth(context.Background(), g, p, visited); err != nil || got != want || again != visited {
			t.Errorf("%v within %d: got DTC %v, %d positions, error %v; want %v and as many", p, visited, got, again, err, want)
		}
		if visited > 0 {
			_, _, err := db.Depth(context.Background(), g, p, visited-1)
			tabletest.WantError(t, err, tablebase.ErrDepthBudget)
		}
	}
}

func TestDepthRefuses(t *testing.T) {
	g, db := tabletest.OpenEven(t, 4)
	ctx, cancel := context.WithCancel(context.Background())
	p := game.Position{Mover: game.RowOf(1, 1), Opponent: game.RowOf(1, 1)}
	if _, _, err := db.Depth(ctx, g, p, 1000); err != nil {
		t.Error(err)
	}
	cancel()
	_, _, err := db.Depth(ctx, g, p, 1000)
	tabletest.WantError(t, err, context.Canceled)
	_, _, err = db.Depth(context.Background(), g, game.Position{Mover: game.RowOf(6), Opponent: game.RowOf(6)}, 1000)
	tabletest.WantError(t, err, format.ErrNoLayer)
	_, _, err = db.Depth(context.Background(), g, game.Position{Mover: game.RowOf(0, 0, 0, 0, 0, 0, 2)}, 1000)
	tabletest.WantError(t, err, game.ErrPosition)
}

// TestContradictions stores a layer where everybody wins everything, so that no quiet
// move keeps a score.
func TestContradictions(t *testing.T) {
	g, dir := tabletest.Even(t, 4)
	tabletest.Damage(t, dir, func(e tabletest.Editor) {
		layer := format.KeyOf(g, 4)
		for number := range tabletest.Manifest(t, e.DB, layer).Blocks {
			id := tabletest.BlockOf(layer, solver.Scores, int(number))
			scores := slices.Repeat([]game.Score{4}, id.Positions)
			e.Set(id.StoreKey(), tabletest.NewCodec().Encode(id, scores, make([]bool, len(scores))))
		}
	})
	db := tabletest.Reader(t, dir)
	d := tabletest.Diagram(t, "1 1 0 0 0 0 / 1 1 0 0 0 0")
	_, _, err := db.Depth(context.Background(), g, d.Position(), tablebase.DefaultDepthLimit)
	tabletest.WantError(t, err, format.ErrCorrupt)
	_, err = db.Line(context.Background(), g.Rules(), d, tablebase.LineOptions{})
	tabletest.WantError(t, err, format.ErrCorrupt)
	_, err = db.Answer(context.Background(), g.Rules(), d, tablebase.DefaultDepthLimit)
	tabletest.WantError(t, err, format.ErrCorrupt)
}
