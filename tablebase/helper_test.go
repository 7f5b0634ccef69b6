package tablebase_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// newGame returns a game.
func newGame(t testing.TB, rules game.Rules, width int) game.Game {
	t.Helper()
	g, err := game.New(rules, width)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// create opens a database for building. When the test ends it is checked and closed.
func create(t testing.TB, dir string) *tablebase.DB {
	t.Helper()
	db, err := tablebase.Create(dir, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkAtEnd(t, db)
	return db
}

// open opens a database for reading. When the test ends it is checked and closed.
func open(t testing.TB, dir string) *tablebase.DB {
	t.Helper()
	db, err := tablebase.Open(dir, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkAtEnd(t, db)
	return db
}

func checkAtEnd(t testing.TB, db *tablebase.DB) {
	t.Helper()
	t.Cleanup(func() {
		t.Helper()
		wantSound(t, db)
		closeDB(t, db)
	})
}

// wantSound fails the test unless a check finds nothing. A database that is closed
// passes.
func wantSound(t testing.TB, db *tablebase.DB) {
	t.Helper()
	report, err := db.Check(context.Background(), tablebase.CheckOptions{Sample: 1000})
	if err != nil && !errors.Is(err, tablebase.ErrClosed) {
		t.Errorf("check: %v", err)
	}
	for _, layer := range report.Layers {
		for _, fault := range layer.Faults {
			if !errors.Is(fault.Err, tablebase.ErrClosed) {
				t.Errorf("check of %v: %v: %v", layer.Key, fault.Kind, fault.Err)
			}
		}
	}
}

// closeDB closes a database.
func closeDB(t testing.TB, db *tablebase.DB) {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// build builds the layers of a parity up to beans and returns their manifests.
func build(t testing.TB, db *tablebase.DB, g game.Game, beans int, parity tablebase.Parity) []tablebase.Manifest {
	t.Helper()
	manifests, err := db.Build(context.Background(), tablebase.BuildOptions{Game: g, Beans: beans, Parity: parity})
	if err != nil {
		t.Fatal(err)
	}
	return manifests
}

// built makes a database of the even layers up to beans, and closes it. Whoever opens
// it afterwards may damage it.
func built(t testing.TB, g game.Game, beans int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	db := create(t, dir)
	build(t, db, g, beans, tablebase.Even)
	wantSound(t, db)
	closeDB(t, db)
	return dir
}

// damage opens a database for writing, lets change do what it likes, and closes it.
func damage(t testing.TB, dir string, change func(db *tablebase.DB) error) {
	t.Helper()
	db, err := tablebase.Create(dir, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := change(db); err != nil {
		t.Error(err)
	}
	closeDB(t, db)
}

// listing returns names, sizes and contents of all files below a directory, to tell
// whether anything was written there.
func listing(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return files
}

// wantError fails the test unless err wraps want and is one line of the house's form.
func wantError(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got error %v, want one that wraps %q", err, want)
		return
	}
	text := err.Error()
	if strings.ContainsAny(text, "\n\r") || strings.HasSuffix(text, ".") {
		t.Errorf("error %q is not one line without a full stop", text)
	}
	for _, word := range []string{"adger", "LSM", "vlog", "panic"} {
		if strings.Contains(text, word) {
			t.Errorf("error %q speaks of %q", text, word)
		}
	}
}
