package held_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/held"
)

// forms are the ways to keep a table that is written in any order.
var forms = []held.Form{held.Bytewise, held.Packed, held.Spilled}

func newTable(tb testing.TB, beans, positions int, as held.Form) *held.Table {
	tb.Helper()
	f, err := held.NewTable(beans, uint64(positions), as, tb.TempDir())
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

// TestTable writes tables in pieces, in each form, and reads every run of them.
func TestTable(t *testing.T) {
	for _, as := range append(slices.Clone(forms), held.Squeezed) {
		layers := []int{0, 2, 4, 16, 28, 30}
		if as == held.Squeezed {
			layers = append(layers, 32, 34, 36, 42, 62)
		}
		for _, beans := range layers {
			for _, positions := range []int{1, 2, 3, 17, 40} {
				t.Run(fmt.Sprintf("form=%d/beans=%d/positions=%d", as, beans, positions), func(t *testing.T) {
					f := newTable(t, beans, positions, as)
					if f.Packed() != (as == held.Packed || as == held.Squeezed) || f.Spilled() != (as == held.Spilled) {
						t.Fatalf("packed is %v, spilled %v", f.Packed(), f.Spilled())
					}
					want := latticeScores(beans, positions, uint64(positions))
					const piece = 19 // longer than what is packed at once, and odd
					for first := 0; first < positions; first += piece {
						write(t, f, first, want[first:min(first+piece, positions)])
					}
					wantRuns(t, f, want)
					for i := 0; i < positions && as != held.Spilled; i++ {
						if got := f.At(uint64(i)); got != want[i] {
							t.Errorf("score %d: got %d, want %d", i, got, want[i])
						}
					}
				})
			}
		}
	}
}

func write(tb testing.TB, f *held.Table, first int, scores []game.Score) {
	tb.Helper()
	if err := f.Write(uint64(first), scores); err != nil {
		tb.Fatal(err)
	}
}

func read(tb testing.TB, f *held.Table, first, count int, buf []game.Score) []game.Score {
	tb.Helper()
	scores, err := f.Read(uint64(first), count, buf)
	if err != nil {
		tb.Fatal(err)
	}
	return scores
}

// wantRuns reads all runs of a table.
func wantRuns(t *testing.T, f *held.Table, want []game.Score) {
	t.Helper()
	buf := make([]game.Score, len(want)+1)
	for first := range want {
		for count := range len(want) - first + 1 {
			buf[count] = 99
			got := read(t, f, first, count, buf)
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

func TestTablePiecesInAnyOrder(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		beans := 2 * rapid.IntRange(0, 15).Draw(rt, "half the beans")
		positions := rapid.IntRange(1, 500).Draw(rt, "positions")
		as := rapid.SampledFrom(forms).Draw(rt, "form")
		want := latticeScores(beans, positions, rapid.Uint64().Draw(rt, "seed"))
		f, err := held.NewTable(beans, uint64(positions), as, dir)
		if err != nil {
			rt.Fatal(err)
		}
		defer f.Free()
		size := rapid.IntRange(1, 200).Draw(rt, "a piece")
		pieces := (positions + size - 1) / size
		order := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "order"), 0)).Perm(pieces)
		for _, piece := range order {
			write(t, f, piece*size, want[piece*size:min((piece+1)*size, positions)])
		}
		first := rapid.IntRange(0, positions-1).Draw(rt, "first")
		count := rapid.IntRange(0, positions-first).Draw(rt, "count")
		got := read(t, f, first, count, make([]game.Score, count))
		for i := range count {
			if got[i] != want[first+i] {
				rt.Fatalf("got %d at %d, want %d", got[i], first+i, want[first+i])
			}
		}
	})
}

// TestTablePacksWhatFits wants tables packed only where 16 scores are enough, and squeezed
// where 32 are.
func TestTablePacksWhatFits(t *testing.T) {
	for beans := range 73 {
		for as, scores := range map[held.Form]int{held.Packed: 16, held.Squeezed: 32} {
			want := beans%2 == 0 && beans/2+1 <= scores
			if got := newTable(t, beans, 10, as).Packed(); got != want {
				t.Errorf("layer %d, form %d: packed is %v, want %v", beans, as, got, want)
			}
			bytes := held.TableBytes(beans, 11, as)
			if want && bytes != 6 || !want && bytes != 11 {
				t.Errorf("layer %d, form %d: 11 positions take %d bytes", beans, as, bytes)
			}
		}
	}
}
