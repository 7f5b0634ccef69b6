package game_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bohnenspiel/solver/game"
)

// agree checks all moves of a position against the plain rules.
func agree(tb rapid.TB, g game.Game, p game.Position) {
	tb.Helper()
	board := plainOf(g, game.Diagram{Width: g.Width(), Rows: [2]game.Row{p.Mover, p.Opponent}})
	numbers := board.moves()
	if g.Over(p) != board.over() {
		tb.Fatalf("%v %v: Over = %v, want %v", name(g), board.diagram(), g.Over(p), board.over())
	}
	passes := len(numbers) == 1 && numbers[0] == 0
	if g.Passes(p) != passes {
		tb.Fatalf("%v %v: Passes = %v, want %v", name(g), board.diagram(), g.Passes(p), passes)
	}
	var room [game.MaxWidth]game.Successor
	successors := g.Successors(room[:0], p)
	if len(successors) != len(numbers) {
		tb.Fatalf("%v %v: %d successors, want %d", name(g), board.diagram(), len(successors), len(numbers))
	}
	for i, s := range successors {
		after := board
		captured := after.play(numbers[i])
		d := after.diagram()
		want := game.Successor{Pit: numbers[i] - 1, Captured: captured, Next: d.Position()}
		if s != want {
			tb.Fatalf("%v %v, move %d: got %+v, want %+v", name(g), board.diagram(), numbers[i], s, want)
		}
		if s.Next.Beans()+s.Captured != p.Beans() {
			tb.Fatalf("%v %v, move %d: %d beans became %d and %d captured",
				name(g), board.diagram(), numbers[i], p.Beans(), s.Next.Beans(), s.Captured)
		}
		next, captured := g.Play(p, s.Pit)
		if next != s.Next || captured != s.Captured {
			tb.Fatalf("%v %v, move %d: Play gives %v and %d, Successors %+v",
				name(g), board.diagram(), numbers[i], next, captured, s)
		}
	}
}

func TestMovesAgreeWithPlainRulesOnSmallLayers(t *testing.T) {
	t.Parallel()
	for _, g := range allGames(t) {
		t.Run(name(g), func(t *testing.T) {
			t.Parallel()
			for _, positions := range smallLayers(g.Width(), thin(100_000, 3_000)) {
				for p := range positions {
					agree(t, g, p)
				}
			}
		})
	}
}

func TestMovesAgreeWithPlainRulesOnFullBoards(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := drawGame(rt)
		agree(rt, g, position(drawPits(rt, g.Width())...))
	})
}

func TestFinal(t *testing.T) {
	for _, g := range allGames(t) {
		for _, positions := range smallLayers(g.Width(), 300) {
			for p := range positions {
				if !g.Over(p) {
					continue
				}
				board := plainOf(g, game.Diagram{Width: g.Width(), Rows: [2]game.Row{p.Mover, p.Opponent}})
				board.settle()
				got, want := g.Final(p), game.Score(board.stores[0]-board.stores[1])
				if got != want {
					t.Errorf("%v, %v: Final = %d, want %d", name(g), p, got, want)
				}
			}
		}
	}
}

func TestSuccessorsAppends(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 2)
	first := game.Successor{Pit: 7}
	got := g.Successors([]game.Successor{first}, position(1, 0, 0, 0))
	want := []game.Successor{first, {Pit: 0, Next: position(0, 0, 0, 1)}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Successors (-want +got):\n%s", diff)
	}
}

func TestPlayFromEmptyPitPanics(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	defer func() {
		if recover() == nil {
			t.Error("Play from an empty pit: want a panic")
		}
	}()
	g.Play(position(0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0)
}

func TestNew(t *testing.T) {
	for width := -1; width <= 12; width++ {
		g, err := game.New(game.Mangala, width)
		if width >= 1 && width <= 9 {
			if err != nil || g.Width() != width || g.Rules() != game.Mangala {
				t.Errorf("New(Mangala, %d) = %v, %v", width, g, err)
			}
			continue
		}
		if !errors.Is(err, game.ErrWidth) {
			t.Errorf("New(Mangala, %d): error %v, want one that wraps ErrWidth", width, err)
		}
	}
}

// BenchmarkPlay plays the moves of a game, over and over.
func BenchmarkPlay(b *testing.B) {
	g := newGame(b, game.Bohnenspiel, game.StandardWidth)
	numbers := []int{2, 7, 1, 12, 1, 8, 4, 11, 3, 10, 3, 11, 6, 9, 4, 12, 5, 11, 1, 12, 1, 7, 2, 8, 3, 10, 4, 11, 5, 12, 1}
	positions := make([]game.Position, 0, len(numbers))
	pits := make([]int, 0, len(numbers))
	d := g.StartDiagram(6)
	for _, number := range numbers {
		positions = append(positions, d.Position())
		pits = append(pits, number-d.Number(0))
		var err error
		if d, _, err = d.Play(g, number); err != nil {
			b.Fatal(err)
		}
	}
	if got, want := d.Settle(g).Stores, [2]int{46, 26}; got != want {
		b.Fatalf("the game ends %v, want %v", got, want)
	}
	moves := 0
	for b.Loop() {
		for i, p := range positions {
			g.Play(p, pits[i])
		}
		moves += len(positions)
	}
	b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
}
