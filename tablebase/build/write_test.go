package build_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// blockValues returns the values of all blocks of scores by key.
func blockValues(tb testing.TB, db *tablebase.DB) map[string][]byte {
	tb.Helper()
	return tabletest.Edit(tb, db).Stored(format.BlockPrefix)
}

// wantBlocks fails the test unless a database has these blocks of scores.
func wantBlocks(tb testing.TB, db *tablebase.DB, want map[string][]byte) {
	tb.Helper()
	if diff := cmp.Diff(want, blockValues(tb, db)); diff != "" {
		tb.Errorf("blocks differ (-want +got):\n%s", diff)
	}
}

// wantSame fails the test unless a database has the blocks and the manifests of another.
func wantSame(tb testing.TB, db, want *tablebase.DB) {
	tb.Helper()
	wantBlocks(tb, db, blockValues(tb, want))
	tabletest.WantLayers(tb, db, want.Layers())
}

// TestLeftOverBlocks has blocks of a layer without manifest in the way.
func TestLeftOverBlocks(t *testing.T) {
	t.Parallel()
	g, dir := tabletest.Even(t, 10)
	db := tabletest.Open(t, dir)
	want := blockValues(t, db)
	tabletest.Close(t, db)
	key := format.KeyOf(g, 10)
	tabletest.Damage(t, dir, func(e tabletest.Editor) {
		for number := range uint32(30) { // not the layer's own number of blocks, and none of them right
			id := format.BlockID{Key: key, Kind: solver.Highs, Number: number, Positions: 1, Columns: 1}
			e.Set(id.StoreKey(), []byte("left over"))
		}
		e.Drop(tabletest.ManifestKey(key))
	})
	db = tabletest.Create(t, dir)
	tabletest.WantSound(t, db)
	if _, err := db.Manifest(key); !errors.Is(err, format.ErrNoLayer) {
		t.Fatalf("got error %v, want that the layer is not built", err)
	}
	tabletest.Build(t, db, g, 10, format.Even)
	wantBlocks(t, db, want)
}

// TestStoringGoesOn has the first blocks of a layer without manifest, as a build leaves
// them that is killed while it stores the layer. They are kept where the state of the
// layer is there as well, since then they are of the same build.
func TestStoringGoesOn(t *testing.T) {
	t.Parallel()
	g, whole := tabletest.Tables(t, game.Bohnenspiel, 6, 8, format.Even)
	key := format.KeyOf(g, 8)
	want := blockValues(t, whole)
	m := tabletest.Manifest(t, whole, key)
	stopped := t.TempDir()
	db := tabletest.Create(t, stopped)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := build.Scores(ctx, db, build.Options{Game: g, Beans: 8, CheckpointEvery: time.Nanosecond, Report: func(p build.Progress) {
		if p.Beans == 8 && p.Phase == build.Storing {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got error %v, want %v", err, context.Canceled)
	}
	tabletest.Close(t, db)
	for _, kept := range []int{1, 7, int(m.Blocks)} {
		for name, other := range map[string]int{"all right": -1, "the first damaged": 0, "the last damaged": kept - 1} {
			for _, state := range []bool{true, false} {
				t.Run(fmt.Sprintf("%d blocks, %s, with the state %v", kept, name, state), func(t *testing.T) {
					t.Parallel()
					dir := tabletest.Copy(t, stopped)
					if !state {
						if err := os.Remove(tabletest.CheckpointPath(dir)); err != nil {
							t.Fatal(err)
						}
					}
					tabletest.Damage(t, dir, func(e tabletest.Editor) {
						for number := range kept {
							key := tabletest.BlockOf(key, solver.Scores, number).StoreKey()
							if e.Set(key, want[string(key)]); number == other {
								e.Set(key, []byte("damaged"))
							}
						}
					})
					db := tabletest.Create(t, dir)
					tabletest.Build(t, db, g, 8, format.Even)
					tabletest.WantSound(t, db)
					wantSame(t, db, whole)
				})
			}
		}
	}
}

// TestWrongBlocksAreNotKept has blocks in the way that are sound, but of other scores.
func TestWrongBlocksAreNotKept(t *testing.T) {
	g, dir := tabletest.Even(t, 8)
	key := format.KeyOf(g, 8)
	tabletest.Damage(t, dir, func(e tabletest.Editor) {
		e.ChangeScores(tabletest.BlockOf(key, solver.Scores, 5), func(scores []game.Score) { clear(scores) })
		e.Drop(tabletest.ManifestKey(key))
	})
	db := tabletest.Create(t, dir)
	tabletest.Build(t, db, g, 8, format.Even)
	report, err := check.Run(t.Context(), db, check.Options{})
	if err != nil || !report.Sound() {
		t.Errorf("got %+v, %v", report, err)
	}
}

// TestBlocksHoldLowerBounds decodes the blocks of a layer. They hold the score where no
// conversion gives it, and mostly something else where one does.
func TestBlocksHoldLowerBounds(t *testing.T) {
	t.Parallel()
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		const beans = 8
		g, db := tabletest.Tables(t, rules, 6, beans, format.Even)
		m := tabletest.Manifest(t, db, format.KeyOf(g, beans))
		x := index.New(6, beans)
		blocking := format.NewBlocking(x, beans)
		bounds := make([][]game.Score, m.Blocks)
		for number := range bounds {
			bounds[number] = tabletest.Edit(t, db).Scores(tabletest.BlockOf(m.Key(), solver.Scores, number))
		}
		lower := 0
		var successors []game.Successor
		for i := range x.Size(beans) {
			p := x.Unrank(beans, i)
			number, at := blocking.Locate(p)
			score := tabletest.Probe(t, db, g, p)
			// The best conversion, by the rules and by other layers alone.
			best := game.Score(-beans - 1)
			if g.Over(p) {
				best = g.Final(p)
			}
			successors = g.Successors(successors[:0], p)
			for _, s := range successors {
				if s.Captured > 0 {
					best = max(best, game.Score(s.Captured)-tabletest.Probe(t, db, g, s.Next))
				}
			}
			stored := bounds[number][at]
			if max(stored, best) != score {
				t.Fatalf("%v: stored %d, best conversion %d, want %d", p, stored, best, score)
			}
			if stored != score {
				lower++
			}
		}
		if lower < int(m.Positions)/20 {
			t.Errorf("%v: %d of %d scores are stored as something lower", rules, lower, m.Positions)
		}
	}
}
