package format_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
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
