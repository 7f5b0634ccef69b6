package tablebase_test

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

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// checkpointPath returns the file that keeps the state of the layer in work.
func checkpointPath(dir string) string { return filepath.Join(dir, "LAYER-IN-WORK") }

// timeless tells manifests apart but for when and how long they were built.
func timeless() cmp.Option {
	return cmpopts.IgnoreFields(tablebase.Manifest{}, "Built", "Seconds")
}

// buildUntil builds with a checkpoint after each rectangle. It stops at the n-th call
// of Report that tells of a layer in work, and reports whether it was stopped. It hands
// these calls on to look.
func buildUntil(t *testing.T, db *tablebase.DB, o tablebase.BuildOptions, n int, look func(tablebase.Progress)) (stopped bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	calls := 0
	o.CheckpointEvery = time.Nanosecond
	o.Report = func(p tablebase.Progress) {
		if p.Phase == tablebase.Loading {
			return
		}
		look(p)
		if calls++; calls == n {
			cancel()
		}
	}
	_, err := db.Build(ctx, o)
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
		parity       tablebase.Parity
		seldom       int // how seldom it is stopped
	}{
		{game.Bohnenspiel, 6, 10, tablebase.Even, 200},
		{game.Bohnenspiel, 6, 7, tablebase.Odd, 60},
		{game.Mangala, 3, 9, tablebase.Both, 60},      // with layers that lean
		{game.Bohnenspiel, 2, 23, tablebase.Odd, 100}, // with 16-bit codes
		{game.Bohnenspiel, 9, 4, tablebase.Even, 30},
	} {
		t.Run(fmt.Sprintf("%v/width=%d/beans=%d", c.rules, c.width, c.beans), func(t *testing.T) {
			t.Parallel()
			g := newGame(t, c.rules, c.width)
			whole := create(t, t.TempDir())
			build(t, whole, g, c.beans, c.parity)

			random := rand.New(rand.NewPCG(uint64(c.beans), 9))
			dir := t.TempDir()
			db := create(t, dir)
			stops, resumed := 0, 0
			o := tablebase.BuildOptions{Game: g, Beans: c.beans, Parity: c.parity, Workers: 2}
			for {
				began := false // whether a call tells of a layer that goes on
				// Later and later, since not all work can be kept.
				stopped := buildUntil(t, db, o, 1+random.IntN(c.seldom+10*stops), func(p tablebase.Progress) { began = began || p.Resumed })
				if began {
					resumed++
				}
				if !stopped {
					break
				}
				stops++
				if random.IntN(4) == 0 {
					closeDB(t, db)
					db = create(t, dir)
				}
			}
			if stops < 3 || resumed < 1 {
				t.Errorf("stopped %d times, went on in mid-layer %d times: that shows little", stops, resumed)
			}
			if diff := cmp.Diff(blockValues(t, whole), blockValues(t, db)); diff != "" {
				t.Errorf("blocks differ (-at once +in pieces):\n%s", diff)
			}
			if diff := cmp.Diff(whole.Layers(), db.Layers(), timeless()); diff != "" {
				t.Errorf("manifests differ (-at once +in pieces):\n%s", diff)
			}
			wantNoCheckpoint(t, dir)
		})
	}
}

// wantNoCheckpoint fails the test if a file with the state of a layer is left.
func wantNoCheckpoint(tb testing.TB, dir string) {
	tb.Helper()
	left, err := filepath.Glob(checkpointPath(dir) + "*")
	if err != nil || len(left) > 0 {
		tb.Errorf("files are left: %v, %v", left, err)
	}
}

// keptBeans is the layer that keptState leaves in work.
const keptBeans = 8

// keptState builds the even layers of a game below keptBeans, and that one until its
// state has been kept in mid-sweep. It returns the directory, closed, and the file.
func keptState(t *testing.T, g game.Game) (dir string, state []byte) {
	t.Helper()
	dir = t.TempDir()
	db := create(t, dir)
	build(t, db, g, keptBeans-2, tablebase.Even)
	for stop := 1; ; stop++ {
		sweep := 0
		o := tablebase.BuildOptions{Game: g, Beans: keptBeans, Workers: 1}
		if !buildUntil(t, db, o, stop, func(p tablebase.Progress) { sweep = p.Sweep }) {
			t.Fatal("no state was kept")
		}
		if sweep >= 2 {
			break
		}
	}
	closeDB(t, db)
	state, err := os.ReadFile(checkpointPath(dir))
	if err != nil {
		t.Fatal(err)
	}
	return dir, state
}

