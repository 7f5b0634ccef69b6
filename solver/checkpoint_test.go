package solver_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/memory"
)

// kept is a Checkpoint in memory. It ends the work after so many saves.
type kept struct {
	cursor solver.Cursor
	cells  []byte
	loads  int
	saves  int
	until  int
	stop   context.CancelFunc
}

func (k *kept) Load(cells []byte) (solver.Cursor, bool, error) {
	if k.cells == nil {
		return solver.Cursor{}, false, nil
	}
	k.loads++
	copy(cells, k.cells)
	return k.cursor, true, nil
}

func (k *kept) Save(cursor solver.Cursor, cells []byte) error {
	k.cursor, k.cells = cursor, slices.Clone(cells)
	k.saves++
	if k.saves == k.until {
		k.stop()
	}
	return nil
}

// solved returns all tables and numbers of a layer.
func solved(layer *solver.Layer) [][]game.Score {
	all := make([][]game.Score, 0, 4)
	all = append(all, []game.Score{game.Score(layer.Sweeps())})
	for _, kind := range []solver.Kind{solver.Scores, solver.Lows, solver.Highs} {
		table := make([]game.Score, layer.Size())
		layer.Copy(kind, 0, table)
		all = append(all, table)
	}
	return all
}

func TestCheckpointGoesOnWhereItWas(t *testing.T) {
	for _, c := range []struct {
		rules game.Rules
		width int
		beans int
	}{
		{game.Bohnenspiel, 6, 8},
		{game.Mangala, 3, 12},
		{game.Bohnenspiel, 2, 23}, // 16-bit codes
		{game.Bohnenspiel, 1, 4},  // leans
	} {
		g, err := game.New(c.rules, c.width)
		if err != nil {
			t.Fatal(err)
		}
		x := index.New(c.width, c.beans)
		lower := make(tables)
		problem := solver.Problem{Game: g, Index: x, Lower: lower, Workers: 2}
		for problem.Beans = c.beans % 2; ; problem.Beans += 2 {
			layer, err := solver.Solve(context.Background(), problem)
			if err != nil {
				t.Fatal(err)
			}
			lower[problem.Beans] = layer
			if problem.Beans == c.beans {
				break
			}
		}
		want := solved(lower[c.beans])
		delete(lower, c.beans)
		// Work that ends after each save, one save further each time.
		var block memory.Block
		problem.Memory = &block
		var k kept
		problem.Checkpoint = &k
		for tries := 0; ; tries++ {
			var ctx context.Context
			ctx, k.stop = context.WithCancel(context.Background())
			k.until = k.saves + 1 + tries%5
			layer, err := solver.Solve(ctx, problem)
			k.stop()
			if errors.Is(err, context.Canceled) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, solved(layer)); diff != "" {
				t.Errorf("%v 2×%d, %d beans: stopped %d times, the result differs (-want +got):\n%s", c.rules, c.width, c.beans, tries, diff)
			}
			if tries == 0 || k.loads != tries {
				t.Errorf("%v 2×%d, %d beans: stopped %d times, loaded %d times", c.rules, c.width, c.beans, tries, k.loads)
			}
			break
		}
		block.Free()
	}
}

// TestCheckpointOfNonsense hands the solver states that no work leaves behind.
func TestCheckpointOfNonsense(t *testing.T) {
	g, err := game.New(game.Bohnenspiel, 6)
	if err != nil {
		t.Fatal(err)
	}
	const beans = 8
	problem := solver.Problem{Game: g, Index: index.New(6, beans), Lower: make(tables), Workers: 2}
	lower := make(tables)
	problem.Lower = lower
	for problem.Beans = 0; problem.Beans < beans; problem.Beans += 2 {
		if lower[problem.Beans], err = solver.Solve(context.Background(), problem); err != nil {
			t.Fatal(err)
		}
	}
	layer, err := solver.Solve(context.Background(), problem)
	if err != nil {
		t.Fatal(err)
	}
	want := solved(layer)
	k := kept{stop: func() {}}
	problem.Checkpoint = &k
	if _, err := solver.Solve(context.Background(), problem); err != nil {
		t.Fatal(err)
	}
	good, cursor := k.cells, k.cursor
	sweeping := solver.Cursor{Phase: solver.Sweeping, Sweep: 2, Rectangle: 3}
	for name, c := range map[string]struct {
		cursor solver.Cursor
		cell   int
		code   byte
	}{
		"a code that there is not":           {sweeping, 5, 255},
		"such a code, while converting":      {solver.Cursor{Rectangle: 2}, len(good) - 64, 255},
		"a position where there is none":     {sweeping, len(good) - 1, 1},
		"a phase that there is not":          {solver.Cursor{Phase: 2}, 0, good[0]},
		"a rectangle beyond the last":        {solver.Cursor{Phase: solver.Sweeping, Sweep: 2, Rectangle: beans + 2}, 0, good[0]},
		"a rectangle before the first":       {solver.Cursor{Phase: solver.Sweeping, Sweep: 2, Rectangle: -1}, 0, good[0]},
		"a sweep before the first":           {solver.Cursor{Phase: solver.Sweeping, Sweep: -1}, 0, good[0]},
		"nothing wrong, for the test's sake": {cursor, 0, good[0]},
	} {
		t.Run(name, func(t *testing.T) {
			k := kept{stop: func() {}, cursor: c.cursor, cells: slices.Clone(good)}
			k.cells[c.cell] = c.code
			problem := problem
			problem.Checkpoint = &k
			layer, err := solver.Solve(context.Background(), problem)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, solved(layer)); diff != "" {
				t.Errorf("the result differs (-want +got):\n%s", diff)
			}
		})
	}
}

var errDisk = errors.New("the disk is full")

// broken is a Checkpoint that fails.
type broken struct {
	kept
	loading bool
}

func (b *broken) Load(cells []byte) (solver.Cursor, bool, error) {
	if b.loading {
		return solver.Cursor{}, false, errDisk
	}
	return b.kept.Load(cells)
}

func (b *broken) Save(solver.Cursor, []byte) error { return errDisk }

func TestCheckpointErrorsComeBack(t *testing.T) {
	g, err := game.New(game.Bohnenspiel, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, loading := range []bool{true, false} {
		problem := solver.Problem{
			Game: g, Index: index.New(2, 2), Beans: 2, Lower: make(tables), Checkpoint: &broken{loading: loading},
		}
		zero, err := solver.Solve(context.Background(), solver.Problem{Game: g, Index: problem.Index, Lower: problem.Lower})
		if err != nil {
			t.Fatal(err)
		}
		problem.Lower = tables{0: zero}
		if _, err := solver.Solve(context.Background(), problem); !errors.Is(err, errDisk) {
			t.Errorf("loading %v: got error %v, want %v", loading, err, errDisk)
		}
	}
}
