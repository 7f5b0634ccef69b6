package check_test

import (
	"context"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/internal/tabletest"
)

// TestCheckBudget checks with less and less memory.
func TestCheckBudget(t *testing.T) {
	db := tabletest.Open(t, tabletest.Built(t, tabletest.NewGame(t, game.Bohnenspiel, 6), 8))
	const plenty = 1 << 30
	layers, heap, err := check.Budget(db, check.Options{}, plenty)
	if err != nil || layers == 0 || heap <= 0 || layers+uint64(heap) > plenty {
		t.Fatalf("of %d bytes got %d for layers and %d for the heap, error %v", plenty, layers, heap, err)
	}
	least := plenty - layers
	for _, c := range []struct {
		process uint64
		totals  bool // whether all layers fit
	}{{plenty, true}, {least, false}} {
		layers, _, err := check.Budget(db, check.Options{}, c.process)
		if err != nil {
			t.Fatal(err)
		}
		report, err := check.Run(context.Background(), db, check.Options{Memory: layers})
		if err != nil || !report.Sound() {
			t.Errorf("with %d bytes for layers: got %+v, error %v", layers, report, err)
		}
		if last := report.Layers[len(report.Layers)-1]; last.Totals != c.totals {
			t.Errorf("with %d bytes for layers: totals recomputed %t, want %t", layers, last.Totals, c.totals)
		}
	}
	_, _, err = check.Budget(db, check.Options{}, least-1)
	tabletest.WantError(t, err, held.ErrMemory)
}
