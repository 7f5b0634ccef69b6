package index_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// TestRowMovesGiveAllMoves puts the moves of each position together from the tables
// of rows alone, and compares them with those that the rules give.
func TestRowMovesGiveAllMoves(t *testing.T) {
	t.Parallel()
	most := uint64(20_000)
	if testing.Short() {
		most = 2_000
	}
	for _, x := range indexes() {
		t.Run(fmt.Sprintf("width=%d", x.Width()), func(t *testing.T) {
			t.Parallel()
			g, err := game.New(game.Bohnenspiel, x.Width())
			if err != nil {
				t.Fatal(err)
			}
			for beans := 0; beans <= x.MaxBeans() && x.Size(beans) <= most; beans++ {
				for i := range x.Size(beans) {
					p := x.Unrank(beans, i)
					want := g.Successors(nil, p)
					for i := range want {
						want[i].Pit = 0 // tables don't tell the pits of all moves
					}
					got := movesOf(x, p)
					sortMoves(got)
					sortMoves(want)
					if diff := gocmp.Diff(want, got); diff != "" {
						t.Fatalf("moves of %v / %v (-want +got):\n%s", p.Mover.Pits(x.Width()), p.Opponent.Pits(x.Width()), diff)
					}
				}
			}
		})
	}
}

// movesOf returns the moves of a position by the tables of rows.
func movesOf(x *index.Index, p game.Position) []game.Successor {
	width, beans := x.Width(), p.Mover.Beans()
	table := x.RowMoves(beans)
	from := x.RankRow(p.Mover)
	var moves []game.Successor
	for pit := range width {
		entry := table.Quiet[from*uint64(width)+uint64(pit)]
		if entry.Sowing() == index.NoSowing {
			continue
		}
		sowing := index.SowingOf(entry.Sowing(), width)
		if sowing.Pits > 0 {
			continue // in a group as well
		}
		after := x.UnrankRow(beans-sowing.Spill(width), uint64(entry.Rank()))
		moves = append(moves, game.Successor{Next: game.Position{Mover: sowing.Sow(p.Opponent, width), Opponent: after}})
	}
	for _, group := range table.Groups {
		for _, pair := range group.Moves {
			if uint64(pair.From) == from {
				after := x.UnrankRow(beans-group.Sowing.Spill(width)-group.Captured, uint64(pair.To))
				moves = append(moves, finish(x, group, after, group.Sowing.Sow(p.Opponent, width)))
			}
		}
	}
	return moves
}

// finish runs the chain of a move of a group to its end. The mover's row is the one
// after what the group captures, the opponent's the one after the sowing.
func finish(x *index.Index, group index.Group, mover, opponent game.Row) game.Successor {
	last, total, runs := x.Width()-1, group.Captured, group.Over
	if group.Sowing.Pits > 0 {
		last, runs = group.Sowing.Pits-1, true
	}
	for runs {
		var captured int
		opponent, captured, runs = index.Chain(opponent, last)
		total += captured
		if !runs {
			break
		}
		tail := x.RowMoves(mover.Beans()).Tails[x.RankRow(mover)]
		if runs = tail == index.Through; runs {
			total += mover.Beans()
			mover, last = 0, x.Width()-1
			continue
		}
		total += tail.Captured()
		mover = x.UnrankRow(mover.Beans()-tail.Captured(), uint64(tail.Rank()))
	}
	return game.Successor{Captured: total, Next: game.Position{Mover: opponent, Opponent: mover}}
}

// sortMoves brings moves into an order of their own.
func sortMoves(moves []game.Successor) {
	slices.SortFunc(moves, func(a, b game.Successor) int {
		return cmp.Or(
			cmp.Compare(a.Captured, b.Captured),
			cmp.Compare(a.Next.Mover, b.Next.Mover),
			cmp.Compare(a.Next.Opponent, b.Next.Opponent),
		)
	})
}

// TestRowMovesSummaries compares the parts of a table that repeat others.
func TestRowMovesSummaries(t *testing.T) {
	for _, x := range indexes() {
		width := uint64(x.Width())
		for beans := 0; beans <= x.MaxBeans() && x.Rows(beans) <= 2_000; beans++ {
			table := x.RowMoves(beans)
			var used uint64
			intoOpponent := map[index.Pair]int{}
			var captures []int
			for rank := range x.Rows(beans) {
				var sowings uint64
				for _, entry := range table.Quiet[rank*width : (rank+1)*width] {
					if entry.Sowing() == index.NoSowing {
						continue
					}
					sowings |= 1 << entry.Sowing()
					if sowing := index.SowingOf(entry.Sowing(), x.Width()); sowing.Pits > 0 {
						intoOpponent[index.Pair{From: uint32(rank), To: uint32(entry.Rank())}]++
					}
				}
				if got := table.Sowings[rank]; got != sowings {
					t.Errorf("width %d, %d beans: Sowings[%d] = %b, want %b", width, beans, rank, got, sowings)
				}
				used |= sowings
				if tail := table.Tails[rank]; tail != index.Through && !slices.Contains(captures, tail.Captured()) {
					captures = append(captures, tail.Captured())
				}
			}
			if table.Used != used {
				t.Errorf("width %d, %d beans: Used = %b, want %b", width, beans, table.Used, used)
			}
			slices.Sort(captures)
			if diff := gocmp.Diff(captures, table.TailCaptures); diff != "" {
				t.Errorf("width %d, %d beans: TailCaptures (-want +got):\n%s", width, beans, diff)
			}
			for _, group := range table.Groups {
				if group.Captured == 0 {
					for _, pair := range group.Moves {
						intoOpponent[pair]--
					}
				}
			}
			for pair, count := range intoOpponent {
				if count != 0 {
					t.Errorf("width %d, %d beans: Quiet and Groups differ at %+v", width, beans, pair)
				}
			}
		}
	}
}

func TestRowMovesOfLargeLayers(t *testing.T) {
	for _, x := range indexes() {
		for beans := range x.MaxBeans() + 1 {
			has := x.HasRowMoves(beans)
			if x.Size(beans) <= 1<<36 && !has {
				t.Errorf("width %d: no row moves for layer %d of %d positions", x.Width(), beans, x.Size(beans))
			}
			if has {
				continue
			}
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("width %d: RowMoves(%d): want a panic", x.Width(), beans)
					}
				}()
				x.RowMoves(beans)
			}()
		}
	}
}

func TestSowing(t *testing.T) {
	for width := game.MinWidth; width <= game.MaxWidth; width++ {
		opponent := game.Ones(0, width)
		id := 0
		for lap := range 3 {
			for pits := range width + 1 {
				sowing := index.Sowing{Lap: lap, Pits: pits}
				if got := sowing.ID(width); got != id {
					t.Errorf("width %d: ID of %+v = %d, want %d", width, sowing, got, id)
				}
				if got := index.SowingOf(id, width); got != sowing {
					t.Errorf("width %d: SowingOf(%d) = %+v, want %+v", width, id, got, sowing)
				}
				after := sowing.Sow(opponent, width)
				for pit := range width {
					want := 1 + lap
					if pit < pits {
						want++
					}
					if got := after.Pit(pit); got != want {
						t.Errorf("width %d: pit %d after %+v = %d, want %d", width, pit, sowing, got, want)
					}
				}
				if got, want := after.Beans()-opponent.Beans(), sowing.Spill(width); got != want {
					t.Errorf("width %d: %+v spills %d, want %d", width, sowing, want, got)
				}
				id++
			}
		}
	}
}
