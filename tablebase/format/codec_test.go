package format_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// sample is the content of a block.
type sample struct {
	columns int
	scores  []game.Score
	free    []bool // nil where no position is
}

// id names the block: the third of layer 72, whose scores may be any of 145.
func (s sample) id() format.BlockID {
	return format.BlockID{Key: format.Key{Width: 6, Beans: 72}, Number: 3, Positions: len(s.scores), Columns: s.columns}
}

// newSample returns a sample of so many positions. The score of a position may be made
// from its place and the scores before it.
func newSample(positions, columns int, score func(i int, before []game.Score) game.Score) sample {
	s := sample{columns: columns}
	for i := range positions {
		s.scores = append(s.scores, score(i, s.scores))
	}
	return s
}

// freed returns the sample with every second position free, in clusters.
func (s sample) freed() sample {
	s.free = make([]bool, len(s.scores))
	for i := range s.free {
		s.free[i] = i%17 < 8
	}
	return s
}

// samples are blocks of all forms.
func samples() map[string]sample {
	random := rand.New(rand.NewPCG(1, 2))
	skewed := []game.Score{0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, -4, -8}
	like := func(columns int) func(int, []game.Score) game.Score {
		return func(i int, before []game.Score) game.Score {
			if i < columns || random.IntN(4) == 0 {
				return skewed[random.IntN(len(skewed))]
			}
			return before[i-columns]
		}
	}
	all := map[string]sample{
		"one position":  newSample(1, 1, func(int, []game.Score) game.Score { return 8 }),
		"constant":      newSample(500, 20, func(int, []game.Score) game.Score { return -12 }),
		"few positions": newSample(7, 3, func(i int, _ []game.Score) game.Score { return game.Score(4 * (i % 3)) }),
		"skewed":        newSample(8191, 8191, func(int, []game.Score) game.Score { return skewed[random.IntN(len(skewed))] }),
		"like above":    newSample(32000, 125, like(125)),
		"one column":    newSample(256, 1, like(1)),
		"all scores":    newSample(3000, 100, func(int, []game.Score) game.Score { return game.Score(random.IntN(145) - 72) }),
		"full":          newSample(format.BlockPositions, 128, func(i int, _ []game.Score) game.Score { return game.Score(i%145/4*4 - 72) }),
		"two far away": newSample(2000, 50, func(i int, _ []game.Score) game.Score {
			if i == 700 || i == 1512 {
				return 72
			}
			return game.Score(4 * (i % 2))
		}),
	}
	for _, name := range slices.Collect(maps.Keys(all)) {
		all[name+", half of it free"] = all[name].freed()
	}
	return all
}

// wantStored fails the test unless decoded scores are those of the sample, or lower
// where that is free.
func (s sample) wantStored(tb rapid.TB, got []game.Score) {
	tb.Helper()
	for i, want := range s.scores {
		if got[i] != want && (s.free == nil || !s.free[i] || got[i] > want) {
			tb.Fatalf("got score %d at %d, want %d", got[i], i, want)
		}
	}
}

func TestCodecOfSamples(t *testing.T) {
	codec := tabletest.NewCodec()
	seen := make(map[byte]bool)
	for name, s := range samples() {
		t.Run(name, func(t *testing.T) {
			value := codec.Encode(s.id(), s.scores, s.free)
			got, err := codec.Decode(s.id(), value)
			if err != nil {
				t.Fatal(err)
			}
			s.wantStored(t, got)
			if format.CodecOf(value) == format.CodecConstant {
				return
			}
			payload := value[format.BlockHeaderSize:]
			for range 2 {
				seen[payload[0]] = true
				size, n := binary.Uvarint(payload[1:])
				payload = payload[1+n+int(size):]
			}
		})
	}
	if diff := cmp.Diff(map[byte]bool{0: true, 1: true, 2: true}, seen); diff != "" {
		t.Errorf("codings of streams differ (-want +got):\n%s", diff)
	}
}

func TestCodecIsConstantWhereScoresAre(t *testing.T) {
	codec := tabletest.NewCodec()
	for name, want := range map[string]int{
		"one position": format.CodecConstant, "constant": format.CodecConstant, "few positions": format.CodecPredicted,
	} {
		s := samples()[name]
		value := codec.Encode(s.id(), s.scores, s.free)
		if got := format.CodecOf(value); got != want {
			t.Errorf("%s: got codec %d, want %d", name, got, want)
		}
		if want == format.CodecConstant && len(value) != format.BlockHeaderSize {
			t.Errorf("%s: got %d bytes, want a header alone", name, len(value))
		}
	}
}

