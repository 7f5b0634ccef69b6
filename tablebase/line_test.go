package tablebase_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/internal/tabletest"
)

// wantLine plays a line by the rules and fails the test unless it is legal, takes what
// it says, converts first when the DTC says so, and comes to the score.
func wantLine(tb testing.TB, g game.Game, d game.Diagram, line tablebase.Line) {
	tb.Helper()
	won := 0 // by the side to move in d, less the other
	at := d
	converted := 0
	met := append(make([]game.Diagram, 0, 1+len(line.Plies)), d)
	for i, ply := range line.Plies {
		if ply.Side != at.ToMove {
			tb.Fatalf("%v: ply %d: got side %v, want %v", d, i+1, ply.Side, at.ToMove)
		}
		number := 0
		if ply.Pit != nil {
			number = *ply.Pit
		}
		next, captured, err := at.Play(g, number)
		if err != nil {
			tb.Fatalf("%v: ply %d: %v", d, i+1, err)
		}
		if captured != ply.Captured || next.String() != ply.Position {
			tb.Fatalf("%v: ply %d: got %d taken, %s; want %d, %v", d, i+1, ply.Captured, ply.Position, captured, next)
		}
		if at.ToMove == d.ToMove {
			won += captured
		} else {
			won -= captured
		}
		if int(ply.Left) != int(line.Score)-won {
			tb.Fatalf("%v: ply %d: got %d left, want %d", d, i+1, ply.Left, int(line.Score)-won)
		}
		if converts := captured > 0 || g.Over(next.Position()); converts != (ply.DTC == 0) {
			tb.Fatalf("%v: ply %d: got DTC %v after it, and that it converts is %v", d, i+1, ply.DTC, converts)
		} else if converts && converted == 0 {
			converted = i + 1
		}
		at = next
		met = append(met, at)
	}
	if line.Endless {
		// The rest of the board belongs to nobody.
		if line.Final != nil || line.Cycle == nil {
			tb.Fatalf("%v: got final %v, cycle %v for endless play", d, line.Final, line.Cycle)
		}
		if met[*line.Cycle-1] != at {
			tb.Fatalf("%v: got %v at the end, want that of ply %d, %v", d, at, *line.Cycle, met[*line.Cycle-1])
		}
	} else {
		if !g.Over(at.Position()) || line.Cycle != nil {
			tb.Fatalf("%v: the line stops at %v, cycle %v", d, at, line.Cycle)
		}
		end := at.Settle(g)
		won = end.Lead() - d.Lead()
		if at.ToMove != d.ToMove {
			won = -end.Lead() - d.Lead()
		}
		if got := (game.Diagram{Stores: [2]int{line.Final.South, line.Final.North}}); got.Stores != end.Stores {
			tb.Fatalf("%v: got final %v, want %v", d, got.Stores, end.Stores)
		}
	}
	if won != int(line.Score) {
		tb.Fatalf("%v: the captures add up to %d, want the score, %d", d, won, line.Score)
	}
	if line.DTC == game.Endless {
		if converted > 0 || !line.Endless {
			tb.Fatalf("%v: DTC is endless, but ply %d converts, and endless is %v", d, converted, line.Endless)
		}
	} else if int(line.DTC) != converted {
		tb.Fatalf("%v: the first conversion is ply %d, want the DTC, %v", d, converted, line.DTC)
	}
}

// lineFrom returns the line of best play from a position.
func lineFrom(tb testing.TB, db *tablebase.DB, rules game.Rules, d game.Diagram) tablebase.Line {
	tb.Helper()
	line, err := db.Line(context.Background(), rules, d, tablebase.LineOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	return line
}

// randomDiagrams returns random positions with so many beans on the board, of either
// side, and with stores that make up for the rest of the beans.
func randomDiagrams(g game.Game, beans, count int, seed uint64) []game.Diagram {
	x := index.New(g.Width(), beans)
	rng := rand.New(rand.NewPCG(seed, uint64(beans)))
	diagrams := make([]game.Diagram, count)
	for i := range diagrams {
		p := x.Unrank(beans, rng.Uint64N(x.Size(beans)))
		d := game.Diagram{Width: g.Width(), Rows: [2]game.Row{p.Mover, p.Opponent}}
		if rng.IntN(2) > 0 {
			d = game.Diagram{Width: g.Width(), Rows: [2]game.Row{p.Opponent, p.Mover}, ToMove: game.North}
		}
		rest := game.MaxBeans(g.Width()) - beans
		d.Stores[game.South] = rng.IntN(rest + 1)
		d.Stores[game.North] = rest - d.Stores[game.South]
		diagrams[i] = d
	}
	return diagrams
}

// TestLines follows lines from random positions.
func TestLines(t *testing.T) {
	even, odd, count := 14, 13, 10_000
	if testing.Short() {
		even, odd, count = 6, 5, 100
	}
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		g, db := tabletest.BothParities(t, rules, even, odd)
		for _, m := range db.Layers() {
			endless := 0
			for _, d := range randomDiagrams(g, m.Beans, count, 3) {
				line := lineFrom(t, db, rules, d)
				wantLine(t, g, d, line)
				if line.Endless {
					endless++
				}
			}
			if want := rules == game.Mangala && m.Beans%2 == 1; (endless == count) != want {
				t.Errorf("%v, %d beans: %d of %d lines are endless, all is %v", rules, m.Beans, endless, count, want)
			}
		}
	}
}
