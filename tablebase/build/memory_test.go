package build_test

import (
	"context"
	"fmt"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/internal/tabletest"
)

// TestMemoryDoesNotMatter builds with just so much memory that first looks can't all be
// kept, then that the layers below have to be packed, and then with some of them in files,
// in one run and in two. What is stored is the same as with plenty.
func TestMemoryDoesNotMatter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules        game.Rules
		width, beans int
		parity       format.Parity
	}{
		{game.Bohnenspiel, 6, 10, format.Even},
		{game.Mangala, 3, 12, format.Both}, // with layers that are never packed
		{game.Mangala, 2, 24, format.Even},
	} {
		t.Run(fmt.Sprintf("%v/width=%d/beans=%d", c.rules, c.width, c.beans), func(t *testing.T) {
			t.Parallel()
			g, roomy := tabletest.Tables(t, c.rules, c.width, c.beans, c.parity)
			o := build.Options{Game: g, Beans: c.beans, Parity: c.parity, Workers: 2}
			o.Memory = build.PlanScores(o, nil).Total().Memory - 1
			for packed := false; !packed; { // at first, first looks are not kept
				plan := build.PlanScores(o, nil)
				packed = plan.Packed
				o.Memory = plan.Total().Memory
				wantSameInTwoRuns(t, roomy, o)
				o.Memory--
			}
			o.Memory = 0
			wantSameInTwoRuns(t, roomy, build.Spilling(o, c.beans/2))
		})
	}
}

// wantSameInTwoRuns builds layers in one run and in two, and compares what is stored.
func wantSameInTwoRuns(t *testing.T, want *tablebase.DB, o build.Options) {
	t.Helper()
	for _, first := range []int{o.Beans, o.Beans - 4} {
		dir := t.TempDir()
		got := tabletest.Create(t, dir)
		for _, beans := range []int{first, o.Beans} {
			run := o
			run.Beans = beans
			tabletest.Scores(t, got, run)
		}
		wantSame(t, got, want)
		tabletest.WantNoSpill(t, dir)
	}
}

// TestTooLittleMemory wants nothing to be written where a build cannot be finished.
func TestTooLittleMemory(t *testing.T) {
	g, dir := tabletest.Even(t, 4)
	db := tabletest.Create(t, dir)
	o := build.Options{Game: g, Beans: 16}
	o.Memory = 1
	o.Memory = build.PlanScores(o, nil).Total().Memory - 1 // it is packed, and yet too much
	before := blockValues(t, db)
	for _, memory := range []uint64{1, o.Memory} {
		o.Memory = memory
		built, err := build.Scores(context.Background(), db, o)
		tabletest.WantError(t, err, held.ErrMemory)
		if len(built) > 0 || len(db.Layers()) != 3 {
			t.Errorf("with %d bytes of memory, layers were built", memory)
		}
	}
	wantBlocks(t, db, before)
	tabletest.WantNoCheckpoint(t, dir)
}
