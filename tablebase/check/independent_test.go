package check_test

import (
	"context"
	"strings"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// TestIndependent proves every score of small layers by search, and refutes a forged one.
func TestIndependent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules game.Rules
		width int
		beans int
	}{{game.Bohnenspiel, 6, 6}, {game.Mangala, 6, 4}, {game.Mangala, 3, 5}, {game.Bohnenspiel, 3, 9}} {
		g := tabletest.NewGame(t, c.rules, c.width)
		db := tabletest.Create(t, t.TempDir())
		tabletest.Build(t, db, g, c.beans, format.Both)
		report, err := check.Run(context.Background(), db, check.Options{Level: check.Quick, Independent: 1 << 40})
		if err != nil {
			t.Fatal(err)
		}
		for _, layer := range report.Layers {
			m, err := db.Manifest(layer.Key)
			if err != nil {
				t.Fatal(err)
			}
			if len(layer.Faults) > 0 || layer.Proved != m.Positions {
				t.Errorf("%v: %d of %d scores proved, faults %v", layer.Key, layer.Proved, m.Positions, layer.Faults)
			}
		}
	}
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	key := format.KeyOf(g, 6)
	dir := tabletest.Built(t, g, 6)
	tabletest.Damage(t, dir, func(db *tablebase.DB) error { return forge(db, key) })
	db, err := database.Open(dir, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tabletest.Close(t, db)
	report, err := check.Run(context.Background(), db, check.Options{Level: check.Quick, Independent: 1 << 40, Keys: []format.Key{key}})
	if err != nil {
		t.Fatal(err)
	}
	faults := report.Layers[0].Faults
	if len(faults) == 0 || faults[0].Kind != check.FaultScore || !strings.Contains(faults[0].Err.Error(), "a search proves that the score is at most") {
		t.Errorf("got faults %v, want a refuted score", faults)
	}
}
