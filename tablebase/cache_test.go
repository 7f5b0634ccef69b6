package tablebase_test

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// scoreAt is the score that the tests' tables hold at an index.
func scoreAt(i uint64) game.Score { return game.Score(i * 0x9E3779B97F4A7C15 >> 56) }

// newCache returns a cache over a table of scoreAt, and the number of blocks decoded.
func newCache(budget int64, positions uint64) (tablebase.Cache, *atomic.Int64) {
	var decoded atomic.Int64
	cache := tablebase.NewCache(budget, positions, func(number, count int) ([]game.Score, error) {
		decoded.Add(1)
		scores := make([]game.Score, count)
		for i := range scores {
			scores[i] = scoreAt(uint64(number)*tablebase.BlockPositions + uint64(i))
		}
		return scores, nil
	})
	return cache, &decoded
}

// wantRun fails the test unless got are the scores from first on.
func wantRun(t *testing.T, got []game.Score, first uint64, count int) {
	t.Helper()
	if len(got) != count {
		t.Fatalf("got %d scores from %d on, want %d", len(got), first, count)
	}
	for i, score := range got {
		if want := scoreAt(first + uint64(i)); score != want {
			t.Fatalf("got %d at %d, want %d", score, first+uint64(i), want)
		}
	}
}

func TestCacheReads(t *testing.T) {
	const positions = 5*tablebase.BlockPositions + 1234
	cache, decoded := newCache(1<<40, positions)
	buf := make([]game.Score, positions)
	for _, c := range []struct {
		name  string
		first uint64
		count int
		views bool
	}{
		{"nothing", 17, 0, true},
		{"the first score", 0, 1, true},
		{"a whole block", tablebase.BlockPositions, tablebase.BlockPositions, true},
		{"the last score", positions - 1, 1, true},
		{"over one border", tablebase.BlockPositions - 10, 20, false},
		{"over two borders", tablebase.BlockPositions - 1, tablebase.BlockPositions + 2, false},
		{"to the end", 4*tablebase.BlockPositions + 5, tablebase.BlockPositions + 1229, false},
		{"everything", 0, positions, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := cache.Read(c.first, c.count, buf)
			if err != nil {
				t.Fatal(err)
			}
			wantRun(t, got, c.first, c.count)
			if inBuf := c.count > 0 && &got[0] == &buf[0]; inBuf == c.views {
				t.Errorf("scores are in the caller's buffer: %v, want %v", inBuf, !c.views)
			}
		})
	}
	if got := decoded.Load(); got != 6 {
		t.Errorf("decoded %d blocks, want each of 6 once", got)
	}
}

func TestCacheKeepsItsBudget(t *testing.T) {
	const positions = 40 * tablebase.BlockPositions
	for name, budget := range map[string]int64{"none": 0, "one block": tablebase.BlockPositions, "seven and a half": 15 * tablebase.BlockPositions / 2} {
		t.Run(name, func(t *testing.T) {
			cache, _ := newCache(budget, positions)
			random := rand.New(rand.NewPCG(1, 1))
			buf := make([]game.Score, 20000)
			for range 500 {
				first := random.Uint64N(positions - 20000)
				count := 1 + random.IntN(20000)
				got, err := cache.Read(first, count, buf)
				if err != nil {
					t.Fatal(err)
				}
				wantRun(t, got, first, count)
				counted, actual := cache.Bytes()
				if counted != actual {
					t.Fatalf("counted %d bytes, but the cache has %d", counted, actual)
				}
				if counted > max(budget, tablebase.BlockPositions) {
					t.Fatalf("the cache has %d bytes, more than the budget of %d", counted, budget)
				}
			}
		})
	}
}

func TestCacheKeepsWhatIsUsed(t *testing.T) {
	const blocks = 100
	cache, decoded := newCache(10*tablebase.BlockPositions, blocks*tablebase.BlockPositions)
	hot := int64(0) // times that block 0 was decoded
	for number := range uint64(blocks) {
		for _, first := range []uint64{number * tablebase.BlockPositions, 0} {
			before := decoded.Load()
			if _, err := cache.Read(first, 1, nil); err != nil {
				t.Fatal(err)
			}
			if first == 0 {
				hot += decoded.Load() - before
			}
		}
	}
	if hot > 1 {
		t.Errorf("a block in steady use was decoded %d times", hot)
	}
}

func TestCacheIsSafeForConcurrentUse(t *testing.T) {
	const positions = 30 * tablebase.BlockPositions
	for name, budget := range map[string]int64{"small": 3 * tablebase.BlockPositions, "large": 1 << 40} {
		t.Run(name, func(t *testing.T) {
			cache, decoded := newCache(budget, positions)
			var group sync.WaitGroup
			for worker := range uint64(4) {
				group.Go(func() {
					random := rand.New(rand.NewPCG(worker, 1))
					buf := make([]game.Score, 500)
					for range 1000 {
						first := random.Uint64N(positions - 500)
						got, err := cache.Read(first, 500, buf)
						if err != nil {
							t.Error(err)
							return
						}
						for i, score := range got {
							if score != scoreAt(first+uint64(i)) {
								t.Errorf("wrong score at %d", first+uint64(i))
								return
							}
						}
					}
				})
			}
			group.Wait()
			if name == "large" && decoded.Load() != 30 {
				t.Errorf("decoded %d blocks, want each of 30 once", decoded.Load())
			}
		})
	}
}

func TestCacheForgetsErrors(t *testing.T) {
	failure := errors.New("no luck")
	fail := true
	cache := tablebase.NewCache(1<<20, 10, func(_, count int) ([]game.Score, error) {
		if fail {
			return nil, failure
		}
		return make([]game.Score, count), nil
	})
	if _, err := cache.Read(0, 10, nil); !errors.Is(err, failure) {
		t.Errorf("got error %v, want %v", err, failure)
	}
	fail = false
	got, err := cache.Read(0, 10, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(make([]game.Score, 10), got); diff != "" {
		t.Errorf("scores differ (-want +got):\n%s", diff)
	}
}

// BenchmarkCacheRead reads runs that are in the cache.
func BenchmarkCacheRead(b *testing.B) {
	const positions = 64 * tablebase.BlockPositions
	cache, _ := newCache(1<<40, positions)
	buf := make([]game.Score, positions)
	got, err := cache.Read(0, positions, buf)
	if err != nil || got[positions-1] != scoreAt(positions-1) {
		b.Fatalf("wrong scores: %v", err)
	}
	for _, count := range []int{1, 1000, 20000} {
		b.Run("scores="+strconv.Itoa(count), func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				buf := make([]game.Score, count)
				first := uint64(0)
				for pb.Next() {
					first = (first + 7919*31) % (positions - 20000)
					if _, err := cache.Read(first, count, buf); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}
