package database_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/internal/tabletest"
)

// TestDamagedFiles changes, cuts and removes files of a database. Whatever happens,
// nothing panics, no probe gives a wrong value, and errors are of the right class.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	g, dir := tabletest.Even(t, 8)
	whole := tabletest.Listing(t, dir)
	want := scoresOf(t, dir, g)
	random := rand.New(rand.NewPCG(3, 4))
	tries := 60
	if testing.Short() {
		tries = 10
	}
	for path, content := range whole {
		name := filepath.Base(path)
		for range tries {
			// Most of a long file is empty.
			at := random.IntN(min(len(content), 40_000))
			damaged := []byte(content)
			damaged[at] ^= 1 << random.IntN(8)
			tryDamage(t, dir, path, damaged, name, g, want)
		}
		for part := range 10 {
			tryDamage(t, dir, path, []byte(content[:len(content)*part/10]), name+" cut", g, want)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		tryRead(t, dir, name+" removed", g, want)
		tabletest.WriteFile(t, path, []byte(content))
	}
	tabletest.WantSound(t, tabletest.Open(t, dir))
}

// scoresOf returns the score of every position of layer 8.
func scoresOf(t *testing.T, dir string, g game.Game) []game.Score {
	t.Helper()
	db := tabletest.Open(t, dir)
	x := index.New(g.Width(), 8)
	scores := make([]game.Score, x.Size(8))
	for i := range scores {
		scores[i] = tabletest.Probe(t, db, g, x.Unrank(8, uint64(i)))
	}
	tabletest.Close(t, db)
	return scores
}

// tryDamage reads a database with one file changed, and puts that right again.
func tryDamage(t *testing.T, dir, path string, content []byte, name string, g game.Game, want []game.Score) {
	t.Helper()
	before := tabletest.ReadFile(t, path)
	tabletest.WriteFile(t, path, content)
	tryRead(t, dir, name, g, want)
	tabletest.WriteFile(t, path, before)
}

// tryRead probes and checks a database that may be damaged.
func tryRead(t *testing.T, dir, name string, g game.Game, want []game.Score) {
	t.Helper()
	db, err := database.Open(dir, tablebase.Options{})
	if err != nil {
		tabletest.WantBadData(t, name, err)
		return
	}
	defer tabletest.Close(t, db)
	report, err := check.Run(context.Background(), db, check.Options{Sample: 100})
	if err != nil {
		t.Errorf("%s: check: %v", name, err)
	}
	x := index.New(g.Width(), 8)
	for i := 0; i < len(want); i += 5003 {
		value, err := db.Probe(g, x.Unrank(8, uint64(i)))
		switch {
		case err == nil && value.Score != want[i]:
			t.Errorf("%s: got score %d at %d, want %d", name, value.Score, i, want[i])
		case err != nil:
			tabletest.WantBadData(t, name, err)
			if report.Sound() {
				t.Errorf("%s: check finds nothing, but a probe fails: %v", name, err)
			}
			return
		}
	}
}
