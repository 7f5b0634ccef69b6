package format_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// wantCorruptBlock fails the test unless err says that block 3 of layer 72 is corrupt.
func wantCorruptBlock(tb testing.TB, err error) {
	tb.Helper()
	tabletest.WantError(tb, err, format.ErrCorrupt)
	var corrupt *format.CorruptError
	if !errors.As(err, &corrupt) {
		tb.Fatalf("got %T, want a *CorruptError", err)
	}
	if corrupt.Key.Beans != 72 || corrupt.Kind != solver.Scores || corrupt.Block != 3 {
		tb.Errorf("error names %v, block %d of the %v, want layer 72, block 3 of the scores", corrupt.Key, corrupt.Block, corrupt.Kind)
	}
}

func TestDecodeRefusesOtherBlocks(t *testing.T) {
	codec := tabletest.NewCodec()
	s := samples()["few positions"]
	for name, change := range map[string]func(id *format.BlockID){
		"rules":     func(id *format.BlockID) { id.Rules = game.Mangala },
		"width":     func(id *format.BlockID) { id.Width++ },
		"beans":     func(id *format.BlockID) { id.Beans -= 2 },
		"kind":      func(id *format.BlockID) { id.Kind = solver.Lows },
		"number":    func(id *format.BlockID) { id.Number-- },
		"positions": func(id *format.BlockID) { id.Positions-- },
		"columns":   func(id *format.BlockID) { id.Columns++ },
	} {
		t.Run(name, func(t *testing.T) {
			id := s.id()
			change(&id)
			_, err := codec.Decode(s.id(), codec.Encode(id, s.scores[:id.Positions], nil))
			wantCorruptBlock(t, err)
		})
	}
}

