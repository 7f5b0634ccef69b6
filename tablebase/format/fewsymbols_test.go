package format_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"bohnenspiel/tablebase/format"
)

// TestFewSymbolsAreToldAlike compares places that are found eight at a time with those
// that are found one by one.
func TestFewSymbolsAreToldAlike(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		top := rapid.IntRange(1, format.MostFew-1).Draw(rt, "top")
		columns := rapid.IntRange(1, 300).Draw(rt, "columns")
		count := rapid.IntRange(1, 2000).Draw(rt, "count")
		likeness := rapid.IntRange(1, 8).Draw(rt, "likeness")
		freedom := rapid.SampledFrom([]int{0, 1, 50, 99, 100}).Draw(rt, "percentage free")
		distance := rapid.IntRange(0, 3).Draw(rt, "distance")
		lowest := rapid.IntRange(0, 127-top<<distance).Draw(rt, "lowest place")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		symbols, marks, free := make([]byte, count), make([]byte, count), make([]bool, count)
		for i := range symbols {
			symbols[i] = byte(random.IntN(top + 1))
			if i >= columns && random.IntN(likeness) > 0 {
				symbols[i] = symbols[i-columns]
			}
			marks[i] = byte(2 * (lowest + int(symbols[i])<<distance))
			if random.IntN(100) < freedom {
				free[i] = true
				marks[i]++
			}
		}
		wantPacked, wantLarge := format.TellPlainly(symbols, byte(top), columns, free)
		packed, large := format.TellFew(marks, byte(2*lowest), byte(distance+1), byte(top), columns)
		if !bytes.Equal(packed, wantPacked) || !bytes.Equal(large, wantLarge) {
			rt.Fatalf("got places %x and large ones %x, want %x and %x", packed, large, wantPacked, wantLarge)
		}
	})
}

// TestFewSymbolsAreReadAlike reads payloads of any places, good and bad.
func TestFewSymbolsAreReadAlike(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		top := rapid.IntRange(0, format.MostFew-1).Draw(rt, "top")
		columns := rapid.IntRange(1, 300).Draw(rt, "columns")
		count := rapid.IntRange(1, 500).Draw(rt, "count")
		rarity := rapid.IntRange(1, 20).Draw(rt, "rarity")
		mostLarge := rapid.IntRange(1, max(1, top)).Draw(rt, "most large")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		packed, large := make([]byte, (count+3)/4), []byte(nil)
		for i := range 4 * len(packed) { // some behind the last, which count for nothing
			if random.IntN(rarity) == 0 {
				place := random.IntN(4)
				packed[i/4] |= byte(place << (i % 4 * 2))
				if place == 3 && i < count {
					large = append(large, byte(random.IntN(mostLarge)))
				}
			}
		}
		var payload []byte
		for _, stream := range [][]byte{packed, large} { // raw
			payload = binary.AppendUvarint(append(payload, 0), uint64(len(stream)))
			payload = append(payload, stream...)
		}
		want, wantOK := format.ReadPlainly(payload, count, byte(top), columns)
		got, ok := format.ReadFew(payload, count, byte(top), columns)
		if ok != wantOK || ok && !bytes.Equal(got, want) {
			rt.Fatalf("got symbols %v, %v, want %v, %v", got, ok, want, wantOK)
		}
	})
}
