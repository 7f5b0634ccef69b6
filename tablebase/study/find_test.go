package study_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/study"
)

// TestFindAgreesWithLines looks at every position of small layers by the definition of
// a puzzle, move by move along the line that the database plays, and compares.
func TestFindAgreesWithLines(t *testing.T) {
	t.Parallel()
	beans := []int{2, 4, 6, 5}
	if testing.Short() {
		beans = []int{2, 4, 3}
	}
	db := newTables(t, slices.Max(beans))
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		tabletest.Build(t, db, newGame(t, rules), slices.Max(beans), format.Odd)
		for _, c := range []struct {
			stipulation string
			stores      *[2]int
			side        game.Side
			any         bool
		}{
			{"win", nil, game.South, false},
			{"win", &[2]int{33, 31}, game.North, false},
			{"win", nil, game.North, true},
			{"draw", nil, game.North, false},
			{"win by 3", nil, game.South, false},
			{"win by 6", &[2]int{36, 30}, game.South, false},
			{"score 4", nil, game.North, false},
			{"best", nil, game.South, false},
			{"best", &[2]int{}, game.South, true},
		} {
			for _, beans := range beans {
				t.Run(fmt.Sprintf("%v/%s/%v/%v/any=%t/beans=%d", rules, c.stipulation, c.stores, c.side, c.any, beans), func(t *testing.T) {
					t.Parallel()
					o := study.FindOptions{
						Game: newGame(t, rules), Beans: beans, Stipulation: stipulation(t, c.stipulation), Stores: c.stores, ToMove: c.side,
						AnyCapture: c.any, Variants: true,
					}
					got := findIn(t, db, o)
					want := puzzles(t, db, o)
					if got.Positions != uint64(len(want)) || len(got.Puzzles) != len(want) {
						t.Errorf("got %d puzzles of %d, want %d", len(got.Puzzles), got.Positions, len(want))
					}
					for _, p := range got.Puzzles {
						if diff := cmp.Diff(want[p.Position], puzzleParts(p)); diff != "" {
							t.Errorf("%s (-want +got):\n%s", p.Position, diff)
						}
					}
				})
			}
		}
	}
}

// TestFindOrder wants the best puzzles first, one of each family, whatever the number
// of workers.
func TestFindOrder(t *testing.T) {
	t.Parallel()
	const beans = 8
	db := newTables(t, beans)
	o := study.FindOptions{Game: newGame(t, game.Bohnenspiel), Beans: beans, Workers: 1}
	all := findIn(t, db, o)
	for _, workers := range []int{2, 3, 8} {
		o.Workers = workers
		if diff := cmp.Diff(all, findIn(t, db, o)); diff != "" {
			t.Errorf("%d workers find others (-1 worker +%d workers):\n%s", workers, workers, diff)
		}
	}
	o.Variants = true
	variants := findIn(t, db, o)
	if all.Positions != variants.Positions || len(variants.Puzzles) != int(variants.Positions) || len(all.Puzzles) >= len(variants.Puzzles) || len(all.Puzzles) == 0 {
		t.Errorf("got %d puzzles of %d without variants, %d of %d with them", len(all.Puzzles), all.Positions, len(variants.Puzzles), variants.Positions)
	}
	// What is left out runs into the line of one that is listed, with more than half of
	// its keys to come.
	met := make(map[string]bool)
	var want []study.Puzzle
	for i, p := range variants.Puzzles {
		if i > 0 && len(p.Keys) > len(variants.Puzzles[i-1].Keys) {
			t.Errorf("puzzle %d has %d keys, the one before %d", i+1, len(p.Keys), len(variants.Puzzles[i-1].Keys))
		}
		due := keysDue(t, o.Game, p)
		joins := slices.IndexFunc(due, func(board string) bool { return met[board] })
		if joins >= 0 && 2*(len(due)-joins) > len(due) {
			continue
		}
		want = append(want, p)
		for _, board := range due {
			met[board] = true
		}
	}
	if diff := cmp.Diff(want, all.Puzzles); diff != "" {
		t.Errorf("without variants (-want +got):\n%s", diff)
	}

	o.Variants, o.Limit, o.Keys = false, 3, 6
	few := findIn(t, db, o)
	if diff := cmp.Diff(all.Puzzles[:3], few.Puzzles); diff != "" {
		t.Errorf("the best three (-of all +of three):\n%s", diff)
	}
	least := 0
	for _, p := range variants.Puzzles {
		if len(p.Keys) >= 6 {
			least++
		}
	}
	if few.Positions != uint64(least) {
		t.Errorf("got %d puzzles of at least 6 keys, want %d", few.Positions, least)
	}
}

