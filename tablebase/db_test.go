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

	"github.com/dgraph-io/badger/v4"
	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

func TestOpenRefuses(t *testing.T) {
	// Each case makes something at a path. Opening it for reading or for building
	// gives these errors, nil for none, and leaves it as it is.
	for name, c := range map[string]struct {
		arrange           func(path string) error
		reading, building error
		says              string
	}{
		"a missing directory": {
			arrange: func(string) error { return nil },
			reading: tablebase.ErrNoDatabase,
			says:    "build one first",
		},
		"an empty directory": {
			arrange: func(path string) error { return write(path, "") },
			reading: tablebase.ErrNoDatabase,
			says:    "build one first",
		},
		"a directory with other files": {
			arrange:  func(path string) error { return write(path, "text", "letter.txt") },
			reading:  tablebase.ErrNotDatabase,
			building: tablebase.ErrNotDatabase,
			says:     "letter.txt",
		},
		"a file": {
			arrange:  func(path string) error { return os.WriteFile(path, []byte("text"), 0o600) },
			reading:  tablebase.ErrNotDatabase,
			building: tablebase.ErrNotDatabase,
			says:     "is a file",
		},
		"a MANIFEST of another kind": {
			arrange:  func(path string) error { return write(path, "Manifest-Version: 1.0", "MANIFEST") },
			reading:  tablebase.ErrNotDatabase,
			building: tablebase.ErrNotDatabase,
			says:     "MANIFEST",
		},
		"a short MANIFEST": {
			arrange:  func(path string) error { return write(path, "Bdgr", "MANIFEST") },
			reading:  tablebase.ErrNotDatabase,
			building: tablebase.ErrNotDatabase,
			says:     "MANIFEST",
		},
		"a database of another program": {
			arrange:  otherBadger,
			reading:  tablebase.ErrNotDatabase,
			building: tablebase.ErrNotDatabase,
			says:     "another program",
		},
		"a database of another version": {
			arrange:  otherVersion,
			reading:  tablebase.ErrVersion,
			building: tablebase.ErrVersion,
			says:     "unknown format version 42: this program reads version 2",
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "db")
			if err := c.arrange(path); err != nil {
				t.Fatal(err)
			}
			before := listing(t, path)
			_, err := tablebase.Open(path, tablebase.Options{})
			wantError(t, err, c.reading)
			if !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("got error %q, want one with %q and %q", err, c.says, path)
			}
			if diff := cmp.Diff(before, listing(t, path)); diff != "" {
				t.Errorf("reading changes files (-before +after):\n%s", diff)
			}
			if c.building == nil {
				closeDB(t, create(t, path))
				return
			}
			_, err = tablebase.Create(path, tablebase.Options{})
			wantError(t, err, c.building)
			if diff := cmp.Diff(before, listing(t, path)); diff != "" {
				t.Errorf("building changes files (-before +after):\n%s", diff)
			}
		})
	}
}

// write makes a directory and files in it.
func write(dir, content string, names ...string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// otherBadger makes a Badger database that is none of ours.
func otherBadger(path string) error {
	db, err := badger.Open(badger.DefaultOptions(path).WithLogger(nil))
	if err != nil {
		return err
	}
	return db.Close()
}

// otherVersion makes a database of version 42.
func otherVersion(path string) error {
	db, err := tablebase.Create(path, tablebase.Options{})
	if err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(path, "MANIFEST"), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteAt([]byte{42}, 5)
	return firstError(err, file.Close())
}

func TestOpenWithNothingInIt(t *testing.T) {
	dir := t.TempDir()
	closeDB(t, create(t, dir))
	db := open(t, dir)
	if layers := db.Layers(); len(layers) != 0 {
		t.Errorf("got layers %v in a new database", layers)
	}
	_, err := db.Manifest(tablebase.Key{Width: 6, Beans: 4})
	wantError(t, err, tablebase.ErrNoLayer)
}

func TestOpenWhatWasKilledWhileItWasMade(t *testing.T) {
	for _, names := range [][]string{{"LOCK"}, {"LOCK", "MANIFEST-REWRITE"}, {"LOCK", "MANIFEST"}, {"LOCK", "MANIFEST", "KEYREGISTRY"}} {
		t.Run(names[len(names)-1], func(t *testing.T) {
			whole, dir := t.TempDir(), t.TempDir()
			closeDB(t, create(t, whole))
			for _, name := range names {
				data, err := os.ReadFile(filepath.Join(whole, name))
				if err != nil && (name == "MANIFEST" || name == "KEYREGISTRY") {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, err := tablebase.Open(dir, tablebase.Options{})
			wantError(t, err, tablebase.ErrNoDatabase)
			build(t, create(t, dir), newGame(t, game.Bohnenspiel, 6), 4, tablebase.Even)
		})
	}
}

// TestOpenWhatWasKilledBetweenMakingAFileAndUsingIt has files in a database that a
// builder has left empty, beside the log that it has while it works.
func TestOpenWhatWasKilledBetweenMakingAFileAndUsingIt(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	whole := built(t, g, 6)
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
				copyFiles(t, whole, dir)
				for _, name := range names {
					if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if reading {
					db := open(t, dir)
					if got := len(db.Layers()); got != 4 {
						t.Errorf("got %d layers, want 4", got)
					}
					wantSound(t, db)
					closeDB(t, db)
				}
				db := create(t, dir)
				build(t, db, g, 8, tablebase.Even)
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
	g := newGame(t, game.Bohnenspiel, 6)
	whole, other := built(t, g, 6), built(t, g, 8)
	const table = "000001.sst"
	known, foreign := []byte(listing(t, whole)[filepath.Join(whole, table)]), []byte(listing(t, other)[filepath.Join(other, table)])
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
				copyFiles(t, whole, dir)
				if err := os.WriteFile(filepath.Join(dir, "000009.sst"), c.unlisted, 0o600); err != nil {
					t.Fatal(err)
				}
				if !c.sound {
					_, err := tablebase.Open(dir, tablebase.Options{})
					wantError(t, err, tablebase.ErrCorrupt)
					_, err = tablebase.Create(dir, tablebase.Options{})
					wantError(t, err, tablebase.ErrCorrupt)
					return
				}
				if reading {
					db := open(t, dir)
					wantSound(t, db)
					closeDB(t, db)
				}
				db := create(t, dir)
				if got := len(db.Layers()); got != 4 {
					t.Errorf("got %d layers, want 4", got)
				}
				build(t, db, g, 8, tablebase.Even)
				wantSound(t, db)
			})
		}
	}
}

