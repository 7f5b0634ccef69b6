package solver_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
)

// untouched is no score: it marks what Copy must leave alone.
const untouched = 99

// copyWindow copies a window into the middle of a longer slice and returns it, and
// whether the rest of the slice was left alone.
func copyWindow(layer *solver.Layer, kind solver.Kind, first, count int) (window []game.Score, clean bool) {
	dst := slices.Repeat([]game.Score{untouched}, count+2)
	layer.Copy(kind, uint64(first), dst[1:count+1])
	return dst[1 : count+1], dst[0] == untouched && dst[count+1] == untouched
}

func TestCopyEveryWindow(t *testing.T) {
	boards := []struct {
		rules        game.Rules
		width, beans int
	}{
		{game.Bohnenspiel, 1, 4},
		{game.Bohnenspiel, 2, 6},
		{game.Mangala, 3, 3},
		{game.Mangala, 6, 2},
		{game.Bohnenspiel, 9, 2},
	}
	for _, board := range boards {
		layer := solveTo(t, newGame(t, board.rules, board.width), board.beans, 1)[board.beans]
		for _, kind := range kinds() {
			whole := all(layer, kind)
			for first := range len(whole) + 1 {
				for count := range len(whole) - first + 1 {
					got, clean := copyWindow(layer, kind, first, count)
					if !clean || !slices.Equal(got, whole[first:first+count]) {
						t.Fatalf("%v, width %d, %d beans: %v from %d on: got %v, want %v", board.rules, board.width, board.beans, kind, first, got, whole[first:first+count])
					}
				}
			}
		}
	}
}

func TestCopyConcurrently(t *testing.T) {
	layer := solveTo(t, newGame(t, game.Mangala, game.StandardWidth), 7, 0)[7]
	var readers sync.WaitGroup
	for seed := range uint64(4) {
		readers.Go(func() {
			random := rand.New(rand.NewPCG(seed, 0))
			for _, kind := range kinds() {
				whole := all(layer, kind)
				for range 200 {
					first := random.IntN(len(whole))
					count := random.IntN(min(3000, len(whole)-first) + 1)
					got, clean := copyWindow(layer, kind, first, count)
					if !clean || !slices.Equal(got, whole[first:first+count]) {
						t.Errorf("%v: %d from %d on differ from the whole table", kind, count, first)
					}
				}
			}
		})
	}
	readers.Wait()
}

func TestKindString(t *testing.T) {
	want := []string{"scores", "lows", "highs"}
	for i, kind := range kinds() {
		if got := kind.String(); got != want[i] {
			t.Errorf("got %q, want %q", got, want[i])
		}
	}
}
