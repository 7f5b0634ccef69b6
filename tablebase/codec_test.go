package tablebase_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

func newCodec(tb testing.TB) tablebase.Codec {
	tb.Helper()
	codec, err := tablebase.NewCodec()
	if err != nil {
		tb.Fatal(err)
	}
	return codec
}

// someBlock names a block of layer 16 with so many positions.
func someBlock(positions int) tablebase.BlockID {
	return tablebase.NewBlockID(tablebase.Key{Width: 6, Beans: 16}, solver.Scores, 3, positions)
}

// sampleBlocks are scores that each codec in turn takes.
func sampleBlocks() map[int][]game.Score {
	random := rand.New(rand.NewPCG(1, 2))
	repeat := func(positions int, score func(i int) game.Score) []game.Score {
		scores := make([]game.Score, positions)
		for i := range scores {
			scores[i] = score(i)
		}
		return scores
	}
	skewed := []game.Score{0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, -4, -8}
	return map[int][]game.Score{
		tablebase.CodecConstant: repeat(500, func(int) game.Score { return -12 }),
		tablebase.CodecRaw:      repeat(300, func(int) game.Score { return game.Score(random.IntN(256) - 128) }),
		tablebase.CodecHuff0:    repeat(8191, func(int) game.Score { return skewed[random.IntN(len(skewed))] }),
		tablebase.CodecZstd:     repeat(1001, func(i int) game.Score { return game.Score(4 * (i % 7 % 3)) }),
	}
}

func TestCodecsAreAllTaken(t *testing.T) {
	codec := newCodec(t)
	for want, scores := range sampleBlocks() {
		id := someBlock(len(scores))
		value := codec.Encode(id, scores)
		if got := tablebase.CodecOf(value); got != want {
			t.Errorf("got codec %d for the sample of codec %d", got, want)
		}
		got, err := codec.Decode(id, value)
		if err != nil {
			t.Errorf("codec %d: %v", want, err)
		}
		if diff := cmp.Diff(scores, got); diff != "" {
			t.Errorf("codec %d: scores change (-want +got):\n%s", want, diff)
		}
	}
}

// drawScores draws scores of any lattice, from one value to all 256.
func drawScores(t *rapid.T) []game.Score {
	positions := rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(1, 5000), rapid.IntRange(1, 5000), rapid.Just(tablebase.BlockPositions)).Draw(t, "positions")
	lowest := rapid.IntRange(-128, 127).Draw(t, "lowest")
	step := rapid.SampledFrom([]int{1, 2, 3, 4, 8}).Draw(t, "step")
	levels := min(rapid.IntRange(1, 256).Draw(t, "levels"), (127-lowest)/step+1)
	skew := rapid.IntRange(1, 6).Draw(t, "skew")
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	scores := make([]game.Score, positions)
	for i := range scores {
		level := levels
		for range skew {
			level = min(level, random.IntN(levels))
		}
		scores[i] = game.Score(lowest + step*level)
	}
	return scores
}

func TestCodecRoundTrip(t *testing.T) {
	codec := newCodec(t)
	rapid.Check(t, func(t *rapid.T) {
		scores := drawScores(t)
		id := someBlock(len(scores))
		got, err := codec.Decode(id, codec.Encode(id, scores))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(scores, got); diff != "" {
			t.Fatalf("scores change (-want +got):\n%s", diff)
		}
	})
}

func TestEveryByteOfABlockIsGuarded(t *testing.T) {
	codec := newCodec(t)
	for name, scores := range sampleBlocks() {
		id := someBlock(len(scores))
		value := codec.Encode(id, scores)
		for at := range value {
			for bit := range 8 {
				value[at] ^= 1 << bit
				_, err := codec.Decode(id, value)
				wantCorruptBlock(t, err)
				value[at] ^= 1 << bit
			}
		}
		for size := range value {
			_, err := codec.Decode(id, value[:size])
			wantCorruptBlock(t, err)
		}
		_, err := codec.Decode(id, append(value, 0))
		wantCorruptBlock(t, err)
		if t.Failed() {
			t.Fatalf("codec %d", name)
		}
	}
}

// wantCorruptBlock fails the test unless err says that block 3 of layer 16 is corrupt.
func wantCorruptBlock(tb testing.TB, err error) {
	tb.Helper()
	wantError(tb, err, tablebase.ErrCorrupt)
	var corrupt *tablebase.CorruptError
	if !errors.As(err, &corrupt) {
		tb.Fatalf("got %T, want a *CorruptError", err)
	}
	if corrupt.Key.Beans != 16 || corrupt.Kind != solver.Scores || corrupt.Block != 3 {
		tb.Errorf("error names %v, block %d of the %v, want layer 16, block 3 of the scores", corrupt.Key, corrupt.Block, corrupt.Kind)
	}
}

