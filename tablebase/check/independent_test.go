package check_test

import (
	"strings"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/check"
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
		_, db := tabletest.Tables(t, c.rules, c.width, c.beans, format.Both)
		report := run(t, db, check.Options{Level: check.Quick, Independent: 1 << 40})
		for _, layer := range report.Layers {
			m := tabletest.Manifest(t, db, layer.Key)
			if len(layer.Faults) > 0 || layer.Proved != m.Positions {
				t.Errorf("%v: %d of %d scores proved, faults %v", layer.Key, layer.Proved, m.Positions, layer.Faults)
			}
		}
	}
	g, dir := tabletest.Even(t, 6)
	key := format.KeyOf(g, 6)
	tabletest.Damage(t, dir, func(e tabletest.Editor) { forge(e, key) })
	faults := runIn(t, dir, check.Options{Level: check.Quick, Independent: 1 << 40, Keys: []format.Key{key}}).Layers[0].Faults
	if len(faults) == 0 || faults[0].Kind != check.FaultScore || !strings.Contains(faults[0].Err.Error(), "a search proves that the score is at most") {
		t.Errorf("got faults %v, want a refuted score", faults)
	}
}
