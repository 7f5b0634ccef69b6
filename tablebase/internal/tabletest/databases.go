package tabletest

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

// Writer opens a database for building. When the test ends it is closed.
func Writer(tb testing.TB, dir string) *tablebase.DB {
	tb.Helper()
	return closedAtEnd(tb, dir, database.Create)
}

// Reader opens a database for reading. When the test ends it is closed.
func Reader(tb testing.TB, dir string) *tablebase.DB {
	tb.Helper()
	return closedAtEnd(tb, dir, database.Open)
}

func closedAtEnd(tb testing.TB, dir string, open func(string, tablebase.Options) (*tablebase.DB, error)) *tablebase.DB {
	tb.Helper()
	db, err := open(dir, tablebase.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { Close(tb, db) })
	return db
}

// Create is Writer for what must be sound: when the test ends it is checked as well.
func Create(tb testing.TB, dir string) *tablebase.DB {
	tb.Helper()
	db := Writer(tb, dir)
	tb.Cleanup(func() { WantSound(tb, db) })
	return db
}

// Open is Reader for what must be sound: when the test ends it is checked as well.
func Open(tb testing.TB, dir string) *tablebase.DB {
	tb.Helper()
	db := Reader(tb, dir)
	tb.Cleanup(func() { WantSound(tb, db) })
	return db
}

// Close closes a database. Closing twice is fine.
func Close(tb testing.TB, db *tablebase.DB) {
	tb.Helper()
	if err := db.Close(); err != nil {
		tb.Errorf("close: %v", err)
	}
}

// WantSound fails the test unless a check finds nothing. A database that is closed
// passes.
func WantSound(tb testing.TB, db *tablebase.DB) {
	tb.Helper()
	report, err := check.Run(context.Background(), db, check.Options{Sample: 1000})
	if err != nil && !errors.Is(err, store.ErrClosed) {
		tb.Errorf("check: %v", err)
	}
	for _, fault := range report.Bounds.Faults {
		tb.Errorf("check of kept bounds: %v", fault.Err)
	}
	for _, layer := range report.Layers {
		for _, fault := range layer.Faults {
			if !errors.Is(fault.Err, store.ErrClosed) {
				tb.Errorf("check of %v: %v: %v", layer.Key, fault.Kind, fault.Err)
			}
		}
	}
}

// Scores builds layers and returns their manifests.
func Scores(tb testing.TB, db *tablebase.DB, o build.Options) []format.Manifest {
	tb.Helper()
	manifests, err := build.Scores(context.Background(), db, o)
	if err != nil {
		tb.Fatal(err)
	}
	return manifests
}

// Build builds the layers of a parity up to beans and returns their manifests.
func Build(tb testing.TB, db *tablebase.DB, g game.Game, beans int, parity format.Parity) []format.Manifest {
	tb.Helper()
	return Scores(tb, db, build.Options{Game: g, Beans: beans, Parity: parity})
}

// BuildDepths builds the depth tables of the layers of a parity up to beans.
func BuildDepths(tb testing.TB, db *tablebase.DB, g game.Game, beans int, parity format.Parity) []format.DepthManifest {
	tb.Helper()
	manifests, err := build.Depths(context.Background(), db, build.Options{Game: g, Beans: beans, Parity: parity})
	if err != nil {
		tb.Fatal(err)
	}
	return manifests
}

// Tables builds the layers of a parity up to beans in a new database, which stays open for
// building.
func Tables(tb testing.TB, rules game.Rules, width, beans int, parity format.Parity) (game.Game, *tablebase.DB) {
	tb.Helper()
	g, db := NewGame(tb, rules, width), Create(tb, tb.TempDir())
	Build(tb, db, g, beans, parity)
	return g, db
}

// BothParities builds the even layers of a game on the traditional board up to so many
// beans, and the odd ones.
func BothParities(tb testing.TB, rules game.Rules, even, odd int) (game.Game, *tablebase.DB) {
	tb.Helper()
	g, db := Tables(tb, rules, game.StandardWidth, even, format.Even)
	Build(tb, db, g, odd, format.Odd)
	return g, db
}

// Built makes a database of the even layers up to beans, and closes it. Whoever opens
// it afterwards may damage it.
func Built(tb testing.TB, g game.Game, beans int) (dir string) {
	tb.Helper()
	dir = tb.TempDir()
	db := Create(tb, dir)
	Build(tb, db, g, beans, format.Even)
	WantSound(tb, db)
	Close(tb, db)
	return dir
}

// Even is Built for Bohnenspiel on the traditional board.
func Even(tb testing.TB, beans int) (g game.Game, dir string) {
	tb.Helper()
	g = NewGame(tb, game.Bohnenspiel, game.StandardWidth)
	return g, Built(tb, g, beans)
}

// OpenEven is Even, and opens the database for reading.
func OpenEven(tb testing.TB, beans int) (game.Game, *tablebase.DB) {
	tb.Helper()
	g, dir := Even(tb, beans)
	return g, Open(tb, dir)
}

// Manifest returns the manifest of a layer.
func Manifest(tb testing.TB, db *tablebase.DB, k format.Key) format.Manifest {
	tb.Helper()
	m, err := db.Manifest(k)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// WantLayers fails the test unless a database has layers with these manifests, but for
// fields that are named, and for when and how long they were built.
func WantLayers(tb testing.TB, db *tablebase.DB, want []format.Manifest, ignored ...string) {
	tb.Helper()
	ignored = append(ignored, "Built", "Seconds")
	if diff := cmp.Diff(want, db.Layers(), cmpopts.IgnoreFields(format.Manifest{}, ignored...)); diff != "" {
		tb.Errorf("manifests differ (-want +got):\n%s", diff)
	}
}
