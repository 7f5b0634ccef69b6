package database_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/store"
)

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
				tabletest.WriteFile(t, filepath.Join(dir, name), data)
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
				dir := tabletest.Copy(t, whole)
				for _, name := range names {
					tabletest.WriteFile(t, filepath.Join(dir, name), nil)
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
				dir := tabletest.Copy(t, whole)
				tabletest.WriteFile(t, filepath.Join(dir, "000009.sst"), c.unlisted)
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
