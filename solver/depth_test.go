package solver_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/internal/reference"
	"bohnenspiel/solver/memory"
)

// dtcs are the DTCs of a whole layer. They are a solver.DepthSource.
type dtcs []game.DTC

func (d dtcs) ReadDepth(i uint64) (game.DTC, error) { return d[i], nil }

// depthProblem returns the problem of the largest layer of tables.
func depthProblem(g game.Game, beans, workers int, tables solver.Source) solver.DepthProblem {
	return solver.DepthProblem{Game: g, Index: index.New(g.Width(), beans), Beans: beans, Tables: tables, Workers: workers}
}

// solveDepths returns the DTCs of a layer.
func solveDepths(t *testing.T, p solver.DepthProblem) (*solver.DepthLayer, dtcs) {
	t.Helper()
	layer, err := solver.SolveDepths(t.Context(), p)
	if err != nil {
		t.Fatalf("%v, width %d, %d beans: %v", p.Game.Rules(), p.Game.Width(), p.Beans, err)
	}
	all := make(dtcs, layer.Size())
	layer.Copy(0, all)
	return layer, all
}

func TestDepthsAgainstReference(t *testing.T) {
	boards := []board{{1, 12, 12}, {2, 12, 24}, {3, 8, 14}, {4, 6, 9}, {5, 5, 7}, {6, 6, 8}, {7, 4, 5}, {9, 3, 4}}
	againstReference(t, boards, func(t *testing.T, g game.Game, beans int, solved tables, known *reference.Tables) {
		t.Helper()
		compareDepths(t, g, beans, solved, known.Depths(beans))
	})
}

// compareDepths compares all DTCs and the totals of a layer.
func compareDepths(t *testing.T, g game.Game, beans int, solved tables, want map[game.Position]int) {
	t.Helper()
	x := index.New(g.Width(), beans)
	longest, endless := 0, uint64(0)
	for _, depth := range want {
		if depth == reference.Endless {
			endless++
		} else {
			longest = max(longest, depth)
		}
	}
	layer, got := solveDepths(t, depthProblem(g, beans, 2, solved))
	if layer.Beans() != beans || layer.Size() != uint64(len(want)) || int(layer.Longest()) != longest || layer.Endless() != endless {
		t.Errorf("%d beans: got %d positions of %d beans, the longest %v, %d endless; want %d, %d, %d", beans,
			layer.Size(), layer.Beans(), layer.Longest(), layer.Endless(), len(want), longest, endless)
	}
	for i, dtc := range got {
		p := x.Unrank(beans, uint64(i))
		depth := want[p]
		if depth == reference.Endless {
			depth = int(game.Endless)
		}
		if int(dtc) != depth {
			t.Fatalf("%d beans, index %d, %v / %v: got %v, want %d", beans, i, p.Mover.Pits(g.Width()), p.Opponent.Pits(g.Width()), dtc, depth)
		}
	}
}

func TestDepthWorkersAgree(t *testing.T) {
	t.Parallel()
	boards := []struct{ width, beans int }{{1, 12}, {2, 15}, {3, 9}, {6, 6}, {6, 7}}
	for _, rules := range both() {
		for _, board := range boards {
			t.Run(fmt.Sprintf("%v/width=%d/beans=%d", rules, board.width, board.beans), func(t *testing.T) {
				t.Parallel()
				g := newGame(t, rules, board.width)
				solved := solveTo(t, g, board.beans, 2)
				one, want := solveDepths(t, depthProblem(g, board.beans, 1, solved))
				for _, workers := range []int{2, 3, 8, 0} {
					layer, got := solveDepths(t, depthProblem(g, board.beans, workers, solved))
					if !slices.Equal(got, want) || layer.Longest() != one.Longest() || layer.Endless() != one.Endless() {
						t.Errorf("DTCs of %d workers differ from those of one", workers)
					}
				}
			})
		}
	}
}

// TestDepthMemory uses memory of its own, dirty from another layer, and copies parts.
func TestDepthMemory(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Mangala, 6)
	const beans = 6
	solved := solveTo(t, g, beans, 2)
	p := depthProblem(g, beans, 2, solved)
	_, want := solveDepths(t, p)
	p.Memory = new(memory.Block)
	defer p.Memory.Free()
	for range 3 {
		layer, got := solveDepths(t, p)
		if !slices.Equal(got, want) {
			t.Errorf("DTCs differ from those on the heap")
		}
		cells, _ := solver.DepthFootprint(p.Index, beans, 2)
		if size := uint64(p.Memory.Size()); size < cells || size > 3*cells+4<<20 {
			t.Errorf("took %d bytes of memory, said %d", size, cells)
		}
		for _, part := range []struct{ first, count int }{{0, 1}, {1, 1000}, {5000, 0}, {len(want) - 7, 7}} {
			run := make(dtcs, part.count)
			layer.Copy(uint64(part.first), run)
			if !slices.Equal(run, want[part.first:part.first+part.count]) {
				t.Errorf("%d DTCs from %d on differ", part.count, part.first)
			}
		}
	}
}

// madeUp is a source of arbitrary scores: those of one layer, one of a position below,
// and 100 elsewhere.
type madeUp struct {
	beans  int
	scores []game.Score
	below  struct {
		beans int
		index uint64
		score game.Score
	}
}

func (m *madeUp) Read(_ solver.Kind, beans int, first uint64, count int, buf []game.Score) ([]game.Score, error) {
	if beans == m.beans {
		return m.scores[first : first+uint64(count)], nil
	}
	for i := range count {
		buf[i] = 100 // a capture that leads there is worth less than any score
	}
	if i := m.below.index; beans == m.below.beans && first <= i && i < first+uint64(count) {
		buf[i-first] = m.below.score
	}
	return buf[:count], nil
}

