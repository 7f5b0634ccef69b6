package tablebase_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/store"
)

func TestOpenWithNothingInIt(t *testing.T) {
	dir := t.TempDir()
	tabletest.Close(t, tabletest.Create(t, dir))
	db := tabletest.Open(t, dir)
	if layers := db.Layers(); len(layers) != 0 {
		t.Errorf("got layers %v in a new database", layers)
	}
	_, err := db.Manifest(format.Key{Width: 6, Beans: 4})
	tabletest.WantError(t, err, format.ErrNoLayer)
}

func TestOpenWhatWasKilledWhileItWasMade(t *testing.T) {
	for _, names := range [][]string{{"LOCK"}, {"LOCK", "MANIFEST-REWRITE"}, {"LOCK", "MANIFEST"}, {"LOCK", "MANIFEST", "KEYREGISTRY"}} {
		t.Run(names[len(names)-1], func(t *testing.T) {
			whole, dir := t.TempDir(), t.TempDir()
			tabletest.Close(t, tabletest.Create(t, whole))
			for _, name := range names {
				data, err := os.ReadFile(filepath.Join(whole, name))
				if err != nil && (name == "MANIFEST" || name == "KEYREGISTRY") {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, err := database.Open(dir, tablebase.Options{})
			tabletest.WantError(t, err, store.ErrNoDatabase)
			tabletest.Build(t, tabletest.Create(t, dir), tabletest.NewGame(t, game.Bohnenspiel, 6), 4, format.Even)
		})
	}
}

// TestOpenWhatWasKilledBetweenMakingAFileAndUsingIt has files in a database that a
// builder has left empty, beside the log that it has while it works.
func TestOpenWhatWasKilledBetweenMakingAFileAndUsingIt(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	whole := tabletest.Built(t, g, 6)
	for _, names := range [][]string{
		{"00001.mem"},
		{"00002.mem"},
		{"000009.vlog", "00001.mem"},
		{"000009.sst", "00001.mem"},
		{"DISCARD", "00001.mem"},
		{"MANIFEST-REWRITE", "00001.mem"},
	} {
		for _, reading := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/reading=%v", names[0], reading), func(t *testing.T) {
				dir := t.TempDir()
				tabletest.CopyFiles(t, whole, dir)
				for _, name := range names {
					if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if reading {
					db := tabletest.Open(t, dir)
					if got := len(db.Layers()); got != 4 {
						t.Errorf("got %d layers, want 4", got)
					}
					tabletest.WantSound(t, db)
					tabletest.Close(t, db)
				}
				db := tabletest.Create(t, dir)
				tabletest.Build(t, db, g, 8, format.Even)
				if got := len(db.Layers()); got != 5 {
					t.Errorf("got %d layers, want 5", got)
				}
			})
		}
	}
}

// TestOpenWhatWasKilledWhileTablesWereMerged has a table in a database that MANIFEST does
// not list, and no log of a builder: one was killed while it merged tables, and the next
// one before it had a log. It is an error only if the table holds something that others
// don't.
func TestOpenWhatWasKilledWhileTablesWereMerged(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	whole, other := tabletest.Built(t, g, 6), tabletest.Built(t, g, 8)
	const table = "000001.sst"
	known, foreign := []byte(tabletest.Listing(t, whole)[filepath.Join(whole, table)]), []byte(tabletest.Listing(t, other)[filepath.Join(other, table)])
	for name, c := range map[string]struct {
		unlisted []byte
		sound    bool
	}{
		"nothing":    {nil, true},
		"zeros":      {make([]byte, 2000), true},
		"half":       {append(bytes.Clone(known[:1000]), make([]byte, len(known)-1000)...), true},
		"merged":     {known, true},
		"more":       {foreign, false},
		"unreadable": {append(bytes.Clone(known), 1), false},
	} {
		for _, reading := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/reading=%v", name, reading), func(t *testing.T) {
				dir := t.TempDir()
				tabletest.CopyFiles(t, whole, dir)
				if err := os.WriteFile(filepath.Join(dir, "000009.sst"), c.unlisted, 0o600); err != nil {
					t.Fatal(err)
				}
				if !c.sound {
					_, err := database.Open(dir, tablebase.Options{})
					tabletest.WantError(t, err, format.ErrCorrupt)
					_, err = database.Create(dir, tablebase.Options{})
					tabletest.WantError(t, err, format.ErrCorrupt)
					return
				}
				if reading {
					db := tabletest.Open(t, dir)
					tabletest.WantSound(t, db)
					tabletest.Close(t, db)
				}
				db := tabletest.Create(t, dir)
				if got := len(db.Layers()); got != 4 {
					t.Errorf("got %d layers, want 4", got)
				}
				tabletest.Build(t, db, g, 8, format.Even)
				tabletest.WantSound(t, db)
			})
		}
	}
}

