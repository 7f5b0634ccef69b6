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
func newGame(tb testing.TB, rules game.Rules, width int) game.Game {
	tb.Helper()
	g, err := game.New(rules, width)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// create opens a database for building. When the test ends it is checked and closed.
func create(tb testing.TB, dir string) *tablebase.DB {
	tb.Helper()
	db, err := tablebase.Create(dir, tablebase.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	checkAtEnd(tb, db)
	return db
}

// open opens a database for reading. When the test ends it is checked and closed.
func open(tb testing.TB, dir string) *tablebase.DB {
	tb.Helper()
	db, err := tablebase.Open(dir, tablebase.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	checkAtEnd(tb, db)
	return db
}

func checkAtEnd(tb testing.TB, db *tablebase.DB) {
	tb.Helper()
	tb.Cleanup(func() {
		tb.Helper()
		wantSound(tb, db)
		closeDB(tb, db)
	})
}

// wantSound fails the test unless a check finds nothing. A database that is closed
// passes.
func wantSound(tb testing.TB, db *tablebase.DB) {
	tb.Helper()
	report, err := db.Check(context.Background(), tablebase.CheckOptions{Sample: 1000})
	if err != nil && !errors.Is(err, tablebase.ErrClosed) {
		tb.Errorf("check: %v", err)
	}
	for _, fault := range report.Bounds.Faults {
		tb.Errorf("check of kept bounds: %v", fault.Err)
	}
	for _, layer := range report.Layers {
		for _, fault := range layer.Faults {
			if !errors.Is(fault.Err, tablebase.ErrClosed) {
				tb.Errorf("check of %v: %v: %v", layer.Key, fault.Kind, fault.Err)
			}
		}
	}
}

// closeDB closes a database.
func closeDB(tb testing.TB, db *tablebase.DB) {
	tb.Helper()
	if err := db.Close(); err != nil {
		tb.Errorf("close: %v", err)
	}
}

// build builds the layers of a parity up to beans and returns their manifests.
func build(tb testing.TB, db *tablebase.DB, g game.Game, beans int, parity tablebase.Parity) []tablebase.Manifest {
	tb.Helper()
	manifests, err := db.Build(context.Background(), tablebase.BuildOptions{Game: g, Beans: beans, Parity: parity})
	if err != nil {
		tb.Fatal(err)
	}
	return manifests
}

// bothParities opens a new database of the even layers of a game up to so many beans, and of
// the odd ones.
func bothParities(tb testing.TB, rules game.Rules, even, odd int) (game.Game, *tablebase.DB) {
	tb.Helper()
	g := newGame(tb, rules, 6)
	db := create(tb, tb.TempDir())
	build(tb, db, g, even, tablebase.Even)
	build(tb, db, g, odd, tablebase.Odd)
	return g, db
}

// built makes a database of the even layers up to beans, and closes it. Whoever opens
// it afterwards may damage it.
func built(tb testing.TB, g game.Game, beans int) (dir string) {
	tb.Helper()
	dir = tb.TempDir()
	db := create(tb, dir)
	build(tb, db, g, beans, tablebase.Even)
	wantSound(tb, db)
	closeDB(tb, db)
	return dir
}

// damage opens a database for writing, lets change do what it likes, and closes it.
func damage(tb testing.TB, dir string, change func(db *tablebase.DB) error) {
	tb.Helper()
	db, err := tablebase.Create(dir, tablebase.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	if err := change(db); err != nil {
		tb.Error(err)
	}
	closeDB(tb, db)
}

// listing returns names, sizes and contents of all files below a directory, to tell
// whether anything was written there.
func listing(tb testing.TB, dir string) map[string]string {
	tb.Helper()
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
		tb.Fatal(err)
	}
	return files
}

// wantError fails the test unless err wraps want and is one line of the house's form.
func wantError(tb testing.TB, err, want error) {
	tb.Helper()
	if !errors.Is(err, want) {
		tb.Errorf("got error %v, want one that wraps %q", err, want)
		return
	}
	text := err.Error()
	if strings.ContainsAny(text, "\n\r") || strings.HasSuffix(text, ".") {
		tb.Errorf("error %q is not one line without a full stop", text)
	}
	for _, word := range []string{"adger", "LSM", "vlog", "panic"} {
		if strings.Contains(text, word) {
			tb.Errorf("error %q speaks of %q", text, word)
		}
	}
}

// keepBounds stores what a search has proved in its database.
func keepBounds(s *tablebase.Searcher) error {
	db, err := tablebase.Create(s.Dir(), tablebase.Options{})
	if err != nil {
		return err
	}
	return errors.Join(s.KeepBounds(db), db.Close())
}