func TestLocks(t *testing.T) {
	dir := built(t, newGame(t, game.Bohnenspiel, 6), 4)
	builder := create(t, dir)
	_, err := tablebase.Create(dir, tablebase.Options{})
	wantError(t, err, tablebase.ErrLocked)
	_, err = tablebase.Open(dir, tablebase.Options{})
	wantError(t, err, tablebase.ErrLocked)
	if !strings.Contains(err.Error(), "builds in "+dir) {
		t.Errorf("got error %q, want one that names %s", err, dir)
	}
	closeDB(t, builder)

	first, second := open(t, dir), open(t, dir)
	if diff := cmp.Diff(first.Layers(), second.Layers()); diff != "" {
		t.Errorf("two readers see different layers:\n%s", diff)
	}
	before := listing(t, dir)
	_, err = tablebase.Create(dir, tablebase.Options{})
	wantError(t, err, tablebase.ErrInUse)
	if diff := cmp.Diff(before, listing(t, dir)); diff != "" {
		t.Errorf("a builder who is refused changes files (-before +after):\n%s", diff)
	}
	closeDB(t, first)
	closeDB(t, second)
	closeDB(t, create(t, dir))
}

func TestReadingWritesNothing(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	dir := built(t, g, 6)
	before := listing(t, dir)
	db := open(t, dir)
	if _, err := db.Probe(g, game.Position{Mover: game.RowOf(1, 1), Opponent: game.RowOf(2)}); err != nil {
		t.Error(err)
	}
	_, err := db.Build(context.Background(), tablebase.BuildOptions{Game: g, Beans: 8})
	wantError(t, err, tablebase.ErrReadOnly)
	wantSound(t, db)
	closeDB(t, db)
	if diff := cmp.Diff(before, listing(t, dir)); diff != "" {
		t.Errorf("reading changes files (-before +after):\n%s", diff)
	}
}

func TestUseAfterClose(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	dir := built(t, g, 4)
	db := create(t, dir)
	p := game.Position{Mover: game.RowOf(1, 1), Opponent: game.RowOf(2)}
	if _, err := db.Probe(g, p); err != nil {
		t.Fatal(err)
	}
	closeDB(t, db)
	closeDB(t, db)
	_, err := db.Probe(g, p)
	wantError(t, err, tablebase.ErrClosed)
	_, err = db.Manifest(tablebase.KeyOf(g, 4))
	wantError(t, err, tablebase.ErrClosed)
	_, err = db.Build(context.Background(), tablebase.BuildOptions{Game: g, Beans: 6})
	wantError(t, err, tablebase.ErrClosed)
	_, err = db.Check(context.Background(), tablebase.CheckOptions{})
	wantError(t, err, tablebase.ErrClosed)
}

// TestCloseWhileProbing closes a database that others are reading.
func TestCloseWhileProbing(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	dir := built(t, g, 8)
	for range 20 {
		db, err := tablebase.Open(dir, tablebase.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		started := make(chan struct{}, 2)
		for range 2 {
			group.Go(func() {
				started <- struct{}{}
				for beans := 0; ; beans = (beans + 2) % 10 {
					_, err := db.Probe(g, game.Position{Opponent: game.RowOf(beans)})
					if errors.Is(err, tablebase.ErrClosed) {
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
		closeDB(t, db)
		group.Wait()
	}
}

func TestLayersAreSorted(t *testing.T) {
	db := create(t, t.TempDir())
	build(t, db, newGame(t, game.Mangala, 2), 2, tablebase.Both)
	build(t, db, newGame(t, game.Bohnenspiel, 6), 2, tablebase.Even)
	build(t, db, newGame(t, game.Bohnenspiel, 2), 2, tablebase.Odd)
	layers := db.Layers()
	got := make([]tablebase.Key, len(layers))
	for i, m := range layers {
		got[i] = m.Key()
	}
	want := []tablebase.Key{
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
