package format_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/fault"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// depthID returns the name of a block of depths.
func depthID(positions, columns int) format.BlockID {
	return tabletest.NewBlockID(format.Key{Width: 6, Beans: 12}, solver.Depths, 3, positions, columns)
}

// depthSamples are DTCs of blocks of all sorts.
func depthSamples() map[string][]game.DTC {
	random := rand.New(rand.NewPCG(3, 4))
	draw := func(count int, dtc func() game.DTC) []game.DTC {
		dtcs := make([]game.DTC, count)
		for i := range dtcs {
			dtcs[i] = dtc()
		}
		return dtcs
	}
	return map[string][]game.DTC{
		"one":            {7},
		"endless":        draw(100, func() game.DTC { return game.Endless }),
		"low":            draw(4096, func() game.DTC { return game.DTC(random.IntN(20)) }),
		"some endless":   draw(format.BlockPositions, func() game.DTC { return game.DTC(random.IntN(int(solver.MaxDTC)+2)) - 1 }),
		"high and close": draw(2000, func() game.DTC { return solver.MaxDTC - game.DTC(random.IntN(20)) }),
	}
}

func TestDepthBlocks(t *testing.T) {
	t.Parallel()
	codec := tabletest.NewCodec()
	seen := make(map[int]bool)
	for name, want := range depthSamples() {
		id := depthID(len(want), min(len(want), 64))
		before := slices.Clone(want)
		value := codec.EncodeDepths(id, want)
		seen[format.CodecOf(value)] = true
		got, err := codec.DecodeDepths(id, value)
		if err != nil || !slices.Equal(got, want) || !slices.Equal(want, before) {
			t.Errorf("%s: what is read differs from what was written, error %v", name, err)
		}
		if again := codec.EncodeDepths(id, want); !slices.Equal(again, value) {
			t.Errorf("%s: encoding again gives other bytes", name)
		}
		if len(value) > 2*len(want)+64 {
			t.Errorf("%s: %d DTCs take %d bytes", name, len(want), len(value))
		}
	}
	if !seen[format.CodecConstant] || !seen[format.CodecPredicted] {
		t.Errorf("not all codecs were used: %v", seen)
	}
	id := depthID(1, 1)
	_, err := codec.DecodeDepths(id, codec.EncodeDepths(id, []game.DTC{solver.MaxDTC + 1}))
	tabletest.WantError(t, err, format.ErrCorrupt)
}

// FuzzDepthBlock decodes bytes with a right checksum: they are refused, or are DTCs that
// can be encoded.
func FuzzDepthBlock(f *testing.F) {
	codec := tabletest.NewCodec()
	const positions, columns = 100, 10
	id := depthID(positions, columns)
	for _, dtcs := range depthSamples() {
		if len(dtcs) >= positions {
			f.Add(codec.EncodeDepths(id, dtcs[:positions]))
		}
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		const header = 32
		if len(value) >= header {
			format.Impersonate(value, id)
			tabletest.SealBlock(value)
		}
		got, err := codec.DecodeDepths(id, value)
		if err != nil {
			if !errors.Is(err, format.ErrCorrupt) && !errors.Is(err, format.ErrVersion) {
				t.Errorf("got error %v", err)
			}
			return
		}
		again, err := codec.DecodeDepths(id, codec.EncodeDepths(id, got))
		if diff := cmp.Diff(got, again); diff != "" || err != nil {
			t.Errorf("error %v, DTCs differ:\n%s", err, diff)
		}
	})
}

// FuzzDepthManifest decodes values with a right checksum: they are refused, or are of the
// layer that was asked for, and written as they are read.
func FuzzDepthManifest(f *testing.F) {
	g := tabletest.NewGame(f, game.Bohnenspiel, 3)
	db := tabletest.Create(f, f.TempDir())
	tabletest.Build(f, db, g, 4, format.Even)
	k := tabletest.BuildDepths(f, db, g, 4, format.Even)[2].Key()
	value, err := tabletest.Value(db, tabletest.DepthManifestKey(k))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(value)
	f.Add(value[:format.ManifestHeaderSize])
	f.Add([]byte("BnsD"))
	f.Fuzz(func(t *testing.T, value []byte) {
		if len(value) >= format.ManifestHeaderSize {
			tabletest.SealManifest(value)
		}
		m, err := tabletest.DecodeDepthManifest(k, value)
		if err != nil {
			if class := fault.ClassOf(err); class != fault.BadData {
				t.Errorf("got %v of class %v, want bad data", err, class)
			}
			return
		}
		again, err := tabletest.EncodeDepthManifest(m)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tabletest.DecodeDepthManifest(k, again); err != nil || cmp.Diff(m, got) != "" || m.Key() != k {
			t.Errorf("got %+v, written and read it is %+v, %v", m, got, err)
		}
	})
}

