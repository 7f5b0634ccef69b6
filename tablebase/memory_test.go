package tablebase_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// TestMemoryDoesNotMatter builds with just so much memory that first looks can't all be
// kept, then that the layers below have to be packed, and then with some of them in files, in one run and in two. What is
// stored is the same as with plenty.
func TestMemoryDoesNotMatter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules        game.Rules
		width, beans int
		parity       tablebase.Parity
	}{
		{game.Bohnenspiel, 6, 10, tablebase.Even},
		{game.Mangala, 3, 12, tablebase.Both}, // with layers that are never packed
		{game.Mangala, 2, 24, tablebase.Even},
	} {
		t.Run(fmt.Sprintf("%v/width=%d/beans=%d", c.rules, c.width, c.beans), func(t *testing.T) {
			t.Parallel()
			g := newGame(t, c.rules, c.width)
			roomy := create(t, t.TempDir())
			build(t, roomy, g, c.beans, c.parity)

			o := tablebase.BuildOptions{Game: g, Beans: c.beans, Parity: c.parity, Workers: 2}
			o.Memory = tablebase.PlanBuild(o, nil).Total().Memory - 1
			for packed := false; !packed; { // at first, first looks are not kept
				plan := tablebase.PlanBuild(o, nil)
				packed = plan.Packed
				o.Memory = plan.Total().Memory
				wantSameInTwoRuns(t, roomy, o)
				o.Memory--
			}
			o.Memory = 0
			wantSameInTwoRuns(t, roomy, tablebase.Spilling(o, c.beans/2))
		})
	}
}

// wantSameInTwoRuns builds layers in one run and in two, and compares what is stored.
func wantSameInTwoRuns(t *testing.T, want *tablebase.DB, o tablebase.BuildOptions) {
	t.Helper()
	for _, first := range []int{o.Beans, o.Beans - 4} {
		dir := t.TempDir()
		got := create(t, dir)
		for _, beans := range []int{first, o.Beans} {
			run := o
			run.Beans = beans
			if _, err := got.Build(t.Context(), run); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want.Layers(), got.Layers(), timeless()); diff != "" {
			t.Errorf("manifests differ (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(blockValues(t, want), blockValues(t, got)); diff != "" {
			t.Errorf("blocks differ (-want +got):\n%s", diff)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "LOWER-*")); len(left) > 0 {
			t.Errorf("%v stay", left)
		}
	}
}

// TestTooLittleMemory wants nothing to be written where a build cannot be finished.
func TestTooLittleMemory(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	dir := built(t, g, 4)
	db := create(t, dir)
	o := tablebase.BuildOptions{Game: g, Beans: 16}
	o.Memory = 1
	o.Memory = tablebase.PlanBuild(o, nil).Total().Memory - 1 // it is packed, and yet too much
	before := blockValues(t, db)
	for _, memory := range []uint64{1, o.Memory} {
		o.Memory = memory
		built, err := db.Build(context.Background(), o)
		wantError(t, err, tablebase.ErrMemory)
		if len(built) > 0 || len(db.Layers()) != 3 {
			t.Errorf("with %d bytes of memory, layers were built", memory)
		}
	}
	if diff := cmp.Diff(before, blockValues(t, db)); diff != "" {
		t.Errorf("blocks change (-before +after):\n%s", diff)
	}
	wantNoCheckpoint(t, dir)
}
