package build_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/store"
)

// depthValues returns the values of all blocks of depths by key.
func depthValues(tb testing.TB, db *tablebase.DB) map[string][]byte {
	tb.Helper()
	return tabletest.Edit(tb, db).Stored(format.DepthBlockPrefix)
}

// depthManifests returns the manifests of the depth tables up to beans.
func depthManifests(tb testing.TB, db *tablebase.DB, g game.Game, beans int) []format.DepthManifest {
	tb.Helper()
	var manifests []format.DepthManifest
	for n := range beans + 1 {
		m, err := db.DepthManifest(format.KeyOf(g, n))
		switch {
		case err == nil:
			manifests = append(manifests, m)
		case !errors.Is(err, format.ErrNoDepths):
			tb.Error(err)
		}
	}
	return manifests
}

// wantSameDepths fails the test unless a database has the depth tables up to beans of another.
func wantSameDepths(tb testing.TB, db, want *tablebase.DB, g game.Game, beans int) {
	tb.Helper()
	if diff := cmp.Diff(depthValues(tb, want), depthValues(tb, db)); diff != "" {
		tb.Errorf("blocks of depths differ (-want +got):\n%s", diff)
	}
	timeless := cmpopts.IgnoreFields(format.DepthManifest{}, "Built", "Seconds")
	if diff := cmp.Diff(depthManifests(tb, want, g, beans), depthManifests(tb, db, g, beans), timeless); diff != "" {
		tb.Errorf("manifests of depths differ (-want +got):\n%s", diff)
	}
}

// TestDepthsAgainstSearch compares each stored DTC with the local search in a database
// without depth tables, and the numbers of each manifest with these.
func TestDepthsAgainstSearch(t *testing.T) {
	t.Parallel()
	boards := []struct{ width, short, long int }{{1, 12, 12}, {2, 9, 14}, {3, 6, 8}, {6, 4, 6}}
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		for _, board := range boards {
			beans := board.long
			if testing.Short() {
				beans = board.short
			}
			t.Run(fmt.Sprintf("%v/width=%d/beans=%d", rules, board.width, beans), func(t *testing.T) {
				t.Parallel()
				g, plain := tabletest.Tables(t, rules, board.width, beans, format.Both)
				db := tabletest.Create(t, t.TempDir())
				tabletest.Build(t, db, g, beans, format.Both)
				if built := tabletest.BuildDepths(t, db, g, beans, format.Both); len(built) != beans+1 {
					t.Fatalf("built %d tables, want %d", len(built), beans+1)
				}
				for _, m := range depthManifests(t, db, g, beans) {
					compareWithSearch(t, plain, db, g, m)
				}
			})
		}
	}
}

func compareWithSearch(t *testing.T, plain, db *tablebase.DB, g game.Game, m format.DepthManifest) {
	t.Helper()
	x := index.New(g.Width(), m.Beans)
	got := format.DepthManifest{Histogram: make([]uint64, len(m.Histogram))}
	first := true
	for i := range x.Size(m.Beans) {
		p := x.Unrank(m.Beans, i)
		want, _, err := plain.Depth(t.Context(), g, p, tablebase.DefaultDepthLimit)
		if err != nil {
			t.Fatal(err)
		}
		stored, visited, err := db.Depth(t.Context(), g, p, 0)
		if err != nil || stored != want || visited != 0 {
			t.Fatalf("%d beans, index %d: got %v after %d positions, error %v; want %v", m.Beans, i, stored, visited, err, want)
		}
		if want == game.Endless {
			got.Endless++
			continue
		}
		if int(want) >= len(got.Histogram) {
			t.Fatalf("a DTC of %v is above the longest, %v", want, m.Longest)
		}
		got.Histogram[want]++
		if first || want > got.Longest {
			got.Longest, got.LongestIndex, first = want, i, false
		}
	}
	if m.Longest != got.Longest || m.LongestIndex != got.LongestIndex || m.Endless != got.Endless || !cmp.Equal(m.Histogram, got.Histogram) {
		t.Errorf("%d beans: got longest %v at %d, %d endless, histogram %v; want %v at %d, %d, %v", m.Beans,
			m.Longest, m.LongestIndex, m.Endless, m.Histogram, got.Longest, got.LongestIndex, got.Endless, got.Histogram)
	}
}

