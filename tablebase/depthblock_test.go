package tablebase_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"bohnenspiel/tablebase/fault"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
)

// depthID returns the name of a block of depths.
func depthID(positions, columns int) tablebase.BlockID {
	return tablebase.NewBlockID(tablebase.Key{Width: 6, Beans: 12}, solver.Depths, 3, positions, columns)
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
		"some endless":   draw(4096, func() game.DTC { return game.DTC(random.IntN(255)) - 1 }),
		"up to 254":      draw(tablebase.BlockPositions, func() game.DTC { return game.DTC(random.IntN(255)) }),
		"high and close": draw(2000, func() game.DTC { return 60000 + game.DTC(random.IntN(200)) }),
		"wide":           draw(tablebase.BlockPositions, func() game.DTC { return game.DTC(random.IntN(1 << 16)) }),
		"wide, alike":    append(draw(5000, func() game.DTC { return 1 }), 300, game.Endless, 65534),
	}
}

func TestDepthBlocks(t *testing.T) {
	t.Parallel()
	codec := tablebase.NewCodec()
	seen := make(map[int]bool)
	for name, want := range depthSamples() {
		id := depthID(len(want), min(len(want), 64))
		before := slices.Clone(want)
		value := codec.EncodeDepths(id, want)
		seen[tablebase.CodecOf(value)] = true
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
	if !seen[tablebase.CodecConstant] || !seen[tablebase.CodecPredicted] || !seen[tablebase.CodecSplit] {
		t.Errorf("not all codecs were used: %v", seen)
	}
}

// FuzzDepthBlock decodes bytes with a right checksum: they are refused, or are DTCs that
// can be encoded.
func FuzzDepthBlock(f *testing.F) {
	codec := tablebase.NewCodec()
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
			tablebase.Impersonate(value, id)
			tablebase.SealBlock(value)
		}
		got, err := codec.DecodeDepths(id, value)
		if err != nil {
			if !errors.Is(err, tablebase.ErrCorrupt) && !errors.Is(err, tablebase.ErrVersion) {
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
	g := newGame(f, game.Bohnenspiel, 3)
	db := create(f, f.TempDir())
	build(f, db, g, 4, tablebase.Even)
	k := buildDepths(f, db, g, 4, tablebase.Even)[2].Key()
	value, err := db.Value(tablebase.DepthManifestKey(k))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(value)
	f.Add(value[:tablebase.ManifestHeaderSize])
	f.Add([]byte("BnsD"))
	f.Fuzz(func(t *testing.T, value []byte) {
		if len(value) >= tablebase.ManifestHeaderSize {
			tablebase.SealManifest(value)
		}
		m, err := tablebase.DecodeDepthManifest(k, value)
		if err != nil {
			if class := fault.ClassOf(err); class != fault.BadData {
				t.Errorf("got %v of class %v, want bad data", err, class)
			}
			return
		}
		again, err := tablebase.EncodeDepthManifest(m)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tablebase.DecodeDepthManifest(k, again); err != nil || cmp.Diff(m, got) != "" || m.Key() != k {
			t.Errorf("got %+v, written and read it is %+v, %v", m, got, err)
		}
	})
}

// depthBlockOf returns the key and the value of a block of depths.
func depthBlockOf(t *testing.T, db *tablebase.DB, k tablebase.Key, number int) (id tablebase.BlockID, value []byte) {
	t.Helper()
	id = tablebase.BlockOf(k, solver.Depths, number)
	value, err := db.Value(tablebase.BlockKey(id))
	if err != nil {
		t.Fatal(err)
	}
	return id, value
}

// faultsOf checks one layer and returns the kinds of its faults.
func faultsOf(t *testing.T, db *tablebase.DB, k tablebase.Key, o tablebase.CheckOptions) []tablebase.FaultKind {
	t.Helper()
	o.Keys = []tablebase.Key{k}
	report, err := db.Check(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []tablebase.FaultKind
	for _, fault := range report.Layers[0].Faults {
		wantOneLine(t, fault.Err)
		if !slices.Contains(kinds, fault.Kind) {
			kinds = append(kinds, fault.Kind)
		}
	}
	return kinds
}

func wantOneLine(t *testing.T, err error) {
	t.Helper()
	for _, r := range err.Error() {
		if r == '\n' {
			t.Errorf("error %q is not one line", err)
		}
	}
}

// TestDepthDamage damages a depth table in all sorts of ways: reading and checking say
// so, and the scores stay readable.
func TestDepthDamage(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 3)
	const beans = 6
	k := tablebase.KeyOf(g, beans)
	p := game.Position{Mover: game.RowOf(1, 1, 1), Opponent: game.RowOf(1, 1, 1)}
	number, _ := tablebase.NewTiling(index.New(g.Width(), beans), beans).Locate(p)
	codec := tablebase.NewCodec()
	whole := func(db *tablebase.DB) (tablebase.BlockID, []byte) { return depthBlockOf(t, db, k, number) }
	// alter changes one DTC of the block and encodes it anew.
	alter := func(db *tablebase.DB, dtc game.DTC) error {
		id, value := whole(db)
		dtcs, err := codec.DecodeDepths(id, value)
		if err != nil {
			return err
		}
		dtcs[0] = dtc
		return db.SetValue(tablebase.BlockKey(id), codec.EncodeDepths(id, dtcs))
	}
	manifest := func(change func(m *tablebase.DepthManifest)) func(db *tablebase.DB) error {
		return func(db *tablebase.DB) error {
			m, err := db.DepthManifest(k)
			if err != nil {
				return err
			}
			change(&m)
			value, err := tablebase.EncodeDepthManifest(m)
			if err != nil {
				return err
			}
			return db.SetValue(tablebase.DepthManifestKey(k), value)
		}
	}
	const (
		block, totals, depth, noManifest = tablebase.FaultBlock, tablebase.FaultTotals, tablebase.FaultDepth, tablebase.FaultManifest
	)
	for name, c := range map[string]struct {
		change   func(db *tablebase.DB) error
		want     []tablebase.FaultKind
		readable bool
	}{
		"nothing": {func(*tablebase.DB) error { return nil }, nil, true},
		"a byte": {func(db *tablebase.DB) error {
			id, value := whole(db)
			value[len(value)-1] ^= 1
			return db.SetValue(tablebase.BlockKey(id), value)
		}, []tablebase.FaultKind{block}, false},
		"a block is missing": {func(db *tablebase.DB) error {
			id, _ := whole(db)
			return db.DropKeys(tablebase.BlockKey(id))
		}, []tablebase.FaultKind{block}, false},
		"a block of scores": {func(db *tablebase.DB) error {
			value, err := db.Value(tablebase.BlockKey(tablebase.BlockOf(k, solver.Scores, number)))
			if err != nil {
				return err
			}
			return db.SetValue(tablebase.BlockKey(tablebase.BlockOf(k, solver.Depths, number)), value)
		}, []tablebase.FaultKind{block}, false},
		"a wrong DTC":      {func(db *tablebase.DB) error { return alter(db, 9) }, []tablebase.FaultKind{totals, depth}, true},
		"wrongly endless":  {func(db *tablebase.DB) error { return alter(db, game.Endless) }, []tablebase.FaultKind{totals, depth}, true},
		"a DTC of 999":     {func(db *tablebase.DB) error { return alter(db, 999) }, []tablebase.FaultKind{block}, true},
		"longest":          {manifest(func(m *tablebase.DepthManifest) { m.LongestIndex++ }), []tablebase.FaultKind{totals}, true},
		"hash":             {manifest(func(m *tablebase.DepthManifest) { m.SHA256 = m.Scores }), []tablebase.FaultKind{totals}, true},
		"seal":             {manifest(func(m *tablebase.DepthManifest) { m.Seal = "0000000000000000" }), []tablebase.FaultKind{totals}, true},
		"of other scores":  {manifest(func(m *tablebase.DepthManifest) { m.Scores = m.SHA256 }), []tablebase.FaultKind{noManifest}, false},
		"of another layer": {manifest(func(m *tablebase.DepthManifest) { m.Beans = 4 }), []tablebase.FaultKind{noManifest}, false},
		"counts":           {manifest(func(m *tablebase.DepthManifest) { m.Histogram[1]++ }), []tablebase.FaultKind{noManifest}, false},
		"number of blocks": {manifest(func(m *tablebase.DepthManifest) { m.Blocks++ }), []tablebase.FaultKind{noManifest}, false},
		"a cut manifest":   {func(db *tablebase.DB) error { return db.SetValue(tablebase.DepthManifestKey(k), []byte("BnsD")) }, []tablebase.FaultKind{noManifest}, false},
		"scores' manifest": {func(db *tablebase.DB) error {
			return copyValue(db, tablebase.ManifestKey(k), tablebase.DepthManifestKey(k))
		}, []tablebase.FaultKind{noManifest}, false},
		"not JSON":          {func(db *tablebase.DB) error { return db.SetValue(tablebase.DepthManifestKey(k), notJSON()) }, []tablebase.FaultKind{noManifest}, false},
		"a hash that is no": {manifest(func(m *tablebase.DepthManifest) { m.SHA256 = "xyz" }), []tablebase.FaultKind{noManifest}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			damage(t, dir, func(db *tablebase.DB) error {
				build(t, db, g, beans, tablebase.Even)
				buildDepths(t, db, g, beans, tablebase.Even)
				return c.change(db)
			})
			db, err := tablebase.Open(dir, tablebase.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer closeDB(t, db)
			if diff := cmp.Diff(c.want, faultsOf(t, db, k, tablebase.CheckOptions{})); diff != "" {
				t.Errorf("faults differ (-want +got):\n%s", diff)
			}
			dtc, ok, err := db.StoredDepth(g, p)
			if c.readable && (err != nil || !ok) {
				t.Errorf("got %v, there %t, error %v", dtc, ok, err)
			}
			if !c.readable {
				wantError(t, err, tablebase.ErrCorrupt)
			}
			if _, err := db.Probe(g, p); err != nil {
				t.Errorf("the score: %v", err)
			}
		})
	}
}

// copyValue copies the value of a key.
func copyValue(db *tablebase.DB, from, to []byte) error {
	value, err := db.Value(from)
	if err != nil {
		return err
	}
	return db.SetValue(to, value)
}

// notJSON returns a sealed manifest that holds no JSON.
func notJSON() []byte {
	value := append([]byte("BnsD\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), "no"...)
	tablebase.SealManifest(value)
	return value
}

// TestCheckDepthsWithLittleMemory compares DTCs block by block where neither they nor the
// scores fit in memory.
func TestCheckDepthsWithLittleMemory(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 6)
	db := create(t, built(t, g, 6))
	buildDepths(t, db, g, 6, tablebase.Even)
	k := tablebase.KeyOf(g, 6)
	for _, memory := range []uint64{0, 1, 1000, 20000} {
		report, err := db.Check(t.Context(), tablebase.CheckOptions{Keys: []tablebase.Key{k}, Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		layer := report.Layers[0]
		if !report.Sound() || layer.DepthsCompared != 12376 || layer.DepthBlocks == 0 {
			t.Errorf("memory %d: got %+v", memory, layer)
		}
	}

	dir := t.TempDir()
	damage(t, dir, func(db *tablebase.DB) error {
		build(t, db, g, 6, tablebase.Even)
		buildDepths(t, db, g, 6, tablebase.Even)
		id, value := depthBlockOf(t, db, k, 3)
		dtcs, err := tablebase.NewCodec().DecodeDepths(id, value)
		if err != nil {
			return err
		}
		dtcs[5] += 2
		return db.SetValue(tablebase.BlockKey(id), tablebase.NewCodec().EncodeDepths(id, dtcs))
	})
	bad, err := tablebase.Open(dir, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeDB(t, bad)
	want := []tablebase.FaultKind{tablebase.FaultTotals, tablebase.FaultDepth}
	if got := faultsOf(t, bad, k, tablebase.CheckOptions{Memory: 1}); !slices.Equal(got, want) {
		t.Errorf("a wrong DTC: got faults %v, want %v", got, want)
	}
}

// TestRepairDepths drops a bad depth table and keeps the scores.
func TestRepairDepths(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 6)
	db := create(t, built(t, g, 6))
	buildDepths(t, db, g, 6, tablebase.Even)
	k := tablebase.KeyOf(g, 6)
	if err := db.DropKeys(tablebase.BlockKey(tablebase.BlockOf(k, solver.Depths, 2))); err != nil {
		t.Fatal(err)
	}
	report, err := db.Check(t.Context(), tablebase.CheckOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if dropped, err := db.Repair(report); !slices.Equal(dropped, []tablebase.Key{k}) || err != nil {
		t.Fatalf("dropped %v, error %v", dropped, err)
	}
	if _, err := db.Manifest(k); err != nil {
		t.Errorf("the scores: %v", err)
	}
	if built := buildDepths(t, db, g, 6, tablebase.Even); len(built) != 1 || built[0].Key() != k {
		t.Errorf("built %d tables again", len(built))
	}
	// Bad scores take the depths with them.
	if err := db.DropKeys(tablebase.BlockKey(tablebase.BlockOf(k, solver.Scores, 2))); err != nil {
		t.Fatal(err)
	}
	if report, err = db.Check(t.Context(), tablebase.CheckOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Repair(report); err != nil {
		t.Fatal(err)
	}
	_, err = db.Manifest(k)
	wantError(t, err, tablebase.ErrNoLayer)
	_, err = db.DepthManifest(k)
	wantError(t, err, tablebase.ErrNoDepths)
	build(t, db, g, 6, tablebase.Even)
	buildDepths(t, db, g, 6, tablebase.Even)
}

func TestEveryByteOfADepthTableIsGuarded(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Mangala, 3)
	db := create(t, t.TempDir())
	build(t, db, g, 3, tablebase.Odd)
	buildDepths(t, db, g, 3, tablebase.Odd)
	k := tablebase.KeyOf(g, 3)
	codec := tablebase.NewCodec()
	id, block := depthBlockOf(t, db, k, 1)
	for at := range block {
		block[at] ^= 1 << (at % 8)
		_, err := codec.DecodeDepths(id, block)
		wantError(t, err, tablebase.ErrCorrupt)
		block[at] ^= 1 << (at % 8)
		_, err = codec.DecodeDepths(id, block[:at])
		wantError(t, err, tablebase.ErrCorrupt)
	}
	manifest, err := db.Value(tablebase.DepthManifestKey(k))
	if err != nil {
		t.Fatal(err)
	}
	for at := range manifest {
		manifest[at] ^= 1 << (at % 8)
		_, err := tablebase.DecodeDepthManifest(k, manifest)
		wantError(t, err, tablebase.ErrCorrupt)
		manifest[at] ^= 1 << (at % 8)
		_, err = tablebase.DecodeDepthManifest(k, manifest[:at])
		wantError(t, err, tablebase.ErrCorrupt)
	}
}
