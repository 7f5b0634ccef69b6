package search_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
)

// full reports whether the tests are to take all the positions that they are meant
// for, which takes minutes.
func full() bool { return os.Getenv("BOHNENSPIEL_FULL") != "" }

// solve returns the score of a position that a search finds.
func solve(t *testing.T, s *search.Search, p game.Position) game.Score {
	t.Helper()
	bounds, _ := s.Solve(t.Context(), p, search.Trivial(p.Beans()), 0, nil)
	if !bounds.Exact() {
		t.Fatalf("%v: got bounds %+v, want a score", p, bounds)
	}
	return bounds.Low
}

// TestAgainstTables searches random positions above tables of 4 beans. All layers of
// Mangala with an odd number of beans lean on rule 8 everywhere.
func TestAgainstTables(t *testing.T) {
	t.Parallel()
	positions, most := 100, 10
	switch {
	case full():
		positions, most = 2000, 12
	case testing.Short():
		positions, most = 20, 9
	}
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		g := newGame(t, rules, game.StandardWidth)
		tables := solveLayers(t, g, most, true)
		for beans := 6; beans <= most; beans++ {
			t.Run(fmt.Sprintf("%v/beans=%d", rules, beans), func(t *testing.T) {
				t.Parallel()
				random := rand.New(rand.NewPCG(uint64(beans), uint64(rules)))
				prober := upTo{tables, 4}
				s := search.New(search.Options{Game: g, Prober: prober, Worth: search.Learn(g, prober, g.Start(6)), Workers: 1})
				for range positions {
					p := tables.index.Unrank(beans, random.Uint64N(tables.index.Size(beans)))
					if got, want := solve(t, s, p), tables.score(p); got != want {
						t.Fatalf("%v: got %d, want %d", p, got, want)
					}
				}
				wantRight(t, s, tables)
			})
		}
	}
}

// wantRight compares each answer that a search remembers with the tables: none may
// hold on some path only.
func wantRight(t *testing.T, s *search.Search, tables *solved) {
	t.Helper()
	answers := 0
	for r := range s.Records(0) {
		if r.Verdict() == search.Open {
			continue
		}
		answers++
		q := r.Question
		if got, want := r.Verdict() == search.Yes, tables.score(q.Position) >= game.Score(q.Bound); got != want {
			t.Fatalf("%v at least %d: got %v, want %v", q.Position, q.Bound, got, want)
		}
	}
	if answers == 0 {
		t.Errorf("no answer is remembered")
	}
}

// TestLargerTables searches positions of layers that have tables, with those up to 16
// beans alone.
func TestLargerTables(t *testing.T) {
	t.Parallel()
	top, layers, positions := 8, []int{10, 12}, 100
	switch {
	case full():
		top, layers, positions = 16, []int{18, 20}, 500
	case testing.Short():
		positions = 20
	}
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		t.Run(rules.String(), func(t *testing.T) {
			t.Parallel()
			g := newGame(t, rules, game.StandardWidth)
			tables := solveLayers(t, g, layers[len(layers)-1], false)
			for _, beans := range layers {
				random := rand.New(rand.NewPCG(uint64(beans), uint64(rules)))
				prober := upTo{tables, top}
				s := search.New(search.Options{Game: g, Prober: prober, Worth: search.Learn(g, prober, g.Start(6)), Workers: 2})
				for range positions {
					p := tables.index.Unrank(beans, random.Uint64N(tables.index.Size(beans)))
					if got, want := solve(t, s, p), tables.score(p); got != want {
						t.Fatalf("%v: got %d, want %d", p, got, want)
					}
				}
			}
		})
	}
}

// TestSmallBoards searches every position of small layers, without any table, in a
// table that holds all and in one that holds next to nothing, alone and in parallel.
// On narrow boards even layers lean on rule 8 as well.
func TestSmallBoards(t *testing.T) {
	t.Parallel()
	beans := map[int]int{1: 8, 2: 7, 3: 5, 4: 4}
	if testing.Short() {
		beans = map[int]int{1: 6, 2: 5, 3: 4}
	}
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		for width, most := range beans {
			for _, o := range []search.Options{
				{Workers: 1, Memory: 1 << 20},
				{Workers: 1, Memory: 1 << 12, Tuning: search.Tuning{Weak: true, NoShare: true, FlatGuess: true, NoAhead: true}},
				{Workers: 3, Memory: 1 << 14},
			} {
				t.Run(fmt.Sprintf("%v/width=%d/workers=%d/memory=%d", rules, width, o.Workers, o.Memory), func(t *testing.T) {
					t.Parallel()
					o.Game = newGame(t, rules, width)
					tables := solveLayers(t, o.Game, most, true)
					s := search.New(o)
					for n := range most + 1 {
						for at := range tables.index.Size(n) {
							p := tables.index.Unrank(n, at)
							if got, want := solve(t, s, p), tables.score(p); got != want {
								t.Fatalf("%v: got %d, want %d", p, got, want)
							}
						}
					}
					wantRight(t, s, tables)
				})
			}
		}
	}
}

func TestDecide(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Mangala, 3)
	tables := solveLayers(t, g, 7, true)
	s := search.New(search.Options{Game: g, Workers: 1})
	for _, beans := range []int{6, 7} {
		for at := uint64(0); at < tables.index.Size(beans); at += 17 {
			p := tables.index.Unrank(beans, at)
			for bound := -beans - 3; bound <= beans+3; bound++ {
				want := search.No
				if int(tables.score(p)) >= bound {
					want = search.Yes
				}
				if got, _ := s.Decide(t.Context(), p, bound, 0); got != want {
					t.Fatalf("%v at least %d: got %v, want %v", p, bound, got, want)
				}
			}
		}
	}
}

func TestStopped(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, game.StandardWidth)
	s := search.New(search.Options{Game: g, Workers: 2, Memory: 1 << 22})
	const limit = 3000
	bounds, visited := s.Solve(t.Context(), g.Start(6), search.Trivial(72), limit, nil)
	if bounds.Exact() || visited < limit || visited > 2*limit {
		t.Errorf("with a limit of %d: got bounds %+v after %d positions", limit, bounds, visited)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, visited := s.Decide(ctx, g.Start(6), 1, 0); got != search.Open || visited > limit {
		t.Errorf("cancelled: got %v after %d positions, want open at once", got, visited)
	}
	if fill := s.Fill(); fill <= 0 || fill > 1 {
		t.Errorf("fill: got %v", fill)
	}
}

// TestRestored gives what one search has found to another, which has no more to do.
func TestRestored(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, game.StandardWidth)
	first := search.New(search.Options{Game: g, Workers: 1})
	second := search.New(search.Options{Game: g, Workers: 1})
	want, visited := first.Decide(t.Context(), g.Start(1), 1, 0)
	for r := range first.Records(0) {
		second.Restore(r)
	}
	if got, again := second.Decide(t.Context(), g.Start(1), 1, 0); got != want || again != 0 || visited == 0 {
		t.Errorf("got %v after %d positions, want %v after none; the first took %d", got, again, want, visited)
	}
}