// TestCheckpointThatIsNone has a file in the way that is no state of the layer. It is
// not used, does no harm, and is gone in the end.
func TestCheckpointThatIsNone(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 6)
	want := func() tablebase.Manifest {
		m, err := open(t, built(t, g, keptBeans)).Manifest(tablebase.KeyOf(g, keptBeans))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}()
	dir, state := keptState(t, g)
	otherDir, _ := keptState(t, newGame(t, game.Mangala, 6))
	otherRules, err := os.ReadFile(checkpointPath(otherDir))
	if err != nil {
		t.Fatal(err)
	}
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
			here := t.TempDir()
			copyFiles(t, dir, here)
			if err := os.WriteFile(checkpointPath(here), c.state, 0o600); err != nil {
				t.Fatal(err)
			}
			// What a process leaves that is killed while it keeps a state.
			if err := os.WriteFile(checkpointPath(here)+".new", state[:1000], 0o600); err != nil {
				t.Fatal(err)
			}
			db := create(t, here)
			first := tablebase.Progress{}
			_, err := db.Build(t.Context(), tablebase.BuildOptions{Game: g, Beans: keptBeans, Workers: 2, Report: func(p tablebase.Progress) {
				if first.Phase == tablebase.Loading {
					first = p
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			if resumes := first.Phase == tablebase.Sweeping; resumes != c.resumes {
				t.Errorf("the build goes on with %+v", first)
			}
			got, err := db.Manifest(tablebase.KeyOf(g, keptBeans))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, timeless()); diff != "" {
				t.Errorf("manifest differs (-want +got):\n%s", diff)
			}
			if name == "other rules" || name == "another width" {
				return // see TestCheckpointOfAnotherLayerStays
			}
			wantNoCheckpoint(t, here)
		})
	}
}

// sealed puts the right checksum into a state.
func sealed(state []byte) []byte {
	tablebase.SealCheckpoint(state)
	return state
}

// TestCheckpointOfAnotherLayerStays builds other layers while one is in work, and goes
// on with that one afterwards.
func TestCheckpointOfAnotherLayerStays(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 6)
	dir, state := keptState(t, g)
	db := create(t, dir)
	build(t, db, g, 5, tablebase.Odd)
	build(t, db, newGame(t, game.Mangala, 6), 4, tablebase.Both)
	if left, err := os.ReadFile(checkpointPath(dir)); err != nil || !slices.Equal(left, state) {
		t.Fatalf("the state of layer 8 has changed: %v", err)
	}
	resumed := false
	_, err := db.Build(t.Context(), tablebase.BuildOptions{Game: g, Beans: 8, Report: func(p tablebase.Progress) {
		resumed = resumed || p.Resumed
	}})
	if err != nil || !resumed {
		t.Errorf("the layer is begun anew: %v", err)
	}
	wantNoCheckpoint(t, dir)
}

// TestCheckpointOfAFinishedLayer has the state of a layer left that is whole, as after
// a kill at the last moment.
func TestCheckpointOfAFinishedLayer(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 6)
	dir, state := keptState(t, g)
	db := create(t, dir)
	build(t, db, g, 8, tablebase.Even)
	if err := os.WriteFile(checkpointPath(dir), state, 0o600); err != nil {
		t.Fatal(err)
	}
	if built := build(t, db, g, 8, tablebase.Even); len(built) > 0 {
		t.Errorf("built %v again", built)
	}
	wantNoCheckpoint(t, dir)
}

// TestCheckpointIsNoDatabase wants a directory with a state alone to be left as it is.
func TestCheckpointIsNoDatabase(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(checkpointPath(dir), []byte("BnsC"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := tablebase.Create(dir, tablebase.Options{})
	wantError(t, err, tablebase.ErrNotDatabase)
}

// TestCheckpointThatCannotBeKept has a directory in the place of the file.
func TestCheckpointThatCannotBeKept(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 6)
	dir := t.TempDir()
	db := create(t, dir)
	build(t, db, g, 6, tablebase.Even)
	if err := os.MkdirAll(filepath.Join(checkpointPath(dir), "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	built, err := db.Build(t.Context(), tablebase.BuildOptions{Game: g, Beans: 8, CheckpointEvery: time.Nanosecond})
	wantError(t, err, tablebase.ErrStorage)
	if len(built) > 0 || len(db.Layers()) != 4 {
		t.Errorf("built %v", built)
	}
	if err := os.RemoveAll(checkpointPath(dir)); err != nil {
		t.Fatal(err)
	}
	build(t, db, g, 8, tablebase.Even)
}
