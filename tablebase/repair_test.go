package tablebase_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// TestRepair deletes a bad layer and has it built again.
func TestRepair(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	dir := built(t, g, 8)
	whole := open(t, dir).Layers()
	for name, change := range map[string]func(db *tablebase.DB) error{
		"a forged score": func(db *tablebase.DB) error { return forge(db, tablebase.KeyOf(g, 6)) },
		"a bad block": func(db *tablebase.DB) error {
			return db.SetValue(tablebase.BlockKey(tablebase.BlockOf(tablebase.KeyOf(g, 6), solver.Scores, 1)), []byte("no block"))
		},
		"a bad manifest": func(db *tablebase.DB) error {
			return db.SetValue(tablebase.ManifestKey(tablebase.KeyOf(g, 6)), []byte("no manifest"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := built(t, g, 8)
			damage(t, dir, change)
			db, err := tablebase.Create(dir, tablebase.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer closeDB(t, db)
			report, err := db.Check(context.Background(), tablebase.CheckOptions{Keys: []tablebase.Key{tablebase.KeyOf(g, 6)}})
			if err != nil || report.Sound() {
				t.Fatalf("check gives %+v, %v, want faults", report, err)
			}
			dropped, err := db.Repair(report)
			if diff := cmp.Diff([]tablebase.Key{tablebase.KeyOf(g, 6)}, dropped); diff != "" || err != nil {
				t.Fatalf("dropped layers differ (-want +got), error %v:\n%s", err, diff)
			}
			build(t, db, g, 8, tablebase.Even)
			wantSound(t, db)
			if diff := cmp.Diff(whole, db.Layers(), timeless()); diff != "" {
				t.Errorf("manifests differ (-before +after):\n%s", diff)
			}
		})
	}
	_, err := open(t, dir).Repair(tablebase.CheckReport{})
	wantError(t, err, tablebase.ErrReadOnly)
}
