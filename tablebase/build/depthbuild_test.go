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
	keys, err := tabletest.DepthKeys(db)
	if err != nil {
		tb.Fatal(err)
	}
	values := make(map[string][]byte)
	for _, key := range keys {
		if key[0] == 'd' {
			continue // it has the time
		}
		if values[string(key)], err = tabletest.Value(db, key); err != nil {
			tb.Fatal(err)
		}
	}
	return values
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

// timelessDepths leaves out of a comparison when tables were built.
func timelessDepths() cmp.Option {
	return cmpopts.IgnoreFields(format.DepthManifest{}, "Built", "Seconds")
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
				g := tabletest.NewGame(t, rules, board.width)
				plain, db := tabletest.Create(t, t.TempDir()), tabletest.Create(t, t.TempDir())
				tabletest.Build(t, plain, g, beans, format.Both)
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
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	dir := tabletest.Built(t, g, 8)
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
	if diff := cmp.Diff(values, blockValues(t, db)); diff != "" {
		t.Errorf("blocks of scores change:\n%s", diff)
	}
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
			var want map[string][]byte
			var wantManifests []format.DepthManifest
			for name, o := range map[string]build.Options{"plain": o, "three workers": three, "tight": tight, "spilled": build.Spilling(o, c.beans/2)} {
				db := tabletest.Create(t, t.TempDir())
				tabletest.Build(t, db, g, c.beans, c.parity)
				for _, beans := range []int{c.beans - 4, c.beans} {
					o.Beans = beans
					if _, err := build.Depths(t.Context(), db, o); err != nil {
						t.Fatalf("%s: %v", name, err)
					}
				}
				if want == nil {
					want, wantManifests = depthValues(t, db), depthManifests(t, db, g, c.beans)
					continue
				}
				if diff := cmp.Diff(want, depthValues(t, db)); diff != "" {
					t.Errorf("%s: blocks differ:\n%s", name, diff)
				}
				if diff := cmp.Diff(wantManifests, depthManifests(t, db, g, c.beans), timelessDepths()); diff != "" {
					t.Errorf("%s: manifests differ:\n%s", name, diff)
				}
			}
		})
	}
}

// TestDepthBuildStopped stops a build at many moments and goes on.
func TestDepthBuildStopped(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	const beans = 8
	whole := tabletest.Create(t, t.TempDir())
	tabletest.Build(t, whole, g, beans, format.Even)
	tabletest.BuildDepths(t, whole, g, beans, format.Even)
	dir := tabletest.Built(t, g, beans)
	db := tabletest.Create(t, dir)
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
	if diff := cmp.Diff(depthValues(t, whole), depthValues(t, db)); diff != "" {
		t.Errorf("blocks differ from those of one run:\n%s", diff)
	}
	if diff := cmp.Diff(depthManifests(t, whole, g, beans), depthManifests(t, db, g, beans), timelessDepths()); diff != "" {
		t.Errorf("manifests differ from those of one run:\n%s", diff)
	}
}

// TestDepthLeftOvers wants blocks gone that a killed build has left without a manifest.
func TestDepthLeftOvers(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	const beans = 4
	k := format.KeyOf(g, beans)
	whole, db := tabletest.Create(t, tabletest.Built(t, g, beans)), tabletest.Create(t, tabletest.Built(t, g, beans))
	tabletest.BuildDepths(t, whole, g, beans, format.Even)
	for _, id := range []format.BlockID{
		tabletest.BlockOf(k, solver.Depths, 1), tabletest.NewBlockID(k, solver.Depths, 1000, 10, 10),
	} {
		if err := tabletest.SetValue(db, tabletest.BlockKey(id), []byte("left over")); err != nil {
			t.Fatal(err)
		}
	}
	scores := blockValues(t, db)
	tabletest.BuildDepths(t, db, g, beans, format.Even)
	if diff := cmp.Diff(depthValues(t, whole), depthValues(t, db)); diff != "" {
		t.Errorf("blocks differ from those of a fresh build:\n%s", diff)
	}
	if diff := cmp.Diff(scores, blockValues(t, db)); diff != "" {
		t.Errorf("blocks of scores change:\n%s", diff)
	}
}

func TestDepthBuildRefuses(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	db := tabletest.Create(t, tabletest.Built(t, g, 6))
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

// TestFacts compares facts with counts by probing, position by position.
func TestFacts(t *testing.T) {
	t.Parallel()
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		for _, board := range []struct{ width, beans int }{{1, 12}, {2, 10}, {3, 7}, {6, 5}} {
			t.Run(fmt.Sprintf("%v/width=%d", rules, board.width), func(t *testing.T) {
				t.Parallel()
				g := tabletest.NewGame(t, rules, board.width)
				db := tabletest.Create(t, t.TempDir())
				tabletest.Build(t, db, g, board.beans, format.Both)
				for n := range board.beans + 1 {
					want := countFacts(t, db, g, n)
					for _, workers := range []int{1, 3} {
						got, err := db.Facts(t.Context(), format.KeyOf(g, n), tablebase.FactsOptions{Workers: workers})
						if diff := cmp.Diff(want, got); diff != "" || err != nil {
							t.Errorf("%d beans, error %v, facts differ (-want +got):\n%s", n, err, diff)
						}
					}
				}
			})
		}
	}
}

// countFacts finds facts by the definition.
func countFacts(t *testing.T, db *tablebase.DB, g game.Game, beans int) tablebase.LayerFacts {
	t.Helper()
	x := index.New(g.Width(), beans)
	score := func(p game.Position) int {
		value, err := db.Probe(g, p)
		if err != nil {
			t.Fatal(err)
		}
		return int(value.Score)
	}
	facts := tablebase.LayerFacts{LargestScore: game.Score(-beans - 1)}
	for i := range x.Size(beans) {
		p := x.Unrank(beans, i)
		if game.Score(score(p)) > facts.LargestScore {
			facts.LargestScore = game.Score(score(p))
			facts.LargestPosition = game.Diagram{Width: g.Width(), Rows: [2]game.Row{p.Mover, p.Opponent}}.String()
		}
		if p.Mover.Beans() > 0 && p.Opponent.Beans() > 0 && score(p) < -score(p.Swap()) && score(p.Swap()) < -score(p) {
			facts.Zugzwangs++
		}
		if g.Over(p) {
			continue
		}
		moves, keeping := g.Successors(nil, p), 0
		for _, m := range moves {
			if m.Captured-score(m.Next) == score(p) {
				keeping++
			}
		}
		if len(moves) > 1 && keeping == 1 {
			facts.OnlyMoves++
		}
	}
	return facts
}

func TestFactsRefuses(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	db := tabletest.Create(t, tabletest.Built(t, g, 6))
	_, err := db.Facts(t.Context(), format.KeyOf(g, 6), tablebase.FactsOptions{Memory: 100})
	tabletest.WantError(t, err, held.ErrMemory)
	_, err = db.Facts(t.Context(), format.KeyOf(g, 8), tablebase.FactsOptions{})
	tabletest.WantError(t, err, format.ErrNoLayer)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = db.Facts(ctx, format.KeyOf(g, 6), tablebase.FactsOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got error %v", err)
	}
	packed, err := db.Facts(t.Context(), format.KeyOf(g, 6), tablebase.FactsOptions{Memory: 8000})
	if err != nil {
		t.Fatal(err)
	}
	roomy, err := db.Facts(t.Context(), format.KeyOf(g, 6), tablebase.FactsOptions{})
	if diff := cmp.Diff(roomy, packed); diff != "" || err != nil {
		t.Errorf("with little memory, error %v: facts differ:\n%s", err, diff)
	}
}
