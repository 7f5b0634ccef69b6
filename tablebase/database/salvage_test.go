package database_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/fault"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/store"
)

// pieces builds layers to 8 beans, one a run, whose tables have files of their own then. It
// returns the layers, and the names and contents of all files.
func pieces(t *testing.T) (g game.Game, dir string, layers []format.Manifest, names []string, files map[string]string) {
	t.Helper()
	g, dir = tabletest.NewGame(t, game.Bohnenspiel, 6), t.TempDir()
	for beans := range 5 {
		db := tabletest.Create(t, dir)
		tabletest.Build(t, db, g, 2*beans, format.Even)
		layers = db.Layers()
		tabletest.Close(t, db)
	}
	files = tabletest.Listing(t, dir)
	return g, dir, layers, slices.Sorted(maps.Keys(files)), files
}

// TestSalvage damages, cuts, removes and adds files that list what a database holds.
// Where it can't be opened then, it can be salvaged, checked and repaired, and a build makes the
// same layers as before.
func TestSalvage(t *testing.T) {
	t.Parallel()
	g, dir, want, names, files := pieces(t)
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
			copied := tabletest.Copy(t, dir)
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
	copied := tabletest.Copy(t, dir)
	tabletest.WriteFile(t, filepath.Join(copied, "000999.sst"), stray)
	if !salvage(t, copied, g, want) {
		t.Error("a file too many: it was to be deleted")
	}
	if salvaged == 0 || lostAll > 0 {
		t.Errorf("%d were salvaged, %d not", salvaged, lostAll)
	}

	// Where nothing is wrong, nothing is given up.
	if lost, err := database.Salvage(dir); lost != 0 || err != nil {
		t.Errorf("a sound one: got %d files given up, %v", lost, err)
	}
	// What is no database stays as it is.
	other := t.TempDir()
	tabletest.WriteFile(t, filepath.Join(other, "000001.sst"), stray)
	before := tabletest.Listing(t, other)
	_, err := database.Salvage(other)
	tabletest.WantError(t, err, format.ErrNotDatabase)
	if diff := cmp.Diff(before, tabletest.Listing(t, other)); diff != "" {
		t.Errorf("files differ:\n%s", diff)
	}
	// Nor one that is in use.
	db := tabletest.Open(t, dir)
	_, err = database.Salvage(dir)
	tabletest.WantError(t, err, store.ErrInUse)
	tabletest.Close(t, db)
}

// TestFaultSalvage damages a database at random, in one to three places, and salvages what
// can't be opened then. No answer that it gives afterwards is wrong, and what a build makes
// again is what was there.
func TestFaultSalvage(t *testing.T) {
	t.Parallel()
	g, dir, layers, names, files := pieces(t)
	names = slices.DeleteFunc(names, func(name string) bool { return files[name] == "" })
	want := scoresOf(t, dir, g)
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 7))
	x := index.New(6, 8)
	salvaged, hopeless, usable, right, refused := 0, 0, 0, 0, 0
	for range faults(5, 20, 500) {
		copied := tabletest.Copy(t, dir)
		for range 1 + random.IntN(3) {
			name := names[random.IntN(len(names))]
			content := []byte(files[name])
			if random.IntN(4) == 0 {
				content = content[:random.IntN(len(content))]
			} else {
				content[random.IntN(min(len(content), 1<<12))] ^= 1 << random.IntN(8)
			}
			if err := os.WriteFile(filepath.Join(copied, filepath.Base(name)), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		db, err := database.Open(copied, tablebase.Options{})
		if err == nil {
			usable++
		} else if _, err = database.Salvage(copied); err == nil {
			if db, err = database.Open(copied, tablebase.Options{}); err == nil {
				salvaged++
			}
		}
		if err != nil {
			tabletest.WantBadData(t, "open", err)
			hopeless++
			continue
		}
		for range 200 {
			i := random.IntN(len(want))
			value, err := db.Probe(g, x.Unrank(8, uint64(i)))
			switch {
			case err != nil && !errors.Is(err, format.ErrNoLayer) && fault.ClassOf(err) != fault.BadData:
				t.Errorf("got %v", err)
			case err != nil:
				refused++
			case value.Score != want[i]:
				t.Fatalf("seed %d: got score %d at %d, want %d", seed, value.Score, i, want[i])
			default:
				right++
			}
		}
		tabletest.Close(t, db)
		if !salvage(t, copied, g, layers) {
			t.Errorf("seed %d: it could be opened, and now can't be", seed)
		}
	}
	t.Logf("seed %d: %d usable, %d salvaged, %d beyond that; %d right answers, %d refusals", seed, usable, salvaged, hopeless, right, refused)
}

// salvage has a database that may be damaged made usable again, repaired and built. It
// reports whether that could be done, and fails the test if layers differ then.
func salvage(t *testing.T, dir string, g game.Game, want []format.Manifest) bool {
	t.Helper()
	db, err := database.Open(dir, tablebase.Options{})
	switch {
	case err == nil:
		tabletest.Close(t, db)
	case !errors.Is(err, format.ErrCorrupt):
		t.Fatal(err)
	case !strings.Contains(err.Error(), "check --repair"):
		tabletest.WantError(t, err, format.ErrCorrupt)
		return false
	default:
		tabletest.WantError(t, err, format.ErrCorrupt)
		if _, err := database.Salvage(dir); err != nil {
			t.Fatal(err)
		}
	}
	db = tabletest.Writer(t, dir)
	defer tabletest.Close(t, db)
	report, err := check.Run(t.Context(), db, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := check.Repair(db, report); err != nil {
		t.Fatal(err)
	}
	tabletest.Build(t, db, g, 8, format.Even)
	tabletest.WantLayers(t, db, want, "Sweeps")
	tabletest.WantSound(t, db)
	return true
}