// TestFindStores wants all keys of a puzzle to be keys with each of the stores that it
// is said to win or draw with, and with no others next to them.
func TestFindStores(t *testing.T) {
	t.Parallel()
	const beans, least, most = 6, 28, 38 // stores of South; with others no result is in doubt
	db := newTables(t, beans)
	g := newGame(t, game.Bohnenspiel)
	all := findIn(t, db, study.FindOptions{Game: g, Beans: beans, Variants: true})
	found := make(map[string][]int) // keys of puzzles by positions
	for _, goal := range []string{"win", "draw"} {
		for south := least; south <= most; south++ {
			o := study.FindOptions{Game: g, Beans: beans, Stipulation: stipulation(t, goal), Stores: &[2]int{south, 66 - south}, Variants: true}
			for _, p := range findIn(t, db, o).Puzzles {
				found[goal+p.Position] = p.Keys
			}
		}
	}
	for _, p := range all.Puzzles {
		d := tabletest.Diagram(t, p.Position)
		for south := least; south <= most; south++ {
			d.Stores = [2]int{south, 66 - south}
			for goal, listed := range map[string][]game.Beans{"win": p.Win, "draw": p.Draw} {
				keys := found[goal+d.String()]
				want := len(keys) >= len(p.Keys) && slices.Equal(keys[:len(p.Keys)], p.Keys)
				if got := slices.Contains(listed, game.Beans{South: south, North: 66 - south}); got != want {
					t.Errorf("%s: with stores %d-%d its keys are keys to a %s: got %t, want %t", p.Position, south, 66-south, goal, got, want)
				}
			}
		}
	}
}

// TestPuzzlesAreSound wants puzzles, written as studies, to have no faults but that
// they answer one of several defences that are as good.
func TestPuzzlesAreSound(t *testing.T) {
	t.Parallel()
	const beans = 8
	db := newTables(t, beans)
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		for _, goal := range []string{"win", "draw", "win by 4", "score 4", "best"} {
			found := findIn(t, db, study.FindOptions{Game: newGame(t, rules), Beans: beans, Stipulation: stipulation(t, goal), ToMove: game.North, Limit: 20})
			if len(found.Puzzles) != 20 {
				t.Errorf("%v, %s: got %d puzzles, want 20", rules, goal, len(found.Puzzles))
			}
			for _, p := range found.Puzzles {
				s, err := p.Study()
				if err != nil {
					t.Fatal(err)
				}
				report := verify(t, db, s)
				for _, fault := range report.Faults {
					if fault.Kind != study.Incomplete {
						t.Errorf("%v, %s: %s is %v: %+v", rules, goal, p.Position, report.Verdict, fault)
					}
				}
			}
		}
	}
}

// TestFindStops wants a search to end with its context.
func TestFindStops(t *testing.T) {
	t.Parallel()
	db := newTables(t, 6)
	g := newGame(t, game.Bohnenspiel)
	layers := load(t, db, g, 6)
	defer layers.Free()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := study.Find(ctx, layers, study.FindOptions{Game: g, Beans: 6}); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
}

// load brings layers up to beans into memory. Whoever calls it frees them.
func load(tb testing.TB, db *tablebase.DB, g game.Game, beans int) *tablebase.Loaded {
	tb.Helper()
	layers, err := db.LoadUpTo(context.Background(), g, beans, 1)
	if err != nil {
		tb.Fatal(err)
	}
	return layers
}

// findIn looks for puzzles in a database.
func findIn(tb testing.TB, db *tablebase.DB, o study.FindOptions) study.Findings {
	tb.Helper()
	layers := load(tb, db, o.Game, o.Beans)
	defer layers.Free()
	found, err := study.Find(context.Background(), layers, o)
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

func stipulation(tb testing.TB, text string) study.Stipulation {
	tb.Helper()
	s, err := study.ParseStipulation(text)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}
