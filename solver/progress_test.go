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

func TestSolveLowerFails(t *testing.T) {
	want := errors.New("disk on fire")
	for _, workers := range []int{1, 3} {
		for _, after := range []int64{0, 1, 100} {
			p := problem(t, game.Mangala, 6, 7, workers)
			var reads atomic.Int64
			p.Lower = sourceFunc{p.Lower, func() error {
				if reads.Add(1) > after {
					return want
				}
				return nil
			}}
			layer, err := solver.Solve(t.Context(), p)
			if !errors.Is(err, want) || layer != nil {
				t.Errorf("%d workers, read %d fails: got %v and error %v, want no layer and %v", workers, after+1, layer, err, want)
			}
		}
	}
}
