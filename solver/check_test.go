package solver_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// record returns one record of a source.
func record(t *testing.T, source solver.Source, kind solver.Kind, beans int, i uint64) game.Score {
	t.Helper()
	if !source.Leans(beans) {
		kind = solver.Scores
	}
	run, err := source.Read(kind, beans, i, 1, make([]game.Score, 1))
	if err != nil {
		t.Fatal(err)
	}
	return run[0]
}

// follows computes a record from the records of the successors, by the rules.
func follows(t *testing.T, g game.Game, x *index.Index, source solver.Source, kind solver.Kind, p game.Position) game.Score {
	t.Helper()
	if g.Over(p) {
		return g.Final(p)
	}
	// The least that the mover gets is what the most that the opponent gets leaves.
	next := [...]solver.Kind{solver.Scores: solver.Scores, solver.Lows: solver.Highs, solver.Highs: solver.Lows}[kind]
	best := math.MinInt
	for _, s := range g.Successors(nil, p) {
		beans, i := x.Rank(s.Next)
		best = max(best, s.Captured-int(record(t, source, next, beans, i)))
	}
	return game.Score(best)
}

// review returns the review of the largest layer of tables.
func review(g game.Game, beans, workers int, tables solver.Source) solver.Review {
	return solver.Review{Game: g, Index: index.New(g.Width(), beans), Beans: beans, Tables: tables, Workers: workers}
}

func TestCheckSound(t *testing.T) {
	t.Parallel()
	boards := []struct{ width, beans int }{{1, 12}, {1, 11}, {2, 10}, {2, 11}, {3, 8}, {3, 7}, {6, 6}, {6, 5}, {9, 3}, {9, 2}}
	for _, rules := range both() {
		for _, board := range boards {
			t.Run(fmt.Sprintf("%v/width=%d/beans=%d", rules, board.width, board.beans), func(t *testing.T) {
				t.Parallel()
				g := newGame(t, rules, board.width)
				solved := solveTo(t, g, board.beans, 2)
				for n := range solved {
					size := solved[n].Size()
					for _, sample := range []uint64{0, 1, 7, size / 2, size, size + 1} {
						want := sample
						if sample == 0 || sample > size {
							want = size
						}
						for _, workers := range []int{0, 1, 3} {
							r := review(g, n, workers, solved)
							r.Sample = sample
							if got, err := solver.Check(t.Context(), r); got != want || err != nil {
								t.Errorf("%d beans, sample %d, %d workers: looked at %d of %d, error %v; want %d", n, sample, workers, got, size, err, want)
							}
						}
					}
				}
			})
		}
	}
}

// TestCheckAltered changes each record of a layer in turn.
func TestCheckAltered(t *testing.T) {
	t.Parallel()
	layers := []struct {
		rules        game.Rules
		width, beans int
	}{
		{game.Bohnenspiel, 1, 10}, // leans, and its lower layers as well
		{game.Bohnenspiel, 2, 4},  // leans here and there
		{game.Bohnenspiel, 3, 4},
		{game.Bohnenspiel, 6, 2},
		{game.Mangala, 2, 3}, // leans everywhere
		{game.Mangala, 3, 4},
	}
	for _, layer := range layers {
		t.Run(fmt.Sprintf("%v/width=%d/beans=%d", layer.rules, layer.width, layer.beans), func(t *testing.T) {
			t.Parallel()
			g := newGame(t, layer.rules, layer.width)
			solved := solveTo(t, g, layer.beans, 1)
			tables := kinds()
			if !solved.Leans(layer.beans) {
				tables = tables[:1] // the scores are all three
			}
			for _, kind := range tables {
				for i, sound := range all(solved[layer.beans], kind) {
					for _, delta := range []game.Score{-1, 1, 4} {
						bad := altered{solved, kind, layer.beans, uint64(i), sound + delta}
						checkFinds(t, g, bad)
					}
				}
			}
		})
	}
}

// checkFinds checks an altered layer. The mismatch must be real: the altered
// record, or one that would follow from the record as it was.
func checkFinds(t *testing.T, g game.Game, bad altered) {
	t.Helper()
	for _, workers := range []int{1, 2} {
		r := review(g, bad.beans, workers, bad)
		_, err := solver.Check(t.Context(), r)
		found, ok := errors.AsType[*solver.MismatchError](err)
		if !ok {
			t.Fatalf("%v %d set to %d: got error %v, want a mismatch", bad.kind, bad.index, bad.score, err)
		}
		if found.Beans != bad.beans || found.Position != r.Index.Unrank(found.Beans, found.Index) {
			t.Errorf("%v %d set to %d: mismatch has the wrong layer or position: %+v", bad.kind, bad.index, bad.score, found)
		}
		got := record(t, bad, found.Kind, found.Beans, found.Index)
		want := follows(t, g, r.Index, bad, found.Kind, found.Position)
		if found.Got != got || found.Want != want || got == want {
			t.Errorf("%v %d set to %d: %+v, want got %d and want %d, not the same", bad.kind, bad.index, bad.score, found, got, want)
		}
	}
}

