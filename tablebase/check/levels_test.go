package check_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/internal/tabletest"
)

// TestCheckDepths checks a layer with a score that is wrong but faithfully stored, above
// sound ones, at every depth.
func TestCheckDepths(t *testing.T) {
	g, sound := tabletest.Even(t, 6)
	key := format.KeyOf(g, 6)
	wrong := tabletest.Built(t, g, 6)
	tabletest.Damage(t, wrong, func(e tabletest.Editor) { forge(e, key) })
	for _, c := range []struct {
		depth check.Level
		name  string
		kinds []check.FaultKind // in the forged layer
	}{
		// The forger has made the seal right, but not hash and totals.
		{check.Quick, "quick", nil},
		{check.Totals, "totals", []check.FaultKind{check.FaultTotals}},
		{check.Whole, "whole", []check.FaultKind{check.FaultTotals, check.FaultScore}},
		{check.Recompute, "recompute", []check.FaultKind{check.FaultTotals}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := check.ParseLevel(c.name); err != nil || got != c.depth || got.String() != c.name {
				t.Errorf("parse %q: got %v, %v", c.name, got, err)
			}
			options := check.Options{Level: c.depth, Published: true}
			for _, dir := range []string{sound, wrong} {
				for _, layer := range runIn(t, dir, options).Layers {
					kinds := map[check.FaultKind]bool{}
					for _, fault := range layer.Faults {
						kinds[fault.Kind] = true
					}
					want := map[check.FaultKind]bool{}
					if dir == wrong && layer.Key == key {
						for _, kind := range c.kinds {
							want[kind] = true
						}
					}
					if diff := cmp.Diff(want, kinds); diff != "" {
						t.Errorf("%v: faults differ (-want +got):\n%s", layer.Key, diff)
					}
					if !layer.Published {
						t.Errorf("%v: its manifest does not have the published hash", layer.Key)
					}
				}
			}
		})
	}
	_, err := check.ParseLevel("deep")
	tabletest.WantError(t, err, check.ErrLevel)
}

// TestRecomputeWithLittleMemory has no memory to solve a layer anew, or for those below it.
// That is said; it is no fault of the tables.
func TestRecomputeWithLittleMemory(t *testing.T) {
	t.Parallel()
	g, db := tabletest.OpenEven(t, 4)
	for _, c := range []struct {
		memory uint64
		want   string
	}{{5 << 20, "to solve it anew takes"}, {1, "layer 2 of bohnenspiel 2×6 fits neither"}} {
		report, err := check.Run(t.Context(), db, check.Options{
			Level: check.Recompute, Keys: []format.Key{format.KeyOf(g, 4)}, Memory: c.memory,
		})
		tabletest.WantError(t, err, held.ErrMemory)
		if !report.Sound() || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v and faults %v, want %q and none", err, report, c.want)
		}
	}
}

// forge makes a block of a layer hold a score that is 4 too high, and seal and block
// checksum fit.
func forge(e tabletest.Editor, key format.Key) {
	id := tabletest.BlockOf(key, solver.Scores, 2)
	before := len(e.Value(id.StoreKey()))
	e.ChangeScores(id, func(scores []game.Score) {
		i := slices.IndexFunc(scores, func(score game.Score) bool { return int(score)+4 <= key.Beans })
		scores[i] += 4
	})
	e.ChangeManifest(key, func(m *format.Manifest) {
		m.Bytes += uint64(len(e.Value(id.StoreKey())) - before)
		tally := format.NewTally()
		for number := range int(m.Blocks) { // of scores alone
			tally.Add(format.StampOf(e.Value(tabletest.BlockOf(key, solver.Scores, number).StoreKey())))
		}
		m.Seal = tally.Stored().Seal
	})
}

// TestCheckPublished changes the hash in a manifest.
func TestCheckPublished(t *testing.T) {
	g, dir := tabletest.Even(t, 4)
	key := format.KeyOf(g, 4)
	tabletest.Damage(t, dir, func(e tabletest.Editor) {
		e.ChangeManifest(key, func(m *format.Manifest) { m.SHA256 = strings.Repeat("ab", 32) })
	})
	report := runIn(t, dir, check.Options{Level: check.Quick, Published: true})
	last := report.Layers[2]
	if len(last.Faults) != 1 || last.Faults[0].Kind != check.FaultPublished || last.Published || !report.Layers[1].Published {
		t.Errorf("got %+v, want one fault, of the published hash, in layer 4", report)
	}
}