func TestDecodeRefusesOtherBlocks(t *testing.T) {
	codec := newCodec(t)
	scores := sampleBlocks()[tablebase.CodecZstd]
	want := someBlock(len(scores))
	for name, id := range map[string]tablebase.BlockID{
		"rules":     tablebase.NewBlockID(tablebase.Key{Rules: game.Mangala, Width: 6, Beans: 16}, solver.Scores, 3, len(scores)),
		"width":     tablebase.NewBlockID(tablebase.Key{Width: 5, Beans: 16}, solver.Scores, 3, len(scores)),
		"beans":     tablebase.NewBlockID(tablebase.Key{Width: 6, Beans: 14}, solver.Scores, 3, len(scores)),
		"kind":      tablebase.NewBlockID(tablebase.Key{Width: 6, Beans: 16}, solver.Lows, 3, len(scores)),
		"number":    tablebase.NewBlockID(tablebase.Key{Width: 6, Beans: 16}, solver.Scores, 2, len(scores)),
		"positions": tablebase.NewBlockID(tablebase.Key{Width: 6, Beans: 16}, solver.Scores, 3, len(scores)-1),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := codec.Decode(want, codec.Encode(id, scores[:min(len(scores), tablebase.PositionsIn(id))]))
			wantCorruptBlock(t, err)
		})
	}
}

func TestDecodeRefusesOtherVersions(t *testing.T) {
	codec := newCodec(t)
	scores := []game.Score{0, 4, -4}
	id := someBlock(len(scores))
	value := codec.Encode(id, scores)
	value[4] = 7
	tablebase.SealBlock(value)
	_, err := codec.Decode(id, value)
	wantError(t, err, tablebase.ErrVersion)
	if got, want := err.Error(), "block 3 of the scores of layer 16 of bohnenspiel 2×6: unknown format version 7: this program reads version 1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzDecode gives the decoder values with a right checksum, so that what follows the
// checksum is reached.
func FuzzDecode(f *testing.F) {
	codec := newCodec(f)
	for _, scores := range sampleBlocks() {
		f.Add(codec.Encode(someBlock(len(scores)), scores), len(scores))
		f.Add(codec.Encode(someBlock(len(scores)), scores), len(scores)+1)
	}
	f.Add([]byte(nil), 1)
	f.Fuzz(func(t *testing.T, value []byte, positions int) {
		if positions < 1 || positions > tablebase.BlockPositions {
			return
		}
		id := someBlock(positions)
		tablebase.Impersonate(value, id)
		scores, err := codec.Decode(id, value)
		if err != nil {
			if tablebase.ClassOf(err) != tablebase.ClassBadData {
				t.Errorf("got %v, want bad data", err)
			}
			return
		}
		if len(scores) != positions {
			t.Errorf("got %d scores, want %d", len(scores), positions)
		}
		again, err := codec.Decode(id, codec.Encode(id, scores))
		if err != nil || !cmp.Equal(scores, again) {
			t.Errorf("scores of an accepted block do not survive: %v", err)
		}
	})
}

// BenchmarkCodec codes the blocks of layer 12.
func BenchmarkCodec(b *testing.B) {
	const beans = 12
	g := newGame(b, game.Bohnenspiel, 6)
	db := open(b, built(b, g, beans))
	codec := newCodec(b)
	m, err := db.Manifest(tablebase.KeyOf(g, beans))
	if err != nil {
		b.Fatal(err)
	}
	ids := make([]tablebase.BlockID, m.Blocks)
	values := make([][]byte, m.Blocks)
	scores := make([][]game.Score, m.Blocks)
	for i := range ids {
		positions := min(tablebase.BlockPositions, int(m.Positions)-i*tablebase.BlockPositions)
		ids[i] = tablebase.NewBlockID(m.Key(), solver.Scores, i, positions)
		if values[i], err = db.Value(tablebase.BlockKey(ids[i])); err != nil {
			b.Fatal(err)
		}
		if scores[i], err = codec.Decode(ids[i], values[i]); err != nil {
			b.Fatal(err)
		}
		if !bytes.Equal(codec.Encode(ids[i], scores[i]), values[i]) {
			b.Fatalf("block %d does not encode to what is stored", i)
		}
	}
	b.Run("do=encode", func(b *testing.B) {
		b.SetBytes(int64(m.Positions))
		for b.Loop() {
			for i, id := range ids {
				codec.Encode(id, scores[i])
			}
		}
		b.ReportMetric(float64(m.Bytes)/float64(m.Positions), "B/position")
	})
	b.Run("do=decode", func(b *testing.B) {
		b.SetBytes(int64(m.Positions))
		for b.Loop() {
			for i, id := range ids {
				if _, err := codec.Decode(id, values[i]); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
