package tablebase_test

import (
	"context"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// TestCheckBudget checks with less and less memory.
func TestCheckBudget(t *testing.T) {
	db := open(t, built(t, newGame(t, game.Bohnenspiel, 6), 8))
	const plenty = 1 << 30
	layers, heap, err := db.CheckBudget(tablebase.CheckOptions{}, plenty)
	if err != nil || layers == 0 || heap <= 0 || layers+uint64(heap) > plenty {
		t.Fatalf("of %d bytes got %d for layers and %d for the heap, error %v", plenty, layers, heap, err)
	}
	least := plenty - layers
	for _, c := range []struct {
		process uint64
		totals  bool // whether all layers fit
	}{{plenty, true}, {least, false}} {
		layers, _, err := db.CheckBudget(tablebase.CheckOptions{}, c.process)
		if err != nil {
			t.Fatal(err)
		}
		report, err := db.Check(context.Background(), tablebase.CheckOptions{Memory: layers})
		if err != nil || !report.Sound() {
			t.Errorf("with %d bytes for layers: got %+v, error %v", layers, report, err)
		}
		if last := report.Layers[len(report.Layers)-1]; last.Totals != c.totals {
			t.Errorf("with %d bytes for layers: totals recomputed %t, want %t", layers, last.Totals, c.totals)
		}
	}
	_, _, err = db.CheckBudget(tablebase.CheckOptions{}, least-1)
	wantError(t, err, tablebase.ErrMemory)
}