func TestDecodeRefusesOtherVersions(t *testing.T) {
	codec := tabletest.NewCodec()
	s := samples()["few positions"]
	value := codec.Encode(s.id(), s.scores, s.free)
	for _, version := range []byte{1, 7} {
		value[4] = version
		tabletest.SealBlock(value)
		_, err := codec.Decode(s.id(), value)
		tabletest.WantError(t, err, format.ErrVersion)
	}
	_, err := codec.Decode(s.id(), value)
	if got, want := err.Error(), "block 3 of the scores of layer 72 of bohnenspiel 2×6: unknown format version 7: this program reads version 2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDecodeRefusesBadPayloads changes a block in ways that its checksum does not
// tell.
func TestDecodeRefusesBadPayloads(t *testing.T) {
	codec := tabletest.NewCodec()
	s := newSample(8, 4, func(i int, _ []game.Score) game.Score { return game.Score(4 * (i % 3)) })
	const base, shift, top, payload = 6, 7, 8, format.BlockHeaderSize
	good := codec.Encode(s.id(), s.scores, nil)
	// A raw stream of two bytes of places, and an empty one.
	if want := []byte{0, 2, good[payload+2], good[payload+3], 0, 0}; !bytes.Equal(good[payload:], want) {
		t.Fatalf("got payload %x, want %x", good[payload:], want)
	}
	for name, change := range map[string]func(value []byte) []byte{
		"another codec":          func(v []byte) []byte { v[5] = 2; return v },
		"a constant, with bytes": func(v []byte) []byte { v[5] = 0; return v },
		"a constant, with symbols": func(v []byte) []byte {
			v[5] = 0
			return v[:payload]
		},
		"too low a base":         func(v []byte) []byte { v[base] = 0x100 - 76; return v },
		"too high a top":         func(v []byte) []byte { v[top] = 19; return v },
		"a shift of 8":           func(v []byte) []byte { v[shift] = 8; return v },
		"a shift of 255":         func(v []byte) []byte { v[shift] = 255; return v },
		"no payload":             func(v []byte) []byte { return v[:payload] },
		"one stream":             func(v []byte) []byte { return v[:payload+4] },
		"half a stream":          func(v []byte) []byte { return v[:payload+3] },
		"more than two streams":  func(v []byte) []byte { return append(v, 0, 0) },
		"another coding":         func(v []byte) []byte { v[payload] = 3; return v },
		"too long a stream":      func(v []byte) []byte { v[payload+1] = 200; return v },
		"a length without end":   func(v []byte) []byte { return append(v[:payload+1], bytes.Repeat([]byte{0xff}, 12)...) },
		"places too many":        func(v []byte) []byte { return append(v[:payload], 0, 3, 0, 0, 0, 0, 0) },
		"places too few":         func(v []byte) []byte { return append(v[:payload], 0, 1, 0, 0, 0) },
		"a place beyond the end": func(v []byte) []byte { return append(v[:payload], 0, 2, 3, 0, 0, 1, 0) },
		"a place far beyond":     func(v []byte) []byte { return append(v[:payload], 0, 2, 3, 0, 0, 1, 255) },
		"a large place too many": func(v []byte) []byte { return append(v[:payload], 0, 2, 0, 0, 0, 1, 0) },
		"a large place missing":  func(v []byte) []byte { return append(v[:payload], 0, 2, 3, 0, 0, 0) },
		"an empty constant":      func(v []byte) []byte { return append(v[:payload], 1, 0, 0, 0) },
		"a constant of two":      func(v []byte) []byte { return append(v[:payload], 1, 2, 0, 0, 0, 0) },
		"an empty Huffman code":  func(v []byte) []byte { return append(v[:payload], 2, 0, 0, 0) },
		"a bad Huffman code":     func(v []byte) []byte { return append(v[:payload], 2, 4, 200, 1, 2, 3, 0, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			value := change(bytes.Clone(good))
			tabletest.SealBlock(value)
			_, err := codec.Decode(s.id(), value)
			wantCorruptBlock(t, err)
		})
	}
}

// decodeAny decodes a value, after it was made to begin as that of a block of so many
// positions, with the right checksum. What comes of it must be bad data or a block.
func decodeAny(t *testing.T, codec tabletest.Codec, value []byte, positions, columns int) {
	t.Helper()
	s := sample{columns: columns, scores: make([]game.Score, positions)}
	format.Impersonate(value, s.id())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := codec.Decode(s.id(), value)
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 1<<20 {
		t.Errorf("decoding allocates %d bytes", allocated)
	}
	if err != nil {
		wantCorruptBlock(t, err)
		return
	}
	s.scores = got
	again, err := codec.Decode(s.id(), codec.Encode(s.id(), got, nil))
	if err != nil {
		t.Fatalf("scores of an accepted block do not survive: %v", err)
	}
	s.wantStored(t, again)
}

// TestDecodeTakesAnyBytes decodes blocks whose bytes have been changed at random.
func TestDecodeTakesAnyBytes(t *testing.T) {
	codec := tabletest.NewCodec()
	random := rand.New(rand.NewPCG(5, 6))
	tries := 1000
	if testing.Short() {
		tries = 100
	}
	for name, s := range samples() {
		good := codec.Encode(s.id(), s.scores, s.free)
		for range tries {
			value := bytes.Clone(good[:len(good)-random.IntN(2)*random.IntN(len(good)/2)])
			for range 1 + random.IntN(5) {
				if at := random.IntN(len(value)); at != 4 {
					value[at] = byte(random.Uint32())
				}
			}
			decodeAny(t, codec, value, len(s.scores), s.columns)
			if t.Failed() {
				t.Fatalf("%s: %x", name, value)
			}
		}
	}
}

// FuzzDecode gives the decoder values with a right checksum, so that what follows the
// checksum is reached.
func FuzzDecode(f *testing.F) {
	codec := tabletest.NewCodec()
	for _, s := range samples() {
		value := codec.Encode(s.id(), s.scores, s.free)
		f.Add(value, len(s.scores), s.columns)
		f.Add(value, len(s.scores)+1, s.columns)
		f.Add(value, len(s.scores), s.columns+1)
	}
	f.Add([]byte(nil), 1, 1)
	f.Fuzz(func(t *testing.T, value []byte, positions, columns int) {
		if positions < 1 || positions > format.BlockPositions || columns < 1 || columns > positions {
			return
		}
		decodeAny(t, codec, value, positions, columns)
	})
}
