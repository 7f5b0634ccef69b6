package solver_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// problem returns a layer to be solved whose lower layers are.
func problem(t *testing.T, rules game.Rules, width, beans, workers int) solver.Problem {
	t.Helper()
	g := newGame(t, rules, width)
	lower := make(tables)
	if beans >= 2 {
		lower = solveTo(t, g, beans-2, 2)
	}
	return solver.Problem{Game: g, Index: index.New(width, beans), Beans: beans, Lower: lower, Workers: workers}
}

func TestReport(t *testing.T) {
	tests := []struct {
		rules        game.Rules
		width, beans int
		passes       int
	}{
		{game.Bohnenspiel, 6, 8, 1},
		{game.Bohnenspiel, 6, 7, 1},
		{game.Mangala, 6, 1, 1},
		{game.Mangala, 6, 7, 2},
		{game.Bohnenspiel, 2, 12, 2},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%v/width=%d/beans=%d", test.rules, test.width, test.beans), func(t *testing.T) {
			p := problem(t, test.rules, test.width, test.beans, 4)
			var busy sync.Mutex
			var calls []solver.Progress
			p.Report = func(now solver.Progress) {
				if !busy.TryLock() {
					t.Error("two reports at once")
					return
				}
				defer busy.Unlock()
				calls = append(calls, now)
			}
			if _, err := solver.Solve(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			checkReports(t, p, calls)
			if got := calls[len(calls)-1].Pass; got != test.passes {
				t.Errorf("the last report is of pass %d, want %d", got, test.passes)
			}
		})
	}
}

// checkReports checks that each report is possible and follows the one before it.
func checkReports(t *testing.T, p solver.Problem, calls []solver.Progress) {
	t.Helper()
	if len(calls) == 0 {
		t.Fatal("no report")
	}
	last := solver.Progress{Pass: 1, Open: p.Index.Size(p.Beans)}
	for _, now := range calls {
		if now.Beans != p.Beans || now.Total != p.Index.Size(p.Beans) || now.Done > now.Total || now.Open > now.Total {
			t.Errorf("impossible report %+v", now)
		}
		if (now.Phase == solver.Converting) != (now.Sweep == 0) {
			t.Errorf("%+v: sweeps are counted from 1 while sweeping only", now)
		}
		order := cmp.Or(cmp.Compare(now.Pass, last.Pass), cmp.Compare(now.Phase, last.Phase), cmp.Compare(now.Sweep, last.Sweep))
		if order < 0 || order == 0 && now.Done < last.Done || now.Pass == last.Pass && now.Open > last.Open {
			t.Errorf("%+v comes after %+v", now, last)
		}
		last = now
	}
}

func TestPhaseString(t *testing.T) {
	if got := solver.Converting.String(); got != "convert" {
		t.Errorf("got %q, want convert", got)
	}
	if got := solver.Sweeping.String(); got != "sweep" {
		t.Errorf("got %q, want sweep", got)
	}
}

func TestSolveCancelled(t *testing.T) {
	t.Run("before it begins", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		wantCancelled(ctx, t, problem(t, game.Bohnenspiel, 6, 4, 2))
	})
	t.Run("by deadline", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 0)
		defer cancel()
		layer, err := solver.Solve(ctx, problem(t, game.Bohnenspiel, 6, 4, 2))
		if !errors.Is(err, context.DeadlineExceeded) || layer != nil {
			t.Errorf("got %v and error %v, want no layer and %v", layer, err, context.DeadlineExceeded)
		}
	})
	for _, phase := range []solver.Phase{solver.Converting, solver.Sweeping} {
		t.Run("in phase "+phase.String(), func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p := problem(t, game.Bohnenspiel, 6, 8, 2)
			p.Report = func(now solver.Progress) {
				if now.Phase == phase {
					cancel()
				}
			}
			wantCancelled(ctx, t, p)
		})
	}
	t.Run("promptly", func(t *testing.T) {
		p := problem(t, game.Bohnenspiel, 6, 8, 2)
		lower := p.Lower
		var reads atomic.Int64
		p.Lower = sourceFunc{lower, func() error { reads.Add(1); return nil }}
		if _, err := solver.Solve(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		whole := reads.Swap(0)

		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		p.Lower = sourceFunc{lower, func() error { reads.Add(1); cancel(); return nil }}
		wantCancelled(ctx, t, p)
		if got := reads.Load(); got > whole/4 {
			t.Errorf("cancelled at the first of %d reads, it made %d", whole, got)
		}
	})
}

