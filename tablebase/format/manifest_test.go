package format_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// layer4 is what is known of layer 4 of Bohnenspiel beforehand.
func layer4() format.Manifest {
	return format.Manifest{
		Head: format.Head{Format: 2, Rules: game.Bohnenspiel, Width: 6, Beans: 4, Positions: 1365},
		Wins: 471, Draws: 442, Losses: 452, ScoreSum: 76,
		Settled: true, Stored: format.Stored{Blocks: 5},
	}
}

func TestManifest(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	start := time.Now().Add(-time.Second)
	db := tabletest.Open(t, tabletest.Built(t, g, 4))
	got := tabletest.Manifest(t, db, format.KeyOf(g, 4))
	ignored := cmpopts.IgnoreFields(format.Manifest{}, "Histogram", "SHA256", "Stored.Bytes", "Stored.Seal", "Made", "Sweeps")
	if diff := cmp.Diff(layer4(), got, ignored); diff != "" {
		t.Errorf("manifest differs (-want +got):\n%s", diff)
	}
	if got.Built.Before(start) || got.Seconds <= 0 || got.Sweeps <= 0 {
		t.Errorf("built %v in %v seconds and %d sweeps", got.Built, got.Seconds, got.Sweeps)
	}
	wins, draws, losses, sum := uint64(0), uint64(0), uint64(0), int64(0)
	for i, count := range got.Histogram {
		score := i - 4
		sum += int64(score) * int64(count)
		switch {
		case score > 0:
			wins += count
		case score < 0:
			losses += count
		default:
			draws += count
		}
	}
	if wins != got.Wins || draws != got.Draws || losses != got.Losses || sum != got.ScoreSum || len(got.Histogram) != 9 {
		t.Errorf("histogram %v does not give the totals", got.Histogram)
	}
}

func TestEveryByteOfAManifestIsGuarded(t *testing.T) {
	g, db := tabletest.Tables(t, game.Mangala, 6, 3, format.Odd)
	key := format.KeyOf(g, 3)
	value := tabletest.Edit(t, db).Value(tabletest.ManifestKey(key))
	for at := range value {
		value[at] ^= 1 << (at % 8)
		_, err := format.DecodeManifest(key, value)
		wantCorruptManifest(t, err, key)
		value[at] ^= 1 << (at % 8)
	}
	for size := range value {
		_, err := format.DecodeManifest(key, value[:size])
		wantCorruptManifest(t, err, key)
	}
	_, err := format.DecodeManifest(format.KeyOf(g, 5), value)
	wantCorruptManifest(t, err, format.KeyOf(g, 5))
}

func wantCorruptManifest(t *testing.T, err error, key format.Key) {
	t.Helper()
	tabletest.WantError(t, err, format.ErrCorrupt)
	var corrupt *format.CorruptError
	if !errors.As(err, &corrupt) || corrupt.Key != key || corrupt.Block != -1 {
		t.Fatalf("got error %v, want one that names the manifest of %v", err, key)
	}
}

func TestManifestMustMakeSense(t *testing.T) {
	g, db := tabletest.OpenEven(t, 4)
	key := format.KeyOf(g, 4)
	good := tabletest.Manifest(t, db, key)
	for name, change := range map[string]func(m *format.Manifest){
		"format":          func(m *format.Manifest) { m.Format = 1 },
		"rules":           func(m *format.Manifest) { m.Rules = game.Mangala },
		"beans":           func(m *format.Manifest) { m.Beans = 6 },
		"positions":       func(m *format.Manifest) { m.Positions++ },
		"wins":            func(m *format.Manifest) { m.Wins++ },
		"endless":         func(m *format.Manifest) { m.Endless = m.Positions + 1 },
		"endless, blocks": func(m *format.Manifest) { m.Endless = 1 },
		"histogram":       func(m *format.Manifest) { m.Histogram = m.Histogram[1:] },
		"SHA-256":         func(m *format.Manifest) { m.SHA256 = m.SHA256[2:] },
		"hexadecimal":     func(m *format.Manifest) { m.SHA256 = "x" + m.SHA256[1:] },
		"blocks":          func(m *format.Manifest) { m.Blocks++ },
	} {
		t.Run(name, func(t *testing.T) {
			m := good
			change(&m)
			value, err := m.Encode()
			if err != nil {
				t.Fatal(err)
			}
			_, err = format.DecodeManifest(key, value)
			wantCorruptManifest(t, err, key)
		})
	}
}

// FuzzDecodeManifest gives the decoder values with a right checksum.
func FuzzDecodeManifest(f *testing.F) {
	key := format.Key{Width: 6, Beans: 4}
	value, err := layer4().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(value)
	f.Add(value[:format.ManifestHeaderSize])
	f.Add([]byte("BnsM"))
	f.Fuzz(func(t *testing.T, value []byte) {
		if len(value) >= format.ManifestHeaderSize {
			tabletest.SealManifest(value)
		}
		m, err := format.DecodeManifest(key, value)
		if err != nil {
			tabletest.WantBadData(t, "decode", err)
			return
		}
		if m.Key() != key {
			t.Errorf("got the manifest of %v", m.Key())
		}
	})
}
