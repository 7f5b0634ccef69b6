package tablebase_test

import (
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
)

// cacheBeans is the layer that the tables of the caches' tests are of. It has more
// than a hundred blocks.
const cacheBeans = 14

// scoreIn is the score that the tests' tables hold at a place of a block.
func scoreIn(number, at int) game.Score {
	return game.Score(uint64(number<<16+at) * 0x9E3779B97F4A7C15 >> 56)
}

// newCache returns a cache over a table of scoreIn, and the number of blocks decoded.
func newCache(budget int64) (tablebase.Cache, *atomic.Int64) {
	var decoded atomic.Int64
	cache := tablebase.NewCache(budget, cacheBeans, func(number, positions int) ([]game.Score, error) {
		decoded.Add(1)
		scores := make([]game.Score, positions)
		for i := range scores {
			scores[i] = scoreIn(number, i)
		}
		return scores, nil
	})
	return cache, &decoded
}

// wantBlock fails the test unless a block has the scores of scoreIn at some places. It
// reports whether it has.
func wantBlock(t *testing.T, cache tablebase.Cache, number int) bool {
	t.Helper()
	scores, err := cache.Block(number)
	if err != nil {
		t.Error(err)
		return false
	}
	right := len(scores) > 0 && scores[len(scores)-1] == scoreIn(number, len(scores)-1)
	for at := 0; at < len(scores); at += 1 + len(scores)/7 {
		right = right && scores[at] == scoreIn(number, at)
	}
	if !right {
		t.Errorf("wrong scores in block %d", number)
	}
	return right
}

func TestCacheDecodesABlockOnce(t *testing.T) {
	cache, decoded := newCache(1 << 40)
	for range 3 {
		for number := range cache.Blocks() {
			wantBlock(t, cache, number)
		}
	}
	if got, want := decoded.Load(), int64(cache.Blocks()); got != want || got < 100 {
		t.Errorf("decoded %d blocks, want each of %d once", got, want)
	}
}

func TestCacheKeepsItsBudget(t *testing.T) {
	for name, budget := range map[string]int64{"none": 0, "one block": format.BlockPositions, "seven and a half": 15 * format.BlockPositions / 2} {
		t.Run(name, func(t *testing.T) {
			cache, _ := newCache(budget)
			random := rand.New(rand.NewPCG(1, 1))
			for range 1000 {
				number := random.IntN(cache.Blocks())
				wantBlock(t, cache, number)
				counted, actual := cache.Bytes()
				if counted != actual {
					t.Fatalf("counted %d bytes, but the cache has %d", counted, actual)
				}
				if counted > max(budget, format.BlockPositions) {
					t.Fatalf("the cache has %d bytes, more than the budget of %d", counted, budget)
				}
			}
		})
	}
}

func TestCacheKeepsWhatIsUsed(t *testing.T) {
	cache, decoded := newCache(10 * format.BlockPositions)
	hot := int64(0) // times that block 0 was decoded
	for number := range cache.Blocks() {
		for _, n := range []int{number, 0} {
			before := decoded.Load()
			if _, err := cache.Block(n); err != nil {
				t.Fatal(err)
			}
			if n == 0 {
				hot += decoded.Load() - before
			}
		}
	}
	if hot > 1 {
		t.Errorf("a block in steady use was decoded %d times", hot)
	}
}

func TestCacheIsSafeForConcurrentUse(t *testing.T) {
	for name, budget := range map[string]int64{"small": 3 * format.BlockPositions, "large": 1 << 40} {
		t.Run(name, func(t *testing.T) {
			cache, decoded := newCache(budget)
			blocks := min(cache.Blocks(), 60)
			var group sync.WaitGroup
			for worker := range uint64(4) {
				group.Go(func() {
					random := rand.New(rand.NewPCG(worker, 1))
					for range 1000 {
						number := random.IntN(blocks)
						if !wantBlock(t, cache, number) {
							return
						}
					}
				})
			}
			group.Wait()
			if name == "large" && decoded.Load() != int64(blocks) {
				t.Errorf("decoded %d blocks, want each of %d once", decoded.Load(), blocks)
			}
		})
	}
}

func TestCacheForgetsErrors(t *testing.T) {
	failure := errors.New("no luck")
	fail := true
	cache := tablebase.NewCache(1<<20, 2, func(_, positions int) ([]game.Score, error) {
		if fail {
			return nil, failure
		}
		return make([]game.Score, positions), nil
	})
	if _, err := cache.Block(1); !errors.Is(err, failure) {
		t.Errorf("got error %v, want %v", err, failure)
	}
	fail = false
	got, err := cache.Block(1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(make([]game.Score, 36), got); diff != "" {
		t.Errorf("scores differ (-want +got):\n%s", diff)
	}
}

// BenchmarkCacheAt reads scores that are in the cache.
func BenchmarkCacheAt(b *testing.B) {
	cache, _ := newCache(1 << 40)
	p := game.Position{Mover: game.RowOf(3, 0, 1, 2, 0, 1), Opponent: game.RowOf(0, 4, 0, 2, 0, 1)}
	want, err := cache.At(p)
	if err != nil {
		b.Fatal(err)
	}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if got, err := cache.At(p); err != nil || got != want {
				b.Errorf("got %d, %v, want %d", got, err, want)
				return
			}
		}
	})
}