// wantCancelled solves and wants the error of a cancelled context and no layer.
func wantCancelled(ctx context.Context, t *testing.T, p solver.Problem) {
	t.Helper()
	layer, err := solver.Solve(ctx, p)
	if !errors.Is(err, context.Canceled) || layer != nil {
		t.Errorf("got %v and error %v, want no layer and %v", layer, err, context.Canceled)
	}
}

// TestSolveLowerFails lets each read of the lower layers fail in turn.
func TestSolveLowerFails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		rules        game.Rules
		width, beans int
		step         int64 // from one failing read to the next
	}{
		{game.Bohnenspiel, 1, 12, 1},
		{game.Bohnenspiel, 2, 12, 7}, // lower layers lean: lows and highs are read
		{game.Mangala, 3, 8, 17},
		{game.Bohnenspiel, 6, 6, 499},
	}
	want := errors.New("disk on fire")
	for _, test := range tests {
		for _, workers := range []int{1, 3} {
			t.Run(fmt.Sprintf("%v/width=%d/beans=%d/workers=%d", test.rules, test.width, test.beans, workers), func(t *testing.T) {
				t.Parallel()
				p := problem(t, test.rules, test.width, test.beans, workers)
				lower := p.Lower
				var reads atomic.Int64
				p.Lower = sourceFunc{lower, func() error { reads.Add(1); return nil }}
				if _, err := solver.Solve(t.Context(), p); err != nil {
					t.Fatal(err)
				}
				whole := reads.Load()
				if whole == 0 {
					t.Fatal("nothing is read")
				}
				for fails := int64(1); fails <= whole; fails += test.step {
					reads.Store(0)
					p.Lower = sourceFunc{lower, func() error {
						if reads.Add(1) == fails {
							return want
						}
						return nil
					}}
					layer, err := solver.Solve(t.Context(), p)
					if !errors.Is(err, want) || errors.Is(err, context.Canceled) || layer != nil {
						t.Fatalf("read %d of %d fails: got %v and error %v, want no layer and %v", fails, whole, layer, err, want)
					}
				}
			})
		}
	}
}

func TestSolveTooLarge(t *testing.T) {
	beans := game.MaxBeans(game.MaxWidth)
	p := solver.Problem{
		Game: newGame(t, game.Bohnenspiel, game.MaxWidth), Index: index.New(game.MaxWidth, beans), Beans: beans, Lower: make(tables),
	}
	if layer, err := solver.Solve(t.Context(), p); !errors.Is(err, solver.ErrTooLarge) || layer != nil {
		t.Errorf("got %v and error %v, want no layer and %v", layer, err, solver.ErrTooLarge)
	}
	r := review(p.Game, beans, 1, p.Lower)
	if looked, err := solver.Check(t.Context(), r); !errors.Is(err, solver.ErrTooLarge) || looked != 0 {
		t.Errorf("check looked at %d, error %v, want %v", looked, err, solver.ErrTooLarge)
	}
}

func TestSweeps(t *testing.T) {
	solved := solveTo(t, newGame(t, game.Bohnenspiel, game.StandardWidth), 4, 1)
	if got := solved[0].Sweeps(); got != 0 {
		t.Errorf("the empty board took %d sweeps, want 0", got)
	}
	if got := solved[4].Sweeps(); got == 0 {
		t.Error("4 beans took no sweep")
	}
}