// TestCodecUsesFreedom wants free positions to cost less, and scores like those above
// less than others.
func TestCodecUsesFreedom(t *testing.T) {
	codec := tabletest.NewCodec()
	size := func(name string) int {
		s := samples()[name]
		return len(codec.Encode(s.id(), s.scores, s.free))
	}
	for _, name := range []string{"skewed", "all scores"} {
		if free := size(name + ", half of it free"); free >= size(name) {
			t.Errorf("%s takes %d bytes with free positions, %d without", name, free, size(name))
		}
	}
	if like, skewed := size("like above")/32, size("skewed")/8; like > skewed {
		t.Errorf("1,000 scores take %d bytes if most are like those above, %d if not", like, skewed)
	}
}

// drawSample draws a block of any size, on any lattice, with 1 to 145 symbols.
func drawSample(t *rapid.T) sample {
	positions := rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(1, 5000), rapid.Just(format.BlockPositions)).Draw(t, "positions")
	columns := rapid.IntRange(1, positions).Draw(t, "columns")
	lowest := rapid.IntRange(-72, 72).Draw(t, "lowest")
	step := rapid.SampledFrom([]int{1, 2, 3, 4, 8}).Draw(t, "step")
	levels := rapid.IntRange(1, (72-lowest)/step+1).Draw(t, "levels")
	skew := rapid.IntRange(1, 6).Draw(t, "skew")
	likeness := rapid.IntRange(1, 8).Draw(t, "likeness")
	freedom := rapid.SampledFrom([]int{0, 1, 50, 99, 100}).Draw(t, "percentage free")
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	s := newSample(positions, columns, func(i int, before []game.Score) game.Score {
		if i >= columns && random.IntN(likeness) > 0 {
			return before[i-columns]
		}
		level := levels - 1
		for range skew {
			level = min(level, random.IntN(levels))
		}
		return game.Score(lowest + step*level)
	})
	if freedom > 0 {
		s.free = make([]bool, positions)
		for i := range s.free {
			s.free[i] = random.IntN(100) < freedom
		}
	}
	return s
}

func TestCodecRoundTrip(t *testing.T) {
	codec := tabletest.NewCodec()
	rapid.Check(t, func(rt *rapid.T) {
		s := drawSample(rt)
		value := codec.Encode(s.id(), s.scores, s.free)
		got, err := codec.Decode(s.id(), value)
		if err != nil {
			rt.Fatal(err)
		}
		s.wantStored(rt, got)
		// A codec that has other work behind it gives the same bytes.
		if !bytes.Equal(value, tabletest.NewCodec().Encode(s.id(), s.scores, s.free)) {
			rt.Fatal("a new codec gives other bytes")
		}
	})
}

func TestEveryByteOfABlockIsGuarded(t *testing.T) {
	codec := tabletest.NewCodec()
	for name, s := range samples() {
		value := codec.Encode(s.id(), s.scores, s.free)
		for at := range value {
			for bit := range 8 {
				if len(value) > 500 && bit != at%8 {
					continue // one bit a byte is enough, and it takes long
				}
				value[at] ^= 1 << bit
				_, err := codec.Decode(s.id(), value)
				wantCorruptBlock(t, err)
				value[at] ^= 1 << bit
			}
		}
		for size := 0; size < len(value); size += 1 + len(value)/500 {
			_, err := codec.Decode(s.id(), value[:size])
			wantCorruptBlock(t, err)
		}
		_, err := codec.Decode(s.id(), append(value, 0))
		wantCorruptBlock(t, err)
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

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

// BenchmarkCodec encodes and decodes the largest block of a layer as it is stored.
func BenchmarkCodec(b *testing.B) {
	g := tabletest.NewGame(b, game.Bohnenspiel, 6)
	const beans = 12
	db := tabletest.Open(b, tabletest.Built(b, g, beans))
	codec := tabletest.NewCodec()
	m := tabletest.Manifest(b, db, format.KeyOf(g, beans))
	id := tabletest.BlockOf(m.Key(), solver.Scores, 0)
	for number := range int(m.Blocks) {
		if other := tabletest.BlockOf(m.Key(), solver.Scores, number); other.Positions > id.Positions {
			id = other
		}
	}
	value := tabletest.Edit(b, db).Value(id.StoreKey())
	scores, err := codec.Decode(id, value)
	if err != nil {
		b.Fatal(err)
	}
	if again, err := codec.Decode(id, codec.Encode(id, scores, nil)); err != nil || !slices.Equal(again, scores) {
		b.Fatalf("scores do not survive: %v", err)
	}
	measure := func(name string, work func() error) {
		b.Run(fmt.Sprintf("%s/positions=%d", name, len(scores)), func(b *testing.B) {
			for b.Loop() {
				if err := work(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(scores))*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
		})
	}
	measure("encode", func() error {
		codec.Encode(id, scores, nil)
		return nil
	})
	measure("decode", func() error {
		_, err := codec.Decode(id, value)
		return err
	})
}
