package check_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// faultsOf checks one layer and returns the kinds of its faults.
func faultsOf(t *testing.T, db *tablebase.DB, k format.Key, o check.Options) []check.FaultKind {
	t.Helper()
	o.Keys = []format.Key{k}
	var kinds []check.FaultKind
	for _, fault := range run(t, db, o).Layers[0].Faults {
		tabletest.WantForm(t, fault.Err)
		if !slices.Contains(kinds, fault.Kind) {
			kinds = append(kinds, fault.Kind)
		}
	}
	return kinds
}

// TestDepthDamage damages a depth table in all sorts of ways: reading and checking say
// so, and the scores stay readable.
func TestDepthDamage(t *testing.T) {
	t.Parallel()
	const beans = 6
	g, db := tabletest.Tables(t, game.Bohnenspiel, 3, beans, format.Even)
	tabletest.BuildDepths(t, db, g, beans, format.Even)
	tabletest.Close(t, db)
	k := format.KeyOf(g, beans)
	p := game.Position{Mover: game.RowOf(1, 1, 1), Opponent: game.RowOf(1, 1, 1)}
	number, _ := format.NewBlocking(index.New(g.Width(), beans), beans).Locate(p)
	scores, depths := tabletest.BlockOf(k, solver.Scores, number).StoreKey(), tabletest.BlockOf(k, solver.Depths, number).StoreKey()
	type editor = tabletest.Editor
	// alter changes one DTC of the block and encodes it anew.
	alter := func(dtc game.DTC) func(e editor) {
		return func(e editor) {
			e.ChangeDepths(tabletest.BlockOf(k, solver.Depths, number), func(dtcs []game.DTC) { dtcs[0] = dtc })
		}
	}
	manifest := func(change func(m *format.DepthManifest)) func(e editor) {
		return func(e editor) { e.ChangeDepthManifest(k, change) }
	}
	const (
		block, totals, depth, noManifest = check.FaultBlock, check.FaultTotals, check.FaultDepth, check.FaultManifest
	)
	for name, c := range map[string]struct {
		change   func(e editor)
		want     []check.FaultKind
		readable bool
	}{
		"nothing": {func(editor) {}, nil, true},
		"a byte": {func(e editor) {
			e.Change(depths, func(value []byte) { value[len(value)-1] ^= 1 })
		}, []check.FaultKind{block}, false},
		"a block is missing": {func(e editor) { e.Drop(depths) }, []check.FaultKind{block}, false},
		"a block of scores":  {func(e editor) { e.Set(depths, e.Value(scores)) }, []check.FaultKind{block}, false},
		"a wrong DTC":        {alter(9), []check.FaultKind{totals, depth}, true},
		"wrongly endless":    {alter(game.Endless), []check.FaultKind{totals, depth}, true},
		"longest":            {manifest(func(m *format.DepthManifest) { m.LongestIndex++ }), []check.FaultKind{totals}, true},
		"hash":               {manifest(func(m *format.DepthManifest) { m.SHA256 = m.Scores }), []check.FaultKind{totals}, true},
		"seal":               {manifest(func(m *format.DepthManifest) { m.Seal = "0000000000000000" }), []check.FaultKind{totals}, true},
		"of other scores":    {manifest(func(m *format.DepthManifest) { m.Scores = m.SHA256 }), []check.FaultKind{noManifest}, false},
		"of another layer":   {manifest(func(m *format.DepthManifest) { m.Beans = 4 }), []check.FaultKind{noManifest}, false},
		"counts":             {manifest(func(m *format.DepthManifest) { m.Histogram[1]++ }), []check.FaultKind{noManifest}, false},
		"number of blocks":   {manifest(func(m *format.DepthManifest) { m.Blocks++ }), []check.FaultKind{noManifest}, false},
		"a cut manifest":     {func(e editor) { e.Set(tabletest.DepthManifestKey(k), []byte("BnsD")) }, []check.FaultKind{noManifest}, false},
		"scores' manifest": {func(e editor) {
			e.Set(tabletest.DepthManifestKey(k), e.Value(tabletest.ManifestKey(k)))
		}, []check.FaultKind{noManifest}, false},
		"not JSON":          {func(e editor) { e.Set(tabletest.DepthManifestKey(k), notJSON()) }, []check.FaultKind{noManifest}, false},
		"a hash that is no": {manifest(func(m *format.DepthManifest) { m.SHA256 = "xyz" }), []check.FaultKind{noManifest}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := tabletest.Copy(t, db.Dir())
			tabletest.Damage(t, dir, c.change)
			db := tabletest.Reader(t, dir)
			if diff := cmp.Diff(c.want, faultsOf(t, db, k, check.Options{})); diff != "" {
				t.Errorf("faults differ (-want +got):\n%s", diff)
			}
			dtc, ok, err := db.StoredDepth(g, p)
			if c.readable && (err != nil || !ok) {
				t.Errorf("got %v, there %t, error %v", dtc, ok, err)
			}
			if !c.readable {
				tabletest.WantError(t, err, format.ErrCorrupt)
			}
			if _, err := db.Probe(g, p); err != nil {
				t.Errorf("the score: %v", err)
			}
		})
	}
}