// TestCheckNames alters records that no other record of the layer follows from:
// nothing but the altered one can be the mismatch.
func TestCheckNames(t *testing.T) {
	g := newGame(t, game.Mangala, 3)
	const beans = 5
	solved := solveTo(t, g, beans, 1)
	x := index.New(g.Width(), beans)
	entered := make(map[game.Position]bool)
	for i := range x.Size(beans) {
		for _, s := range g.Successors(nil, x.Unrank(beans, i)) {
			entered[s.Next] = true
		}
	}
	tried := 0
	for i := range x.Size(beans) {
		p := x.Unrank(beans, i)
		if entered[p] {
			continue
		}
		tried++
		for _, kind := range kinds() {
			sound := record(t, solved, kind, beans, i)
			want := solver.MismatchError{Position: p, Beans: beans, Index: i, Kind: kind, Got: sound + 2, Want: sound}
			_, err := solver.Check(t.Context(), review(g, beans, 2, altered{solved, kind, beans, i, want.Got}))
			if got, ok := errors.AsType[*solver.MismatchError](err); !ok || *got != want {
				t.Errorf("got error %+v, want %+v", err, want)
			}
		}
	}
	if tried < 10 {
		t.Errorf("only %d positions have no predecessor; choose another layer", tried)
	}
}

func TestCheckLowerAltered(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	solved := solveTo(t, g, 4, 1)
	// The empty board decides what the capture of all beans is worth.
	_, err := solver.Check(t.Context(), review(g, 4, 2, altered{solved, solver.Scores, 0, 0, -4}))
	if found, ok := errors.AsType[*solver.MismatchError](err); !ok || found.Beans != 4 {
		t.Errorf("got error %v, want a mismatch in layer 4", err)
	}
}

// TestCheckSampleSpread finds faults in any eighth of a layer by a small sample.
func TestCheckSampleSpread(t *testing.T) {
	const beans = 6
	g := newGame(t, game.Bohnenspiel, 6)
	solved := solveTo(t, g, beans, 2)
	size := solved[beans].Size()
	for eighth := range uint64(8) {
		r := review(g, beans, 2, shifted{solved, beans, eighth * size / 8, (eighth + 1) * size / 8})
		r.Sample = 100
		_, err := solver.Check(t.Context(), r)
		if _, ok := errors.AsType[*solver.MismatchError](err); !ok {
			t.Errorf("eighth %d is wrong: got error %v, want a mismatch", eighth, err)
		}
	}
}

func TestMismatchError(t *testing.T) {
	err := &solver.MismatchError{
		Position: game.Position{Mover: game.RowOf(0, 1, 2), Opponent: game.RowOf(3, 0, 0)},
		Beans:    6, Index: 123, Kind: solver.Lows, Got: -2, Want: 4,
	}
	got := err.Error()
	for _, want := range []string{"6", "123", "lows", "-2", "4"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
	if strings.Contains(got, "\n") || strings.HasSuffix(got, ".") {
		t.Errorf("%q is not one line without a final stop", got)
	}
}

func TestCheckReport(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	r := review(g, 6, 3, solveTo(t, g, 6, 2))
	size := r.Index.Size(6)
	for _, r.Sample = range []uint64{0, 1000} {
		want := size
		if r.Sample > 0 {
			want = r.Sample
		}
		var busy sync.Mutex
		calls, last := 0, uint64(0)
		r.Report = func(done, total uint64) {
			if !busy.TryLock() {
				t.Error("two reports at once")
				return
			}
			defer busy.Unlock()
			if total != want || done > total || done < last {
				t.Errorf("sample %d: report of %d of %d after %d, want a total of %d", r.Sample, done, total, last, want)
			}
			calls, last = calls+1, done
		}
		if _, err := solver.Check(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if calls == 0 || last != want {
			t.Errorf("sample %d: %d reports, the last of %d, want %d", r.Sample, calls, last, want)
		}
	}
}

func TestCheckSourceFails(t *testing.T) {
	want := errors.New("disk on fire")
	g := newGame(t, game.Bohnenspiel, 6)
	solved := solveTo(t, g, 6, 2)
	for _, after := range []int64{0, 1, 10} {
		for _, sample := range []uint64{0, 100} {
			var reads atomic.Int64
			r := review(g, 6, 2, sourceFunc{solved, func() error {
				if reads.Add(1) > after {
					return want
				}
				return nil
			}})
			r.Sample = sample
			if _, err := solver.Check(t.Context(), r); !errors.Is(err, want) {
				t.Errorf("read %d fails, sample %d: got error %v, want %v", after+1, sample, err, want)
			}
		}
	}
}

func TestCheckCancelled(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	solved := solveTo(t, g, 7, 2)
	for _, sample := range []uint64{0, 25000} {
		ctx, cancel := context.WithCancel(t.Context())
		var reads atomic.Int64
		r := review(g, 7, 2, sourceFunc{solved, func() error { reads.Add(1); return nil }})
		r.Sample = sample
		if _, err := solver.Check(ctx, r); err != nil {
			t.Fatal(err)
		}
		whole := reads.Swap(0)

		r.Tables = sourceFunc{solved, func() error { reads.Add(1); cancel(); return nil }}
		looked, err := solver.Check(ctx, r)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("sample %d: got error %v, want %v", sample, err, context.Canceled)
		}
		if got := reads.Load(); got > whole/2 {
			t.Errorf("sample %d: cancelled at the first of %d reads, it made %d", sample, whole, got)
		}
		if looked >= r.Index.Size(7) {
			t.Errorf("sample %d: cancelled, it looked at all %d positions", sample, looked)
		}
		if _, err := solver.Check(ctx, r); !errors.Is(err, context.Canceled) {
			t.Errorf("sample %d, cancelled before: got error %v, want %v", sample, err, context.Canceled)
		}
	}
}
