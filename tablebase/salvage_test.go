package tablebase_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// TestSalvage damages, cuts, removes and adds files that list what a database holds.
// Where it can't be opened then, it can be salvaged, checked and repaired, and a build makes the
// same layers as before.
func TestSalvage(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 6)
	dir := t.TempDir()
	for beans := range 5 { // tables of each run have files of their own
		db := create(t, dir)
		build(t, db, g, 2*beans, tablebase.Even)
		closeDB(t, db)
	}
	db := open(t, dir)
	want := db.Layers()
	closeDB(t, db)
	files := listing(t, dir)
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	salvaged, lostAll, stray := 0, 0, []byte(nil)
	for _, name := range names {
		content := []byte(files[name])
		list := filepath.Base(name) == "MANIFEST"
		if !list && filepath.Ext(name) != ".sst" {
			continue
		}
		stray = content
		flipped := slices.Clone(content)
		flipped[len(content)/2] ^= 4
		damages := [][]byte{nil, flipped, content[:len(content)/2], content[:0]}
		if list {
			damages = nil
			for size := 8; size < len(content); size += 1 + len(content)/12 {
				damages = append(damages, content[:size])
			}
		}
		for _, damaged := range damages {
			copied := t.TempDir()
			if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(copied, filepath.Base(name))
			err := os.Remove(path)
			if err == nil && damaged != nil {
				err = os.WriteFile(path, damaged, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			if salvage(t, copied, g, want) {
				salvaged++
			} else {
				lostAll++
			}
		}
	}
	// A file that no list knows.
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(copied, "000999.sst"), stray, 0o600); err != nil {
		t.Fatal(err)
	}
	if !salvage(t, copied, g, want) {
		t.Error("a file too many: it was to be deleted")
	}
	if salvaged == 0 || lostAll > 0 {
		t.Errorf("%d were salvaged, %d not", salvaged, lostAll)
	}

	// Where nothing is wrong, nothing is given up.
	if lost, err := tablebase.Salvage(dir); lost != 0 || err != nil {
		t.Errorf("a sound one: got %d files given up, %v", lost, err)
	}
	// What is no database stays as it is.
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "000001.sst"), stray, 0o600); err != nil {
		t.Fatal(err)
	}
	before := listing(t, other)
	_, err := tablebase.Salvage(other)
	wantError(t, err, tablebase.ErrNotDatabase)
	if diff := cmp.Diff(before, listing(t, other)); diff != "" {
		t.Errorf("files differ:\n%s", diff)
	}
	// Nor one that is in use.
	db = open(t, dir)
	_, err = tablebase.Salvage(dir)
	wantError(t, err, tablebase.ErrInUse)
	closeDB(t, db)
}

// salvage has a database that may be damaged made usable again, repaired and built. It
// reports whether that could be done, and fails the test if layers differ then.
func salvage(t *testing.T, dir string, g game.Game, want []tablebase.Manifest) bool {
	t.Helper()
	db, err := tablebase.Open(dir, tablebase.Options{})
	switch {
	case err == nil:
		closeDB(t, db)
	case !errors.Is(err, tablebase.ErrCorrupt):
		t.Fatal(err)
	case !strings.Contains(err.Error(), "check --repair"):
		wantError(t, err, tablebase.ErrCorrupt)
		return false
	default:
		wantError(t, err, tablebase.ErrCorrupt)
		if _, err := tablebase.Salvage(dir); err != nil {
			t.Fatal(err)
		}
	}
	if db, err = tablebase.Create(dir, tablebase.Options{}); err != nil {
		t.Fatal(err)
	}
	defer closeDB(t, db)
	report, err := db.Check(t.Context(), tablebase.CheckOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Repair(report); err != nil {
		t.Fatal(err)
	}
	build(t, db, g, 8, tablebase.Even)
	if diff := cmp.Diff(want, db.Layers(), timeless(), cmpopts.IgnoreFields(tablebase.Manifest{}, "Sweeps")); diff != "" {
		t.Errorf("manifests differ (-want +got):\n%s", diff)
	}
	wantSound(t, db)
	return true
}
