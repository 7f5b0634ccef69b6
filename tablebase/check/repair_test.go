package check_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/store"
)

// TestRepair deletes a bad layer and has it built again.
func TestRepair(t *testing.T) {
	g, dir := tabletest.Even(t, 8)
	key := format.KeyOf(g, 6)
	whole := tabletest.Open(t, dir).Layers()
	for name, change := range map[string]func(e tabletest.Editor){
		"a forged score": func(e tabletest.Editor) { forge(e, key) },
		"a bad block": func(e tabletest.Editor) {
			e.Set(tabletest.BlockOf(key, solver.Scores, 1).StoreKey(), []byte("no block"))
		},
		"a bad manifest": func(e tabletest.Editor) { e.Set(tabletest.ManifestKey(key), []byte("no manifest")) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := tabletest.Copy(t, dir)
			tabletest.Damage(t, dir, change)
			db := tabletest.Writer(t, dir)
			report := run(t, db, check.Options{Keys: []format.Key{key}})
			if report.Sound() {
				t.Fatalf("check gives %+v, want faults", report)
			}
			dropped, err := check.Repair(db, report)
			if diff := cmp.Diff([]format.Key{key}, dropped); diff != "" || err != nil {
				t.Fatalf("dropped layers differ (-want +got), error %v:\n%s", err, diff)
			}
			tabletest.Build(t, db, g, 8, format.Even)
			tabletest.WantSound(t, db)
			tabletest.WantLayers(t, db, whole)
		})
	}
	_, err := check.Repair(tabletest.Open(t, dir), check.Report{})
	tabletest.WantError(t, err, store.ErrReadOnly)
}

// TestRepairDepths drops a bad depth table and keeps the scores.
func TestRepairDepths(t *testing.T) {
	t.Parallel()
	g, db := tabletest.Tables(t, game.Bohnenspiel, 6, 6, format.Even)
	tabletest.BuildDepths(t, db, g, 6, format.Even)
	k := format.KeyOf(g, 6)
	tabletest.Edit(t, db).Drop(tabletest.BlockOf(k, solver.Depths, 2).StoreKey())
	if dropped, err := check.Repair(db, run(t, db, check.Options{})); !slices.Equal(dropped, []format.Key{k}) || err != nil {
		t.Fatalf("dropped %v, error %v", dropped, err)
	}
	if _, err := db.Manifest(k); err != nil {
		t.Errorf("the scores: %v", err)
	}
	if built := tabletest.BuildDepths(t, db, g, 6, format.Even); len(built) != 1 || built[0].Key() != k {
		t.Errorf("built %d tables again", len(built))
	}
	// Bad scores take the depths with them.
	tabletest.Edit(t, db).Drop(tabletest.BlockOf(k, solver.Scores, 2).StoreKey())
	if _, err := check.Repair(db, run(t, db, check.Options{})); err != nil {
		t.Fatal(err)
	}
	_, err := db.Manifest(k)
	tabletest.WantError(t, err, format.ErrNoLayer)
	_, err = db.DepthManifest(k)
	tabletest.WantError(t, err, format.ErrNoDepths)
	tabletest.Build(t, db, g, 6, format.Even)
	tabletest.BuildDepths(t, db, g, 6, format.Even)
}
