package tablebase_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// TestCheckDepths checks a layer with a score that is wrong but faithfully stored, above
// sound ones, at every depth.
func TestCheckDepths(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	key := tablebase.KeyOf(g, 6)
	sound := built(t, g, 6)
	wrong := built(t, g, 6)
	damage(t, wrong, func(db *tablebase.DB) error { return forge(db, key) })
	for _, c := range []struct {
		depth tablebase.CheckDepth
		name  string
		kinds []tablebase.FaultKind // in the forged layer
	}{
		// The forger has made the seal right, but not hash and totals.
		{tablebase.CheckQuick, "quick", nil},
		{tablebase.CheckTotals, "totals", []tablebase.FaultKind{tablebase.FaultTotals}},
		{tablebase.CheckWhole, "whole", []tablebase.FaultKind{tablebase.FaultTotals, tablebase.FaultScore}},
		{tablebase.CheckRecompute, "recompute", []tablebase.FaultKind{tablebase.FaultTotals}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := tablebase.ParseCheckDepth(c.name); err != nil || got != c.depth || got.String() != c.name {
				t.Errorf("parse %q: got %v, %v", c.name, got, err)
			}
			options := tablebase.CheckOptions{Depth: c.depth, Published: true}
			for _, dir := range []string{sound, wrong} {
				db, err := tablebase.Open(dir, tablebase.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer closeDB(t, db)
				report, err := db.Check(context.Background(), options)
				if err != nil {
					t.Fatal(err)
				}
				for _, layer := range report.Layers {
					kinds := map[tablebase.FaultKind]bool{}
					for _, fault := range layer.Faults {
						kinds[fault.Kind] = true
					}
					want := map[tablebase.FaultKind]bool{}
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
	_, err := tablebase.ParseCheckDepth("deep")
	wantError(t, err, tablebase.ErrDepth)
}

// TestRecomputeDepths solves depth tables anew: of sound ones, of one with a DTC that is
// wrong, and of one whose manifest is.
func TestRecomputeDepths(t *testing.T) {
	t.Parallel()
	recompute := tablebase.CheckOptions{Depth: tablebase.CheckRecompute}
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		g := newGame(t, rules, 4)
		db := create(t, t.TempDir())
		build(t, db, g, 9, tablebase.Both)
		buildDepths(t, db, g, 9, tablebase.Both)
		report, err := db.Check(t.Context(), recompute)
		if err != nil || !report.Sound() {
			t.Fatalf("%v: got %+v, %v", rules, report, err)
		}
		for _, layer := range report.Layers {
			if m, err := db.Manifest(layer.Key); err != nil || layer.DepthsCompared != m.Positions {
				t.Errorf("%v: %d DTCs compared of %d, %v", layer.Key, layer.DepthsCompared, m.Positions, err)
			}
		}
	}

	g := newGame(t, game.Bohnenspiel, 4)
	key := tablebase.KeyOf(g, 6)
	for _, c := range []struct {
		change func(db *tablebase.DB, m *tablebase.DepthManifest) error
		faults int
	}{
		// What is stored differs from the manifest.
		{func(db *tablebase.DB, _ *tablebase.DepthManifest) error {
			id, value := depthBlockOf(t, db, key, 2)
			dtcs, err := tablebase.NewCodec().DecodeDepths(id, value)
			if err != nil {
				return err
			}
			dtcs[1] = 3 - dtcs[1]
			return db.SetValue(tablebase.BlockKey(id), tablebase.NewCodec().EncodeDepths(id, dtcs))
		}, 3},
		// The manifest differs from what is stored, and from what is found anew.
		{func(_ *tablebase.DB, m *tablebase.DepthManifest) error {
			m.SHA256 = m.Scores
			return nil
		}, 2},
	} {
		dir := built(t, g, 6)
		var report tablebase.CheckReport
		damage(t, dir, func(db *tablebase.DB) error {
			buildDepths(t, db, g, 6, tablebase.Even)
			m, err := db.DepthManifest(key)
			if err != nil {
				return err
			}
			if err := c.change(db, &m); err != nil {
				return err
			}
			value, err := tablebase.EncodeDepthManifest(m)
			if err != nil {
				return err
			}
			return db.SetValue(tablebase.DepthManifestKey(key), value)
		})
		db, err := tablebase.Open(dir, tablebase.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if report, err = db.Check(t.Context(), recompute); err != nil {
			t.Fatal(err)
		}
		closeDB(t, db)
		last := report.Layers[len(report.Layers)-1]
		for _, fault := range last.Faults {
			if fault.Kind != tablebase.FaultTotals {
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
	g := newGame(t, game.Bohnenspiel, 6)
	db := open(t, built(t, g, 4))
	for _, c := range []struct {
		memory uint64
		want   string
	}{{5 << 20, "to solve it anew takes"}, {1, "layer 2 of bohnenspiel 2×6 fits neither"}} {
		report, err := db.Check(t.Context(), tablebase.CheckOptions{
			Depth: tablebase.CheckRecompute, Keys: []tablebase.Key{tablebase.KeyOf(g, 4)}, Memory: c.memory,
		})
		wantError(t, err, tablebase.ErrMemory)
		if !report.Sound() || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v and faults %v, want %q and none", err, report, c.want)
		}
	}
}

// forge makes a block of a layer hold a score that is 4 too high, and seal and block
// checksum fit.
func forge(db *tablebase.DB, key tablebase.Key) error {
	m, err := db.Manifest(key)
	if err != nil {
		return err
	}
	id := tablebase.BlockOf(key, solver.Scores, 2)
	value, err := db.Value(tablebase.BlockKey(id))
	if err != nil {
		return err
	}
	codec := tablebase.NewCodec()
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
	if err := db.SetValue(tablebase.BlockKey(id), forged); err != nil {
		return err
	}
	if m.Seal, err = db.Seal(m); err != nil {
		return err
	}
	text, err := tablebase.EncodeManifest(m)
	if err != nil {
		return err
	}
	return db.SetValue(tablebase.ManifestKey(key), text)
}

// TestCheckPublished changes the hash in a manifest.
func TestCheckPublished(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	key := tablebase.KeyOf(g, 4)
	dir := built(t, g, 4)
	damage(t, dir, func(db *tablebase.DB) error {
		m, err := db.Manifest(key)
		if err != nil {
			return err
		}
		m.SHA256 = strings.Repeat("ab", 32)
		text, err := tablebase.EncodeManifest(m)
		if err != nil {
			return err
		}
		return db.SetValue(tablebase.ManifestKey(key), text)
	})
	db, err := tablebase.Open(dir, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeDB(t, db)
	report, err := db.Check(context.Background(), tablebase.CheckOptions{Depth: tablebase.CheckQuick, Published: true})
	if err != nil {
		t.Fatal(err)
	}
	last := report.Layers[2]
	if len(last.Faults) != 1 || last.Faults[0].Kind != tablebase.FaultPublished || last.Published || !report.Layers[1].Published {
		t.Errorf("got %+v, want one fault, of the published hash, in layer 4", report)
	}
}
