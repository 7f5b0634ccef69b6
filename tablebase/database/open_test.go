package database_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/store"
)

func TestOpenRefuses(t *testing.T) {
	// Each case makes something at a path. Opening it for reading or for building
	// gives these errors, nil for none, and leaves it as it is.
	for name, c := range map[string]struct {
		arrange           func(path string) error
		reading, building error
		says              string
	}{
		"a missing directory": {func(string) error { return nil }, store.ErrNoDatabase, nil, "build one first"},
		"an empty directory":  {func(path string) error { return write(path, "") }, store.ErrNoDatabase, nil, "build one first"},
		"a directory with other files": {
			func(path string) error { return write(path, "text", "letter.txt") }, format.ErrNotDatabase, format.ErrNotDatabase, "letter.txt",
		},
		"a file": {
			func(path string) error { return os.WriteFile(path, []byte("text"), 0o600) }, format.ErrNotDatabase, format.ErrNotDatabase, "is a file",
		},
		"a MANIFEST of another kind": {
			func(path string) error { return write(path, "Manifest-Version: 1.0", "MANIFEST") },
			format.ErrNotDatabase, format.ErrNotDatabase, "MANIFEST",
		},
		"a short MANIFEST": {
			func(path string) error { return write(path, "Bdgr", "MANIFEST") }, format.ErrNotDatabase, format.ErrNotDatabase, "MANIFEST",
		},
		"a database of another program": {otherBadger, format.ErrNotDatabase, format.ErrNotDatabase, "another program"},
		"a database of another version": {
			otherVersion, format.ErrVersion, format.ErrVersion, "unknown format version 42: this program reads version 2",
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "db")
			if err := c.arrange(path); err != nil {
				t.Fatal(err)
			}
			before := tabletest.Listing(t, path)
			_, err := database.Open(path, tablebase.Options{})
			tabletest.WantError(t, err, c.reading)
			if !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("got error %q, want one with %q and %q", err, c.says, path)
			}
			if diff := cmp.Diff(before, tabletest.Listing(t, path)); diff != "" {
				t.Errorf("reading changes files (-before +after):\n%s", diff)
			}
			if c.building == nil {
				tabletest.Close(t, tabletest.Create(t, path))
				return
			}
			_, err = database.Create(path, tablebase.Options{})
			tabletest.WantError(t, err, c.building)
			if diff := cmp.Diff(before, tabletest.Listing(t, path)); diff != "" {
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
	db, err := database.Create(path, tablebase.Options{})
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
	return errors.Join(err, file.Close())
}

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

func TestReadingWritesNothing(t *testing.T) {
	g, dir := tabletest.Even(t, 6)
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

// TestCheckpointIsNoDatabase wants a directory with a state alone to be left as it is.
func TestCheckpointIsNoDatabase(t *testing.T) {
	dir := t.TempDir()
	tabletest.WriteFile(t, tabletest.CheckpointPath(dir), []byte("BnsC"))
	_, err := database.Create(dir, tablebase.Options{})
	tabletest.WantError(t, err, format.ErrNotDatabase)
}
