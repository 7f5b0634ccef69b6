package game_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bohnenspiel/solver/game"
)

func TestRowOfExample(t *testing.T) {
	if got, want := game.RowOf(0, 2, 1, 1, 1, 1), game.Row(0x810204100); got != want {
		t.Errorf("RowOf(0, 2, 1, 1, 1, 1) = %#x, want %#x", got, want)
	}
}

func TestRow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		width := rapid.IntRange(game.MinWidth, game.MaxWidth).Draw(rt, "width")
		pits := make([]int, width)
		rest := game.MaxBeans(width)
		for _, pit := range rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}).Draw(rt, "order") {
			if pit < width {
				pits[pit] = rapid.IntRange(0, rest).Draw(rt, "beans")
				rest -= pits[pit]
			}
		}
		row := game.RowOf(pits...)
		if diff := cmp.Diff(pits, row.Pits(width)); diff != "" {
			rt.Fatalf("Pits (-want +got):\n%s", diff)
		}
		sum := 0
		sums := row.PrefixSums()
		for pit := range game.MaxWidth {
			want := 0
			if pit < width {
				want = pits[pit]
			}
			if got := row.Pit(pit); got != want {
				rt.Fatalf("%v: Pit(%d) = %d, want %d", pits, pit, got, want)
			}
			sum += want
			if got := sums.Pit(pit); got != sum {
				rt.Fatalf("%v: pit %d of the prefix sums = %d, want %d", pits, pit, got, sum)
			}
		}
		if got := row.Beans(); got != sum {
			rt.Fatalf("%v: Beans = %d, want %d", pits, got, sum)
		}
	})
}

func TestOnes(t *testing.T) {
	for first := range game.MaxWidth + 1 {
		for count := range game.MaxWidth - first + 1 {
			var want game.Row
			for pit := first; pit < first+count; pit++ {
				pits := make([]int, game.MaxWidth)
				pits[pit] = 1
				want += game.RowOf(pits...)
			}
			if got := game.Ones(first, count); got != want {
				t.Errorf("Ones(%d, %d) = %#x, want %#x", first, count, got, want)
			}
		}
	}
}

func TestRowOfPanics(t *testing.T) {
	for _, pits := range [][]int{{128}, {0, -1}, make([]int, 10)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("RowOf(%v): want a panic", pits)
				}
			}()
			game.RowOf(pits...)
		}()
	}
}