// TestDepthsLeaveScoresAlone wants the same scores, byte for byte, with depth tables
// and without.
func TestDepthsLeaveScoresAlone(t *testing.T) {
	t.Parallel()
	g, dir := tabletest.Even(t, 8)
	db := tabletest.Create(t, dir)
	values, layers := blockValues(t, db), db.Layers()
	if _, ok, err := db.StoredDepth(g, game.Position{Mover: game.RowOf(1, 0, 0, 0, 0, 0), Opponent: game.RowOf(1)}); ok || err != nil {
		t.Errorf("without tables: got a depth %t, error %v", ok, err)
	}
	_, err := db.DepthManifest(format.KeyOf(g, 8))
	tabletest.WantError(t, err, format.ErrNoDepths)
	tabletest.BuildDepths(t, db, g, 8, format.Even)
	tabletest.WantSound(t, db)
	tabletest.Close(t, db)
	db = tabletest.Open(t, dir)
	wantBlocks(t, db, values)
	if diff := cmp.Diff(layers, db.Layers()); diff != "" {
		t.Errorf("manifests of layers change:\n%s", diff)
	}
	if got := len(depthManifests(t, db, g, 8)); got != 5 {
		t.Errorf("got %d depth tables after reopening, want 5", got)
	}
	_, err = build.Depths(t.Context(), db, build.Options{Game: g, Beans: 8})
	tabletest.WantError(t, err, store.ErrReadOnly)
}

// TestDepthBuildsAgree wants the same tables with any number of workers, with little
// memory and spilled layers, in one run and in many.
func TestDepthBuildsAgree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules        game.Rules
		width, beans int
		parity       format.Parity
	}{{game.Bohnenspiel, 6, 10, format.Even}, {game.Mangala, 3, 10, format.Both}, {game.Bohnenspiel, 2, 20, format.Even}} {
		t.Run(fmt.Sprintf("%v/width=%d", c.rules, c.width), func(t *testing.T) {
			t.Parallel()
			g := tabletest.NewGame(t, c.rules, c.width)
			o := build.Options{Game: g, Beans: c.beans, Parity: c.parity, Workers: 1}
			tight := o
			tight.Memory = build.PlanDepths(o, nil).Total().Memory - 1
			plan := build.PlanDepths(tight, nil)
			tight.Memory = plan.Total().Memory
			if !plan.Packed || plan.CheckMemory() != nil {
				t.Fatalf("got packed %t, error %v", plan.Packed, plan.CheckMemory())
			}
			three := o
			three.Workers = 3
			var first *tablebase.DB
			for name, o := range map[string]build.Options{"plain": o, "three workers": three, "tight": tight, "spilled": build.Spilling(o, c.beans/2)} {
				db := tabletest.Create(t, t.TempDir())
				tabletest.Build(t, db, g, c.beans, c.parity)
				for _, beans := range []int{c.beans - 4, c.beans} {
					o.Beans = beans
					if _, err := build.Depths(t.Context(), db, o); err != nil {
						t.Fatalf("%s: %v", name, err)
					}
				}
				t.Log(name)
				if first == nil {
					first = db
				}
				wantSameDepths(t, db, first, g, c.beans)
			}
		})
	}
}

