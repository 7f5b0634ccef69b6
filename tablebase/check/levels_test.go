package check_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/internal/tabletest"
)

// TestCheckDepths checks a layer with a score that is wrong but faithfully stored, above
// sound ones, at every depth.
func TestCheckDepths(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	key := format.KeyOf(g, 6)
	sound := tabletest.Built(t, g, 6)
	wrong := tabletest.Built(t, g, 6)
	tabletest.Damage(t, wrong, func(db *tablebase.DB) error { return forge(db, key) })
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
				db, err := database.Open(dir, tablebase.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer tabletest.Close(t, db)
				report, err := check.Run(context.Background(), db, options)
				if err != nil {
					t.Fatal(err)
				}
				for _, layer := range report.Layers {
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

// TestRecomputeDepths solves depth tables anew: of sound ones, of one with a DTC that is
// wrong, and of one whose manifest is.
func TestRecomputeDepths(t *testing.T) {
	t.Parallel()
	recompute := check.Options{Level: check.Recompute}
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		g := tabletest.NewGame(t, rules, 4)
		db := tabletest.Create(t, t.TempDir())
		tabletest.Build(t, db, g, 9, format.Both)
		tabletest.BuildDepths(t, db, g, 9, format.Both)
		report, err := check.Run(t.Context(), db, recompute)
		if err != nil || !report.Sound() {
			t.Fatalf("%v: got %+v, %v", rules, report, err)
		}
		for _, layer := range report.Layers {
			if m, err := db.Manifest(layer.Key); err != nil || layer.DepthsCompared != m.Positions {
				t.Errorf("%v: %d DTCs compared of %d, %v", layer.Key, layer.DepthsCompared, m.Positions, err)
			}
		}
	}

	g := tabletest.NewGame(t, game.Bohnenspiel, 4)
	key := format.KeyOf(g, 6)
	for _, c := range []struct {
		change func(db *tablebase.DB, m *format.DepthManifest) error
		faults int
	}{
		// What is stored differs from the manifest.
		{func(db *tablebase.DB, _ *format.DepthManifest) error {
			id, value := tabletest.DepthBlockOf(t, db, key, 2)
			dtcs, err := tabletest.NewCodec().DecodeDepths(id, value)
			if err != nil {
				return err
			}
			dtcs[1] = 3 - dtcs[1]
			return tabletest.SetValue(db, tabletest.BlockKey(id), tabletest.NewCodec().EncodeDepths(id, dtcs))
		}, 3},
		// The manifest differs from what is stored, and from what is found anew.
		{func(_ *tablebase.DB, m *format.DepthManifest) error {
			m.SHA256 = m.Scores
			return nil
		}, 2},
	} {
		dir := tabletest.Built(t, g, 6)
		var report check.Report
		tabletest.Damage(t, dir, func(db *tablebase.DB) error {
			tabletest.BuildDepths(t, db, g, 6, format.Even)
			m, err := db.DepthManifest(key)
			if err != nil {
				return err
			}
			if err := c.change(db, &m); err != nil {
				return err
			}
			value, err := tabletest.EncodeDepthManifest(m)
			if err != nil {
				return err
			}
			return tabletest.SetValue(db, tabletest.DepthManifestKey(key), value)
		})
		db, err := database.Open(dir, tablebase.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if report, err = check.Run(t.Context(), db, recompute); err != nil {
			t.Fatal(err)
		}
		tabletest.Close(t, db)
		last := report.Layers[len(report.Layers)-1]
		for _, fault := range last.Faults {
			if fault.Kind != check.FaultTotals {
				t.Errorf("got %v: %v", fault.Kind, fault.Err)
			}
		}
		if len(last.Faults) != c.faults {
			t.Errorf("got %v, want %d faults", last.Faults, c.faults)
		}
	}
}

// TestRecomputeWithLittleMemory has no memory to solve a layer anew, or for those below it.
// That is said; it is no fault of the tables.
func TestRecomputeWithLittleMemory(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	db := tabletest.Open(t, tabletest.Built(t, g, 4))
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
func forge(db *tablebase.DB, key format.Key) error {
	m, err := db.Manifest(key)
	if err != nil {
		return err
	}
	id := tabletest.BlockOf(key, solver.Scores, 2)
	value, err := tabletest.Value(db, tabletest.BlockKey(id))
	if err != nil {
		return err
	}
	codec := tabletest.NewCodec()
	scores, err := codec.Decode(id, value)
	if err != nil {
		return err
	}
	for i := range scores {
		if int(scores[i])+4 <= key.Beans {
			scores[i] += 4
			break
		}
	}
	forged := codec.Encode(id, scores, nil)
	m.Bytes += uint64(len(forged)) - uint64(len(value))
	if err := tabletest.SetValue(db, tabletest.BlockKey(id), forged); err != nil {
		return err
	}
	if m.Seal, err = tabletest.Seal(db, m); err != nil {
		return err
	}
	text, err := tabletest.EncodeManifest(m)
	if err != nil {
		return err
	}
	return tabletest.SetValue(db, tabletest.ManifestKey(key), text)
}

// TestCheckPublished changes the hash in a manifest.
func TestCheckPublished(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	key := format.KeyOf(g, 4)
	dir := tabletest.Built(t, g, 4)
	tabletest.Damage(t, dir, func(db *tablebase.DB) error {
		m, err := db.Manifest(key)
		if err != nil {
			return err
		}
		m.SHA256 = strings.Repeat("ab", 32)
		text, err := tabletest.EncodeManifest(m)
		if err != nil {
			return err
		}
		return tabletest.SetValue(db, tabletest.ManifestKey(key), text)
	})
	db, err := database.Open(dir, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tabletest.Close(t, db)
	report, err := check.Run(context.Background(), db, check.Options{Level: check.Quick, Published: true})
	if err != nil {
		t.Fatal(err)
	}
	last := report.Layers[2]
	if len(last.Faults) != 1 || last.Faults[0].Kind != check.FaultPublished || last.Published || !report.Layers[1].Published {
		t.Errorf("got %+v, want one fault, of the published hash, in layer 4", report)
	}
}
