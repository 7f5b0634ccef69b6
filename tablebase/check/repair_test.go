package check_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/store"
)

// TestRepair deletes a bad layer and has it built again.
func TestRepair(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	dir := tabletest.Built(t, g, 8)
	whole := tabletest.Open(t, dir).Layers()
	for name, change := range map[string]func(db *tablebase.DB) error{
		"a forged score": func(db *tablebase.DB) error { return forge(db, format.KeyOf(g, 6)) },
		"a bad block": func(db *tablebase.DB) error {
			return tabletest.SetValue(db, tabletest.BlockKey(tabletest.BlockOf(format.KeyOf(g, 6), solver.Scores, 1)), []byte("no block"))
		},
		"a bad manifest": func(db *tablebase.DB) error {
			return tabletest.SetValue(db, tabletest.ManifestKey(format.KeyOf(g, 6)), []byte("no manifest"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tabletest.Built(t, g, 8)
			tabletest.Damage(t, dir, change)
			db, err := database.Create(dir, tablebase.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer tabletest.Close(t, db)
			report, err := check.Run(context.Background(), db, check.Options{Keys: []format.Key{format.KeyOf(g, 6)}})
			if err != nil || report.Sound() {
				t.Fatalf("check gives %+v, %v, want faults", report, err)
			}
			dropped, err := check.Repair(db, report)
			if diff := cmp.Diff([]format.Key{format.KeyOf(g, 6)}, dropped); diff != "" || err != nil {
				t.Fatalf("dropped layers differ (-want +got), error %v:\n%s", err, diff)
			}
			tabletest.Build(t, db, g, 8, format.Even)
			tabletest.WantSound(t, db)
			if diff := cmp.Diff(whole, db.Layers(), tabletest.Timeless()); diff != "" {
				t.Errorf("manifests differ (-before +after):\n%s", diff)
			}
		})
	}
	_, err := check.Repair(tabletest.Open(t, dir), check.Report{})
	tabletest.WantError(t, err, store.ErrReadOnly)
}