// notJSON returns a sealed manifest that holds no JSON.
func notJSON() []byte {
	value := append([]byte("BnsD\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), "no"...)
	tabletest.SealManifest(value)
	return value
}

// TestCheckDepthsWithLittleMemory compares DTCs block by block where neither they nor the
// scores fit in memory.
func TestCheckDepthsWithLittleMemory(t *testing.T) {
	t.Parallel()
	g, dir := tabletest.Even(t, 6)
	db := tabletest.Create(t, dir)
	tabletest.BuildDepths(t, db, g, 6, format.Even)
	k := format.KeyOf(g, 6)
	for _, memory := range []uint64{0, 1, 1000, 20000} {
		report := run(t, db, check.Options{Keys: []format.Key{k}, Memory: memory})
		layer := report.Layers[0]
		if !report.Sound() || layer.DepthsCompared != 12376 || layer.DepthBlocks == 0 {
			t.Errorf("memory %d: got %+v", memory, layer)
		}
	}

	tabletest.Close(t, db)
	tabletest.Damage(t, dir, func(e tabletest.Editor) {
		e.ChangeDepths(tabletest.BlockOf(k, solver.Depths, 3), func(dtcs []game.DTC) { dtcs[5] += 2 })
	})
	want := []check.FaultKind{check.FaultTotals, check.FaultDepth}
	if got := faultsOf(t, tabletest.Reader(t, dir), k, check.Options{Memory: 1}); !slices.Equal(got, want) {
		t.Errorf("a wrong DTC: got faults %v, want %v", got, want)
	}
}

// TestRecomputeDepths solves depth tables anew: of sound ones, of one with a DTC that is
// wrong, and of one whose manifest is.
func TestRecomputeDepths(t *testing.T) {
	t.Parallel()
	recompute := check.Options{Level: check.Recompute}
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		g, db := tabletest.Tables(t, rules, 4, 9, format.Both)
		tabletest.BuildDepths(t, db, g, 9, format.Both)
		report := run(t, db, recompute)
		if !report.Sound() {
			t.Fatalf("%v: got %+v", rules, report)
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
		change func(e tabletest.Editor)
		faults int
	}{
		// What is stored differs from the manifest.
		{func(e tabletest.Editor) {
			e.ChangeDepths(tabletest.BlockOf(key, solver.Depths, 2), func(dtcs []game.DTC) { dtcs[1] = 3 - dtcs[1] })
		}, 3},
		// The manifest differs from what is stored, and from what is found anew.
		{func(e tabletest.Editor) {
			e.ChangeDepthManifest(key, func(m *format.DepthManifest) { m.SHA256 = m.Scores })
		}, 2},
	} {
		dir := tabletest.Built(t, g, 6)
		tabletest.Damage(t, dir, func(e tabletest.Editor) {
			tabletest.BuildDepths(t, e.DB, g, 6, format.Even)
			c.change(e)
		})
		report := runIn(t, dir, recompute)
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
