package tablebase_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

func newFlat(tb testing.TB, beans, positions int, packed bool) tablebase.Flat {
	tb.Helper()
	f, err := tablebase.NewFlat(beans, uint64(positions), packed)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(f.Free)
	return f
}

// latticeScores returns scores that an even layer may have.
func latticeScores(beans, positions int, seed uint64) []game.Score {
	random := rand.New(rand.NewPCG(seed, 0))
	scores := make([]game.Score, positions)
	for i := range scores {
		scores[i] = game.Score(4*random.IntN(beans/2+1) - beans)
	}
	return scores
}

// TestFlat writes tables in pieces, packed and not, and reads every window of them.
func TestFlat(t *testing.T) {
	for _, packed := range []bool{false, true} {
		for _, beans := range []int{0, 2, 4, 16, 28, 30} {
			for _, positions := range []int{1, 2, 3, 17, 40} {
				t.Run(fmt.Sprintf("packed=%v/beans=%d/positions=%d", packed, beans, positions), func(t *testing.T) {
					f := newFlat(t, beans, positions, packed)
					if f.Packed() != packed {
						t.Fatalf("packed is %v, want %v", f.Packed(), packed)
					}
					want := latticeScores(beans, positions, uint64(positions))
					for first := 0; first < positions; first += 6 {
						f.Write(uint64(first), want[first:min(first+6, positions)])
					}
					wantWindows(t, f, want)
				})
			}
		}
	}
}

// wantWindows reads all windows of a table.
func wantWindows(t *testing.T, f tablebase.Flat, want []game.Score) {
	t.Helper()
	buf := make([]game.Score, len(want)+1)
	for first := range want {
		for count := range len(want) - first + 1 {
			buf[count] = 99
			got := f.Read(uint64(first), count, buf)
			if diff := cmp.Diff(want[first:first+count], got); diff != "" && count > 0 {
				t.Fatalf("%d scores from %d differ (-want +got):\n%s", count, first, diff)
			}
			if len(got) != count {
				t.Fatalf("got %d scores from %d, want %d", len(got), first, count)
			}
			if buf[count] != 99 {
				t.Fatalf("reading %d scores from %d writes beyond them", count, first)
			}
		}
	}
}

func TestFlatPiecesInAnyOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		beans := 2 * rapid.IntRange(0, 15).Draw(rt, "half the beans")
		positions := rapid.IntRange(1, 500).Draw(rt, "positions")
		packed := rapid.Bool().Draw(rt, "packed")
		want := latticeScores(beans, positions, rapid.Uint64().Draw(rt, "seed"))
		f, err := tablebase.NewFlat(beans, uint64(positions), packed)
		if err != nil {
			rt.Fatal(err)
		}
		defer f.Free()
		size := 2 * rapid.IntRange(1, 100).Draw(rt, "half a piece")
		pieces := (positions + size - 1) / size
		order := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "order"), 0)).Perm(pieces)
		for _, piece := range order {
			f.Write(uint64(piece*size), want[piece*size:min((piece+1)*size, positions)])
		}
		first := rapid.IntRange(0, positions-1).Draw(rt, "first")
		count := rapid.IntRange(0, positions-first).Draw(rt, "count")
		got := f.Read(uint64(first), count, make([]game.Score, count))
		for i := range count {
			if got[i] != want[first+i] {
				rt.Fatalf("got %d at %d, want %d", got[i], first+i, want[first+i])
			}
		}
	})
}

// TestFlatPacksWhatFits wants tables packed only where 16 scores are enough.
func TestFlatPacksWhatFits(t *testing.T) {
	for beans := range 73 {
		want := beans%2 == 0 && beans/2+1 <= 16
		if got := newFlat(t, beans, 10, true).Packed(); got != want {
			t.Errorf("layer %d: packed is %v, want %v", beans, got, want)
		}
		bytes := tablebase.FlatBytes(beans, 11, true)
		if want && bytes != 6 || !want && bytes != 11 {
			t.Errorf("layer %d: 11 positions take %d bytes", beans, bytes)
		}
	}
}
