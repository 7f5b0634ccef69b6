package build_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/store"
)

// buildUntil builds with a checkpoint after each rectangle. It stops at the n-th call
// of Report that tells of a layer in work, and reports whether it was stopped. It hands
// these calls on to look.
func buildUntil(t *testing.T, db *tablebase.DB, o build.Options, n int, look func(build.Progress)) (stopped bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	calls := 0
	o.CheckpointEvery = time.Nanosecond
	o.Report = func(p build.Progress) {
		if p.Phase == build.Loading {
			return
		}
		look(p)
		if calls++; calls == n {
			cancel()
		}
	}
	_, err := build.Scores(ctx, db, o)
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return err != nil
}

// TestBuildGoesOnInMidLayer stops builds at random moments, sometimes closing the
// database, and goes on. What is built in the end is what is built at once.
func TestBuildGoesOnInMidLayer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules        game.Rules
		width, beans int
		parity       format.Parity
		seldom       int // how seldom it is stopped
	}{
		{game.Bohnenspiel, 6, 10, format.Even, 200},
		{game.Bohnenspiel, 6, 7, format.Odd, 60},
		{game.Mangala, 3, 9, format.Both, 60},      // with layers that lean
		{game.Bohnenspiel, 2, 23, format.Odd, 100}, // with 16-bit codes
		{game.Bohnenspiel, 9, 4, format.Even, 30},
	} {
		t.Run(fmt.Sprintf("%v/width=%d/beans=%d", c.rules, c.width, c.beans), func(t *testing.T) {
			t.Parallel()
			g, whole := tabletest.Tables(t, c.rules, c.width, c.beans, c.parity)
			random := rand.New(rand.NewPCG(uint64(c.beans), 9))
			dir := t.TempDir()
			db := tabletest.Create(t, dir)
			stops, resumed := 0, 0
			o := build.Options{Game: g, Beans: c.beans, Parity: c.parity, Workers: 2}
			for {
				began := false // whether a call tells of a layer that goes on
				// Later and later, since not all work can be kept.
				stopped := buildUntil(t, db, o, 1+random.IntN(c.seldom+10*stops), func(p build.Progress) { began = began || p.Resumed })
				if began {
					resumed++
				}
				if !stopped {
					break
				}
				stops++
				if random.IntN(4) == 0 {
					tabletest.Close(t, db)
					db = tabletest.Create(t, dir)
				}
			}
			if stops < 3 || resumed < 1 {
				t.Errorf("stopped %d times, went on in mid-layer %d times: that shows little", stops, resumed)
			}
			wantSame(t, db, whole)
			tabletest.WantNoCheckpoint(t, dir)
		})
	}
}

// keptBeans is the layer that keptState leaves in work.
const keptBeans = 8

// keptState builds the even layers of a game below keptBeans, and that one until its
// state has been kept in mid-sweep. It returns the directory, closed, and the file.
func keptState(t *testing.T, g game.Game) (dir string, state []byte) {
	t.Helper()
	dir = tabletest.Built(t, g, keptBeans-2)
	db := tabletest.Create(t, dir)
	for stop := 1; ; stop++ {
		sweep := 0
		o := build.Options{Game: g, Beans: keptBeans, Workers: 1}
		if !buildUntil(t, db, o, stop, func(p build.Progress) { sweep = p.Sweep }) {
			t.Fatal("no state was kept")
		}
		if sweep >= 2 {
			break
		}
	}
	tabletest.Close(t, db)
	return dir, tabletest.ReadFile(t, tabletest.CheckpointPath(dir))
}

// TestCheckpointThatIsNone has a file in the way that is no state of the layer. It is
// not used, does no harm, and is gone in the end.
func TestCheckpointThatIsNone(t *testing.T) {
	t.Parallel()
	g, whole := tabletest.OpenEven(t, keptBeans)
	dir, state := keptState(t, g)
	otherDir, _ := keptState(t, tabletest.NewGame(t, game.Mangala, 6))
	otherRules := tabletest.ReadFile(t, tabletest.CheckpointPath(otherDir))
	set := func(at int, value byte) []byte {
		changed := bytes.Clone(state)
		changed[at] = value
		return changed
	}
	for name, c := range map[string]struct {
		state   []byte
		resumes bool
	}{
		"the state itself":            {state, true},
		"an empty file":               {nil, false},
		"half a header":               {state[:50], false},
		"a header alone":              {state[:96], false},
		"a byte too few":              {state[:len(state)-1], false},
		"a byte too many":             {append(bytes.Clone(state), 0), false},
		"a cell that is another":      {set(len(state)-1, ^state[len(state)-1]), false},
		"another mark":                {set(15, state[15]+1), false},
		"another magic":               {set(0, 'b'), false},
		"an older version":            {sealed(set(4, 1)), false},
		"a newer version":             {sealed(set(4, 3)), false},
		"other rules":                 {otherRules, false},
		"another width":               {sealed(set(6, 5)), false},
		"no width at all":             {sealed(set(6, 0)), false},
		"other layers below":          {sealed(set(40, ^state[40])), false},
		"another length":              {sealed(set(31, state[31]+1)), false},
		"a phase that there is not":   {sealed(set(8, 7)), false},
		"a rectangle beyond all":      {sealed(set(19, 200)), false},
		"a code that there is not":    {sealed(set(96, 255)), false},
		"a cell where no position is": {sealed(set(len(state)-1, 7)), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			here := tabletest.Copy(t, dir)
			tabletest.WriteFile(t, tabletest.CheckpointPath(here), c.state)
			// What a process leaves that is killed while it keeps a state.
			tabletest.WriteFile(t, tabletest.CheckpointPath(here)+".new", state[:1000])
			db := tabletest.Create(t, here)
			first := build.Progress{}
			tabletest.Scores(t, db, build.Options{Game: g, Beans: keptBeans, Workers: 2, Report: func(p build.Progress) {
				if first.Phase == build.Loading {
					first = p
				}
			}})
			if resumes := first.Phase == build.Sweeping; resumes != c.resumes {
				t.Errorf("the build goes on with %+v", first)
			}
			tabletest.WantLayers(t, db, whole.Layers())
			if name != "other rules" && name != "another width" { // see TestCheckpointOfAnotherLayerStays
				tabletest.WantNoCheckpoint(t, here)
			}
		})
	}
}

