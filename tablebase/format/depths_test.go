package format_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// depthID returns the name of a block of depths.
func depthID(positions, columns int) format.BlockID {
	return format.BlockID{
		Key: format.Key{Width: 6, Beans: 12}, Kind: solver.Depths, Number: 3, Positions: positions, Columns: columns,
	}
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
	g, db := tabletest.Tables(f, game.Bohnenspiel, 3, 4, format.Even)
	k := tabletest.BuildDepths(f, db, g, 4, format.Even)[2].Key()
	value := tabletest.Edit(f, db).Value(tabletest.DepthManifestKey(k))
	f.Add(value)
	f.Add(value[:format.ManifestHeaderSize])
	f.Add([]byte("BnsD"))
	f.Fuzz(func(t *testing.T, value []byte) {
		if len(value) >= format.ManifestHeaderSize {
			tabletest.SealManifest(value)
		}
		m, err := format.DecodeDepthManifest(k, value)
		if err != nil {
			tabletest.WantBadData(t, "decode", err)
			return
		}
		again, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := format.DecodeDepthManifest(k, again); err != nil || cmp.Diff(m, got) != "" || m.Key() != k {
			t.Errorf("got %+v, written and read it is %+v, %v", m, got, err)
		}
	})
}

func TestEveryByteOfADepthTableIsGuarded(t *testing.T) {
	t.Parallel()
	g, db := tabletest.Tables(t, game.Mangala, 3, 3, format.Odd)
	tabletest.BuildDepths(t, db, g, 3, format.Odd)
	k := format.KeyOf(g, 3)
	codec := tabletest.NewCodec()
	wantGuarded := func(value []byte, decode func(value []byte) error) {
		t.Helper()
		for at := range value {
			value[at] ^= 1 << (at % 8)
			tabletest.WantError(t, decode(value), format.ErrCorrupt)
			value[at] ^= 1 << (at % 8)
			tabletest.WantError(t, decode(value[:at]), format.ErrCorrupt)
		}
	}
	id := tabletest.BlockOf(k, solver.Depths, 1)
	block := tabletest.Edit(t, db).Value(id.StoreKey())
	wantGuarded(block, func(value []byte) error {
		_, err := codec.DecodeDepths(id, value)
		return err
	})
	wantGuarded(tabletest.Edit(t, db).Value(tabletest.DepthManifestKey(k)), func(value []byte) error {
		_, err := format.DecodeDepthManifest(k, value)
		return err
	})
}