// TestDepthBuildStopped stops a build at many moments and goes on.
func TestDepthBuildStopped(t *testing.T) {
	t.Parallel()
	const beans = 8
	g, whole := tabletest.Tables(t, game.Bohnenspiel, 6, beans, format.Even)
	tabletest.BuildDepths(t, whole, g, beans, format.Even)
	db := tabletest.Create(t, tabletest.Built(t, g, beans))
	stopped := 0
	for at := 0; ; at += 7 {
		ctx, cancel := context.WithCancel(t.Context())
		reports := 0
		manifests, err := build.Depths(ctx, db, build.Options{Game: g, Beans: beans, Workers: 2, Report: func(p build.Progress) {
			if !p.DTC || p.Done > p.Total {
				t.Errorf("got %+v", p)
			}
			if reports++; reports > at {
				cancel()
			}
		}})
		cancel()
		for _, m := range manifests {
			if _, err := db.DepthManifest(m.Key()); err != nil {
				t.Errorf("%v was built: %v", m.Key(), err)
			}
		}
		if err == nil {
			break
		}
		stopped++
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped after %d reports: got error %v", at, err)
		}
	}
	if stopped < 3 {
		t.Errorf("stopped only %d times", stopped)
	}
	wantSameDepths(t, db, whole, g, beans)
}

// TestDepthLeftOvers wants blocks gone that a killed build has left without a manifest.
func TestDepthLeftOvers(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	const beans = 4
	k := format.KeyOf(g, beans)
	whole, db := tabletest.Create(t, tabletest.Built(t, g, beans)), tabletest.Create(t, tabletest.Built(t, g, beans))
	tabletest.BuildDepths(t, whole, g, beans, format.Even)
	beyond := format.BlockID{Key: k, Kind: solver.Depths, Number: 1000, Positions: 10, Columns: 10}
	for _, id := range []format.BlockID{tabletest.BlockOf(k, solver.Depths, 1), beyond} {
		tabletest.Edit(t, db).Set(id.StoreKey(), []byte("left over"))
	}
	scores := blockValues(t, db)
	tabletest.BuildDepths(t, db, g, beans, format.Even)
	wantSameDepths(t, db, whole, g, beans)
	wantBlocks(t, db, scores)
}

func TestDepthBuildRefuses(t *testing.T) {
	t.Parallel()
	g, db := tabletest.Tables(t, game.Bohnenspiel, 6, 6, format.Even)
	o := build.Options{Game: g, Beans: 8}
	if built, err := build.Depths(t.Context(), db, o); len(built) != 4 {
		t.Errorf("built %d tables, want 4", len(built))
	} else {
		tabletest.WantError(t, err, format.ErrNoLayer)
	}
	o.Memory = 1
	_, err := build.Depths(t.Context(), db, o)
	tabletest.WantError(t, err, held.ErrMemory)
	o.Beans = 73
	_, err = build.Depths(t.Context(), db, o)
	tabletest.WantError(t, err, format.ErrTooManyBeans)
	_, err = build.Depths(t.Context(), db, build.Options{Beans: 2})
	tabletest.WantError(t, err, game.ErrWidth)
}

// TestPlanDepths wants estimates that cover what is built.
func TestPlanDepths(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	o := build.Options{Game: g, Beans: 10}
	plan := build.PlanDepths(o, func(k format.Key) bool { return k.Beans < 4 })
	db := tabletest.Create(t, tabletest.Built(t, g, 10))
	if total := plan.Total(); total.Layers != 4 || total.Positions != 1365+12376+75582+352716 {
		t.Errorf("got %+v", total)
	}
	joined := build.PlanScores(o, nil).Join(plan)
	if len(joined.Layers) != 6+4 || joined.Total().Memory < plan.Total().Memory || joined.HeapLimit() > plan.HeapLimit() {
		t.Errorf("joined with the scores: got %d layers, %+v", len(joined.Layers), joined.Total())
	}
	costs := build.PlanDepths(o, nil).Layers
	for i, m := range tabletest.BuildDepths(t, db, g, 10, format.Even) {
		if costs[i].Key != m.Key() || !costs[i].DTC || costs[i].Bytes < m.Bytes {
			t.Errorf("%v: estimated %+v, but it takes %d bytes", m.Key(), costs[i], m.Bytes)
		}
	}
	for _, beans := range []int{-1, 72, 1000} {
		o.Beans = beans
		if p := build.PlanDepths(o, nil); (beans > 0) != (len(p.Layers) > 0) {
			t.Errorf("%d beans: got %d layers", beans, len(p.Layers))
		}
	}
}