// sealed puts the right checksum into a state.
func sealed(state []byte) []byte {
	build.SealCheckpoint(state)
	return state
}

// TestCheckpointOfAnotherLayerStays builds other layers while one is in work, and goes
// on with that one afterwards.
func TestCheckpointOfAnotherLayerStays(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	dir, state := keptState(t, g)
	db := tabletest.Create(t, dir)
	tabletest.Build(t, db, g, 5, format.Odd)
	tabletest.Build(t, db, tabletest.NewGame(t, game.Mangala, 6), 4, format.Both)
	if left := tabletest.ReadFile(t, tabletest.CheckpointPath(dir)); !slices.Equal(left, state) {
		t.Fatal("the state of layer 8 has changed")
	}
	resumed := false
	tabletest.Scores(t, db, build.Options{Game: g, Beans: 8, Report: func(p build.Progress) {
		resumed = resumed || p.Resumed
	}})
	if !resumed {
		t.Error("the layer is begun anew")
	}
	tabletest.WantNoCheckpoint(t, dir)
}

// TestCheckpointOfAFinishedLayer has the state of a layer left that is whole, as after
// a kill at the last moment.
func TestCheckpointOfAFinishedLayer(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	dir, state := keptState(t, g)
	db := tabletest.Create(t, dir)
	tabletest.Build(t, db, g, 8, format.Even)
	tabletest.WriteFile(t, tabletest.CheckpointPath(dir), state)
	if built := tabletest.Build(t, db, g, 8, format.Even); len(built) > 0 {
		t.Errorf("built %v again", built)
	}
	tabletest.WantNoCheckpoint(t, dir)
}

// TestCheckpointThatCannotBeKept has a directory in the place of the file.
func TestCheckpointThatCannotBeKept(t *testing.T) {
	t.Parallel()
	g, dir := tabletest.Even(t, 6)
	db := tabletest.Create(t, dir)
	if err := os.MkdirAll(filepath.Join(tabletest.CheckpointPath(dir), "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	built, err := build.Scores(t.Context(), db, build.Options{Game: g, Beans: 8, CheckpointEvery: time.Nanosecond})
	tabletest.WantError(t, err, store.ErrStorage)
	if len(built) > 0 || len(db.Layers()) != 4 {
		t.Errorf("built %v", built)
	}
	if err := os.RemoveAll(tabletest.CheckpointPath(dir)); err != nil {
		t.Fatal(err)
	}
	tabletest.Build(t, db, g, 8, format.Even)
}

// FuzzCheckpoint gives the reader of checkpoints any file, its checksum put right. What it
// takes is of the layer that it was asked for, and no more than its cells.
func FuzzCheckpoint(f *testing.F) {
	key := format.Key{Rules: game.Bohnenspiel, Width: 6, Beans: 4}
	const cells = 40
	dir := f.TempDir()
	good := build.CheckpointOf(dir, key, bytes.Repeat([]byte{3}, cells))
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add(good[:50])
	f.Add([]byte("BnsC"))
	f.Fuzz(func(t *testing.T, file []byte) {
		build.SealCheckpoint(file)
		tabletest.WriteFile(t, tabletest.CheckpointPath(dir), file)
		got, ok, err := build.LoadCheckpoint(dir, key, cells)
		switch {
		case err != nil:
			t.Errorf("got %v, want a state or none", err)
		case ok && (!bytes.Equal(file[:8], good[:8]) || !bytes.Equal(file[len(file)-cells:], got)):
			t.Errorf("took %x", file)
		case !ok && !bytes.Equal(got, make([]byte, cells)):
			t.Errorf("took no state, but left cells %x", got)
		}
	})
}