func (m *madeUp) Leans(int) bool { return false }

// lane returns so many positions of a layer, each of which leads to the next by a quiet
// move and to none that is further down, and a capture of the last that none of the
// others has.
func lane(g game.Game, x *index.Index, beans, length int) (path []game.Position, capture game.Successor) {
	random := rand.New(rand.NewPCG(1, 2))
	for {
		path := []game.Position{x.Unrank(beans, random.Uint64N(x.Size(beans)))}
		reached := map[game.Position]bool{path[0]: true}
		// open returns the moves to positions not reached that take beans, or take none.
		open := func(p game.Position, captures bool) []game.Successor {
			return slices.DeleteFunc(g.Successors(nil, p), func(s game.Successor) bool {
				return reached[s.Next] || g.Over(s.Next) || s.Captured > 0 != captures
			})
		}
		for {
			last := path[len(path)-1]
			if captures := open(last, true); len(path) == length && len(captures) > 0 {
				return path, captures[0]
			}
			moves := open(last, false)
			if len(path) == length || len(moves) == 0 {
				break
			}
			for _, s := range g.Successors(nil, last) {
				reached[s.Next] = true
			}
			// To where there are fewest moves, so that most remain for later.
			next := slices.MinFunc(moves, func(a, b game.Successor) int {
				ways := func(s game.Successor) int { return (len(open(s.Next, false)) + 99) % 100 } // no way is worst
				return ways(a) - ways(b)
			})
			path = append(path, next.Next)
		}
	}
}

// TestLargestDepth makes up scores by which the only way to a conversion is longer than
// any in real layers that can be solved here.
func TestLargestDepth(t *testing.T) {
	t.Parallel()
	const beans = 8
	g := newGame(t, game.Bohnenspiel, 8)
	x := index.New(8, beans)
	for _, length := range []int{int(solver.MaxDTC), int(solver.MaxDTC) + 1} {
		path, capture := lane(g, x, beans, length)
		table := &madeUp{beans: beans, scores: make([]game.Score, x.Size(beans))}
		table.below.beans, table.below.index = x.Rank(capture.Next)
		table.below.score = game.Score(capture.Captured)
		for i := range table.scores {
			table.scores[i] = -1 // no quiet move keeps this: no score is 1
		}
		want := make(map[uint64]game.DTC)
		for i, p := range path {
			_, at := x.Rank(p)
			table.scores[at] = 0
			want[at] = game.DTC(length - i)
		}
		p := depthProblem(g, beans, 2, table)
		if length > int(solver.MaxDTC) {
			if _, err := solver.SolveDepths(t.Context(), p); !errors.Is(err, solver.ErrTooDeep) {
				t.Errorf("a DTC of %d: got error %v", length, err)
			}
			continue
		}
		layer, got := solveDepths(t, p)
		if int(layer.Longest()) != length {
			t.Errorf("got %v as the longest DTC, want %d", layer.Longest(), length)
		}
		for i, dtc := range got {
			expected, ok := want[uint64(i)]
			switch {
			case g.Over(x.Unrank(beans, uint64(i))):
				expected = 0
			case !ok:
				expected = 1
			}
			if dtc != expected {
				t.Fatalf("index %d: got %v, want %v", i, dtc, expected)
			}
		}
	}
}

func TestSolveDepthsFails(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 6)
	const beans = 6
	solved := solveTo(t, g, beans, 2)
	want := errors.New("disk on fire")
	for _, after := range []int64{0, 1, 1000} {
		var reads atomic.Int64
		source := sourceFunc{solved, func() error {
			if reads.Add(1) > after {
				return want
			}
			return nil
		}}
		if _, err := solver.SolveDepths(t.Context(), depthProblem(g, beans, 2, source)); !errors.Is(err, want) {
			t.Errorf("read %d fails: got error %v, want %v", after+1, err, want)
		}
	}
	for _, sweep := range []int{0, 1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		p := depthProblem(g, beans, 2, solved)
		p.Report = func(r solver.Progress) {
			if r.Sweep == sweep {
				cancel()
			}
		}
		if _, err := solver.SolveDepths(ctx, p); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled in sweep %d: got error %v", sweep, err)
		}
		cancel()
	}
	p := depthProblem(newGame(t, game.Bohnenspiel, 6), 64, 1, solved)
	if _, err := solver.SolveDepths(t.Context(), p); !errors.Is(err, solver.ErrTooLarge) {
		t.Errorf("64 beans: got error %v, want %v", err, solver.ErrTooLarge)
	}
}

// TestDepthProgress wants reports that grow, whose sweeps are the DTCs.
func TestDepthProgress(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 6)
	const beans = 7
	solved := solveTo(t, g, beans, 2)
	p := depthProblem(g, beans, 3, solved)
	var last solver.Progress
	p.Report = func(r solver.Progress) {
		if r.Total != p.Index.Size(beans) || r.Done > r.Total || r.Beans != beans || r.Open > last.Open && last.Total > 0 ||
			r.Sweep < last.Sweep || r.Sweep == last.Sweep && r.Done < last.Done {
			t.Errorf("report %+v after %+v", r, last)
		}
		last = r
	}
	layer, _ := solveDepths(t, p)
	if last.Open != layer.Endless() || last.Sweep != int(layer.Longest()) {
		t.Errorf("the last report is %+v, want sweep %v and %d open", last, layer.Longest(), layer.Endless())
	}
}