func TestLocks(t *testing.T) {
	dir := tabletest.Built(t, tabletest.NewGame(t, game.Bohnenspiel, 6), 4)
	builder := tabletest.Create(t, dir)
	_, err := database.Create(dir, tablebase.Options{})
	tabletest.WantError(t, err, store.ErrLocked)
	_, err = database.Open(dir, tablebase.Options{})
	tabletest.WantError(t, err, store.ErrLocked)
	if !strings.Contains(err.Error(), "builds in "+dir) {
		t.Errorf("got error %q, want one that names %s", err, dir)
	}
	tabletest.Close(t, builder)

	first, second := tabletest.Open(t, dir), tabletest.Open(t, dir)
	if diff := cmp.Diff(first.Layers(), second.Layers()); diff != "" {
		t.Errorf("two readers see different layers:\n%s", diff)
	}
	before := tabletest.Listing(t, dir)
	_, err = database.Create(dir, tablebase.Options{})
	tabletest.WantError(t, err, store.ErrInUse)
	if diff := cmp.Diff(before, tabletest.Listing(t, dir)); diff != "" {
		t.Errorf("a builder who is refused changes files (-before +after):\n%s", diff)
	}
	tabletest.Close(t, first)
	tabletest.Close(t, second)
	tabletest.Close(t, tabletest.Create(t, dir))
}

func TestReadingWritesNothing(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	dir := tabletest.Built(t, g, 6)
	before := tabletest.Listing(t, dir)
	db := tabletest.Open(t, dir)
	if _, err := db.Probe(g, game.Position{Mover: game.RowOf(1, 1), Opponent: game.RowOf(2)}); err != nil {
		t.Error(err)
	}
	_, err := build.Scores(context.Background(), db, build.Options{Game: g, Beans: 8})
	tabletest.WantError(t, err, store.ErrReadOnly)
	tabletest.WantSound(t, db)
	tabletest.Close(t, db)
	if diff := cmp.Diff(before, tabletest.Listing(t, dir)); diff != "" {
		t.Errorf("reading changes files (-before +after):\n%s", diff)
	}
}

func TestUseAfterClose(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	dir := tabletest.Built(t, g, 4)
	db := tabletest.Create(t, dir)
	p := game.Position{Mover: game.RowOf(1, 1), Opponent: game.RowOf(2)}
	if _, err := db.Probe(g, p); err != nil {
		t.Fatal(err)
	}
	tabletest.Close(t, db)
	tabletest.Close(t, db)
	_, err := db.Probe(g, p)
	tabletest.WantError(t, err, store.ErrClosed)
	_, err = db.Manifest(format.KeyOf(g, 4))
	tabletest.WantError(t, err, store.ErrClosed)
	_, err = build.Scores(context.Background(), db, build.Options{Game: g, Beans: 6})
	tabletest.WantError(t, err, store.ErrClosed)
	_, err = check.Run(context.Background(), db, check.Options{})
	tabletest.WantError(t, err, store.ErrClosed)
}

// TestCloseWhileProbing closes a database that others are reading.
func TestCloseWhileProbing(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	dir := tabletest.Built(t, g, 8)
	for range 20 {
		db, err := database.Open(dir, tablebase.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		started := make(chan struct{}, 2)
		for range 2 {
			group.Go(func() {
				started <- struct{}{}
				for beans := 0; ; beans = (beans + 2) % 8 {
					_, err := db.Probe(g, game.Position{Mover: game.RowOf(beans + 2)})
					if errors.Is(err, store.ErrClosed) {
						return
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		<-started
		<-started
		tabletest.Close(t, db)
		group.Wait()
	}
}

func TestLayersAreSorted(t *testing.T) {
	db := tabletest.Create(t, t.TempDir())
	tabletest.Build(t, db, tabletest.NewGame(t, game.Mangala, 2), 2, format.Both)
	tabletest.Build(t, db, tabletest.NewGame(t, game.Bohnenspiel, 6), 2, format.Even)
	tabletest.Build(t, db, tabletest.NewGame(t, game.Bohnenspiel, 2), 2, format.Odd)
	layers := db.Layers()
	got := make([]format.Key, len(layers))
	for i, m := range layers {
		got[i] = m.Key()
	}
	want := []format.Key{
		{Rules: game.Bohnenspiel, Width: 2, Beans: 1},
		{Rules: game.Bohnenspiel, Width: 6, Beans: 0},
		{Rules: game.Bohnenspiel, Width: 6, Beans: 2},
		{Rules: game.Mangala, Width: 2, Beans: 0},
		{Rules: game.Mangala, Width: 2, Beans: 1},
		{Rules: game.Mangala, Width: 2, Beans: 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("layers differ (-want +got):\n%s", diff)
	}
}