// faultsOf checks one layer and returns the kinds of its faults.
func faultsOf(t *testing.T, db *tablebase.DB, k format.Key, o check.Options) []check.FaultKind {
	t.Helper()
	o.Keys = []format.Key{k}
	report, err := check.Run(t.Context(), db, o)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []check.FaultKind
	for _, fault := range report.Layers[0].Faults {
		tabletest.WantOneLine(t, fault.Err)
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
	g := tabletest.NewGame(t, game.Bohnenspiel, 3)
	const beans = 6
	k := format.KeyOf(g, beans)
	p := game.Position{Mover: game.RowOf(1, 1, 1), Opponent: game.RowOf(1, 1, 1)}
	number, _ := format.NewBlocking(index.New(g.Width(), beans), beans).Locate(p)
	codec := tabletest.NewCodec()
	whole := func(db *tablebase.DB) (format.BlockID, []byte) { return tabletest.DepthBlockOf(t, db, k, number) }
	// alter changes one DTC of the block and encodes it anew.
	alter := func(db *tablebase.DB, dtc game.DTC) error {
		id, value := whole(db)
		dtcs, err := codec.DecodeDepths(id, value)
		if err != nil {
			return err
		}
		dtcs[0] = dtc
		return tabletest.SetValue(db, tabletest.BlockKey(id), codec.EncodeDepths(id, dtcs))
	}
	manifest := func(change func(m *format.DepthManifest)) func(db *tablebase.DB) error {
		return func(db *tablebase.DB) error {
			m, err := db.DepthManifest(k)
			if err != nil {
				return err
			}
			change(&m)
			value, err := tabletest.EncodeDepthManifest(m)
			if err != nil {
				return err
			}
			return tabletest.SetValue(db, tabletest.DepthManifestKey(k), value)
		}
	}
	const (
		block, totals, depth, noManifest = check.FaultBlock, check.FaultTotals, check.FaultDepth, check.FaultManifest
	)
	for name, c := range map[string]struct {
		change   func(db *tablebase.DB) error
		want     []check.FaultKind
		readable bool
	}{
		"nothing": {func(*tablebase.DB) error { return nil }, nil, true},
		"a byte": {func(db *tablebase.DB) error {
			id, value := whole(db)
			value[len(value)-1] ^= 1
			return tabletest.SetValue(db, tabletest.BlockKey(id), value)
		}, []check.FaultKind{block}, false},
		"a block is missing": {func(db *tablebase.DB) error {
			id, _ := whole(db)
			return tabletest.DropKeys(db, tabletest.BlockKey(id))
		}, []check.FaultKind{block}, false},
		"a block of scores": {func(db *tablebase.DB) error {
			value, err := tabletest.Value(db, tabletest.BlockKey(tabletest.BlockOf(k, solver.Scores, number)))
			if err != nil {
				return err
			}
			return tabletest.SetValue(db, tabletest.BlockKey(tabletest.BlockOf(k, solver.Depths, number)), value)
		}, []check.FaultKind{block}, false},
		"a wrong DTC":      {func(db *tablebase.DB) error { return alter(db, 9) }, []check.FaultKind{totals, depth}, true},
		"wrongly endless":  {func(db *tablebase.DB) error { return alter(db, game.Endless) }, []check.FaultKind{totals, depth}, true},
		"longest":          {manifest(func(m *format.DepthManifest) { m.LongestIndex++ }), []check.FaultKind{totals}, true},
		"hash":             {manifest(func(m *format.DepthManifest) { m.SHA256 = m.Scores }), []check.FaultKind{totals}, true},
		"seal":             {manifest(func(m *format.DepthManifest) { m.Seal = "0000000000000000" }), []check.FaultKind{totals}, true},
		"of other scores":  {manifest(func(m *format.DepthManifest) { m.Scores = m.SHA256 }), []check.FaultKind{noManifest}, false},
		"of another layer": {manifest(func(m *format.DepthManifest) { m.Beans = 4 }), []check.FaultKind{noManifest}, false},
		"counts":           {manifest(func(m *format.DepthManifest) { m.Histogram[1]++ }), []check.FaultKind{noManifest}, false},
		"number of blocks": {manifest(func(m *format.DepthManifest) { m.Blocks++ }), []check.FaultKind{noManifest}, false},
		"a cut manifest": {func(db *tablebase.DB) error {
			return tabletest.SetValue(db, tabletest.DepthManifestKey(k), []byte("BnsD"))
		}, []check.FaultKind{noManifest}, false},
		"scores' manifest": {func(db *tablebase.DB) error {
			return copyValue(db, tabletest.ManifestKey(k), tabletest.DepthManifestKey(k))
		}, []check.FaultKind{noManifest}, false},
		"not JSON":          {func(db *tablebase.DB) error { return tabletest.SetValue(db, tabletest.DepthManifestKey(k), notJSON()) }, []check.FaultKind{noManifest}, false},
		"a hash that is no": {manifest(func(m *format.DepthManifest) { m.SHA256 = "xyz" }), []check.FaultKind{noManifest}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			tabletest.Damage(t, dir, func(db *tablebase.DB) error {
				tabletest.Build(t, db, g, beans, format.Even)
				tabletest.BuildDepths(t, db, g, beans, format.Even)
				return c.change(db)
			})
			db, err := database.Open(dir, tablebase.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer tabletest.Close(t, db)
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

// copyValue copies the value of a key.
func copyValue(db *tablebase.DB, from, to []byte) error {
	value, err := tabletest.Value(db, from)
	if err != nil {
		return err
	}
	return tabletest.SetValue(db, to, value)
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
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	db := tabletest.Create(t, tabletest.Built(t, g, 6))
	tabletest.BuildDepths(t, db, g, 6, format.Even)
	k := format.KeyOf(g, 6)
	for _, memory := range []uint64{0, 1, 1000, 20000} {
		report, err := check.Run(t.Context(), db, check.Options{Keys: []format.Key{k}, Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		layer := report.Layers[0]
		if !report.Sound() || layer.DepthsCompared != 12376 || layer.DepthBlocks == 0 {
			t.Errorf("memory %d: got %+v", memory, layer)
		}
	}

	dir := t.TempDir()
	tabletest.Damage(t, dir, func(db *tablebase.DB) error {
		tabletest.Build(t, db, g, 6, format.Even)
		tabletest.BuildDepths(t, db, g, 6, format.Even)
		id, value := tabletest.DepthBlockOf(t, db, k, 3)
		dtcs, err := tabletest.NewCodec().DecodeDepths(id, value)
		if err != nil {
			return err
		}
		dtcs[5] += 2
		return tabletest.SetValue(db, tabletest.BlockKey(id), tabletest.NewCodec().EncodeDepths(id, dtcs))
	})
	bad, err := database.Open(dir, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tabletest.Close(t, bad)
	want := []check.FaultKind{check.FaultTotals, check.FaultDepth}
	if got := faultsOf(t, bad, k, check.Options{Memory: 1}); !slices.Equal(got, want) {
		t.Errorf("a wrong DTC: got faults %v, want %v", got, want)
	}
}

// TestRepairDepths drops a bad depth table and keeps the scores.
func TestRepairDepths(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	db := tabletest.Create(t, tabletest.Built(t, g, 6))
	tabletest.BuildDepths(t, db, g, 6, format.Even)
	k := format.KeyOf(g, 6)
	if err := tabletest.DropKeys(db, tabletest.BlockKey(tabletest.BlockOf(k, solver.Depths, 2))); err != nil {
		t.Fatal(err)
	}
	report, err := check.Run(t.Context(), db, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if dropped, err := check.Repair(db, report); !slices.Equal(dropped, []format.Key{k}) || err != nil {
		t.Fatalf("dropped %v, error %v", dropped, err)
	}
	if _, err := db.Manifest(k); err != nil {
		t.Errorf("the scores: %v", err)
	}
	if built := tabletest.BuildDepths(t, db, g, 6, format.Even); len(built) != 1 || built[0].Key() != k {
		t.Errorf("built %d tables again", len(built))
	}
	// Bad scores take the depths with them.
	if err := tabletest.DropKeys(db, tabletest.BlockKey(tabletest.BlockOf(k, solver.Scores, 2))); err != nil {
		t.Fatal(err)
	}
	if report, err = check.Run(t.Context(), db, check.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := check.Repair(db, report); err != nil {
		t.Fatal(err)
	}
	_, err = db.Manifest(k)
	tabletest.WantError(t, err, format.ErrNoLayer)
	_, err = db.DepthManifest(k)
	tabletest.WantError(t, err, format.ErrNoDepths)
	tabletest.Build(t, db, g, 6, format.Even)
	tabletest.BuildDepths(t, db, g, 6, format.Even)
}

func TestEveryByteOfADepthTableIsGuarded(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Mangala, 3)
	db := tabletest.Create(t, t.TempDir())
	tabletest.Build(t, db, g, 3, format.Odd)
	tabletest.BuildDepths(t, db, g, 3, format.Odd)
	k := format.KeyOf(g, 3)
	codec := tabletest.NewCodec()
	id, block := tabletest.DepthBlockOf(t, db, k, 1)
	for at := range block {
		block[at] ^= 1 << (at % 8)
		_, err := codec.DecodeDepths(id, block)
		tabletest.WantError(t, err, format.ErrCorrupt)
		block[at] ^= 1 << (at % 8)
		_, err = codec.DecodeDepths(id, block[:at])
		tabletest.WantError(t, err, format.ErrCorrupt)
	}
	manifest, err := tabletest.Value(db, tabletest.DepthManifestKey(k))
	if err != nil {
		t.Fatal(err)
	}
	for at := range manifest {
		manifest[at] ^= 1 << (at % 8)
		_, err := tabletest.DecodeDepthManifest(k, manifest)
		tabletest.WantError(t, err, format.ErrCorrupt)
		manifest[at] ^= 1 << (at % 8)
		_, err = tabletest.DecodeDepthManifest(k, manifest[:at])
		tabletest.WantError(t, err, format.ErrCorrupt)
	}
}
