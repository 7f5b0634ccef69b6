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

// parts are what is compared of a puzzle.
type parts struct {
	Score  game.Score
	Final  game.Beans
	Keys   []int
	Forced int
	Greedy study.Greedy
	Line   tablebase.Pits
}

func puzzleParts(p study.Puzzle) *parts {
	return &parts{p.Score, p.Final, p.Keys, p.Forced, p.Greedy, p.Line}
}

// puzzles looks at every position of a layer, with each way to share out the stores
// where none are given. It returns the puzzles by their positions.
func puzzles(tb testing.TB, db *tablebase.DB, o study.FindOptions) map[string]*parts {
	tb.Helper()
	layers := load(tb, db, o.Game, o.Beans)
	defer layers.Free()
	found := make(map[string]*parts)
	for number := range layers.Size(o.Beans) {
		p := layers.Position(o.Beans, number)
		value, err := db.Probe(o.Game, p)
		if err != nil {
			tb.Fatal(err)
		}
		if o.Game.Over(p) || value.Endless() {
			continue
		}
		d := game.Diagram{Width: o.Game.Width(), ToMove: o.ToMove}
		d.Rows[o.ToMove], d.Rows[o.ToMove.Other()] = p.Mover, p.Opponent
		if o.Stores != nil {
			d.Stores = *o.Stores
		} else if !shareOut(&d, o, value.Score) {
			continue
		}
		final := d.Lead() + int(value.Score)
		if !reaches(o.Stipulation, final, int(value.Score)) {
			continue
		}
		if puzzle := puzzle(tb, db, o, d, value.Score); puzzle != nil {
			found[d.String()] = puzzle
		}
	}
	return found
}

// shareOut finds the stores of a whole game with which the side to move just does what
// is asked: it tries all.
func shareOut(d *game.Diagram, o study.FindOptions, score game.Score) bool {
	all := game.MaxBeans(o.Game.Width()) - o.Beans
	least := 1000
	var best [2]int
	for south := range all + 1 {
		d.Stores = [2]int{south, all - south}
		final := d.Lead() + int(score)
		lead := final
		if o.Stipulation.Goal == study.Score || o.Stipulation.Goal == study.Best {
			lead = d.Lead() // it makes no difference, so the stores are equal, or nearly so
		}
		if reaches(o.Stipulation, final, int(score)) && lead >= 0 && lead < least {
			least, best = lead, d.Stores
		}
	}
	d.Stores = best
	return least < 1000
}

// reaches reports whether a final lead, and a score, do what is asked.
func reaches(s study.Stipulation, final, score int) bool {
	switch s.Goal {
	case study.Win:
		return final > 0
	case study.Draw:
		return final == 0
	case study.WinBy:
		return final >= s.Beans
	case study.Score:
		return score == s.Beans
	default:
		return true
	}
}

// puzzle describes a position if it is a puzzle; else it returns nil.
func puzzle(tb testing.TB, db *tablebase.DB, o study.FindOptions, d game.Diagram, score game.Score) *parts {
	tb.Helper()
	best := d.Lead() + int(score)
	// keeps reports whether a final lead of the side to move does as well.
	keeps := func(final int) bool {
		switch o.Stipulation.Goal {
		case study.Win:
			return final > 0
		case study.WinBy:
			return final >= o.Stipulation.Beans
		default:
			return final >= best
		}
	}
	// look returns the moves that keep the result, all moves, and what each takes.
	look := func(d game.Diagram) (keeping, all []int, takes map[int]int) {
		takes = make(map[int]int)
		for _, m := range o.Game.Successors(nil, d.Position()) {
			score := o.Game.Final(m.Next)
			if !o.Game.Over(m.Next) {
				score = tabletest.Probe(tb, db, o.Game, m.Next)
			}
			pit := d.Number(m.Pit)
			all = append(all, pit)
			takes[pit] = m.Captured
			if keeps(d.Lead() + m.Captured - int(score)) {
				keeping = append(keeping, pit)
			}
		}
		return keeping, all, takes
	}
	keeping, all, takes := look(d)
	greedy := study.Greedy{}
	for _, pit := range all {
		if takes[pit] > greedy.Captured {
			greedy = study.Greedy{Captured: takes[pit]}
		}
		if takes[pit] == greedy.Captured {
			greedy.Pits = append(greedy.Pits, pit)
		}
	}
	if len(keeping) != 1 || len(all) < 2 {
		return nil
	}
	if takes[keeping[0]] == greedy.Captured {
		if !o.AnyCapture {
			return nil
		}
		greedy = study.Greedy{Pits: []int{}}
	}
	line, err := db.Line(context.Background(), o.Game.Rules(), d, tablebase.LineOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	found := &parts{Score: score, Greedy: greedy, Final: *line.Final}
	choice := false
	for i, ply := range line.Plies {
		pit := 0
		if ply.Pit != nil {
			pit = *ply.Pit
		}
		found.Line = append(found.Line, pit)
		if keeping, all, _ := look(d); i%2 == 0 && !choice {
			choice = len(keeping) > 1
			if len(keeping) == 1 && len(all) > 1 {
				found.Keys = append(found.Keys, i+1)
			}
		}
		if !choice {
			found.Forced = i + 1
		}
		d = playMove(tb, o.Game, d, pit)
	}
	return found
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

// keysDue returns the boards, as the side to move sees them, where the keys of a line
// are to be found.
func keysDue(tb testing.TB, g game.Game, p study.Puzzle) []string {
	tb.Helper()
	d := tabletest.Diagram(tb, p.Position)
	var due []string
	for i, number := range p.Line[:p.Forced] {
		if slices.Contains(p.Keys, i+1) {
			board := d.Position()
			due = append(due, fmt.Sprint(board.Mover.Pits(d.Width), board.Opponent.Pits(d.Width)))
		}
		d = playMove(tb, g, d, number)
	}
	return due
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

// keyLayer is a layer of a single position, with all that may follow it.
type keyLayer struct {
	*tablebase.Loaded
	position game.Position
}

func (keyLayer) Size(int) uint64 { return 1 }

func (l keyLayer) Position(int, uint64) game.Position { return l.position }

// TestFindsKeysOfSuite finds the keys of the sound studies of the suite again. Of a
// study where the opponent begins, it is the key after best play's first move. In small
// layers the position is looked for among all others; in large ones only what is said
// of it is compared.
func TestFindsKeysOfSuite(t *testing.T) {
	t.Parallel()
	// Layers to wholeLayers are searched as a whole.
	most, wholeLayers, enough := suiteBeans, 10, 20
	if testing.Short() {
		most, wholeLayers, enough = 10, 8, 7
	}
	db := newTables(t, most)
	loaded := make(map[game.Rules]*tablebase.Loaded)
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		loaded[rules] = load(t, db, newGame(t, rules), most)
		defer loaded[rules].Free()
	}
	found := 0
	studies, _ := suite(t)
	for _, s := range studies {
		if s.Diagram.Position().Beans() > most {
			continue
		}
		report := verify(t, db, s)
		if report.Verdict != study.Sound {
			continue
		}
		d, key := s.Diagram, report.Key
		if s.Stipulation.Side(d) != d.ToMove {
			d = playMove(t, newGame(t, s.Rules), d, report.Line[0])
		}
		o := study.FindOptions{
			Game: newGame(t, s.Rules), Beans: d.Position().Beans(), Stipulation: s.Stipulation, Stores: &d.Stores, ToMove: d.ToMove,
			AnyCapture: true, Variants: true,
		}
		if len(o.Game.Successors(nil, d.Position())) == 1 {
			continue // it has no choice
		}
		var layers study.Layers = loaded[s.Rules]
		if o.Beans > wholeLayers {
			layers = keyLayer{loaded[s.Rules], d.Position()}
		}
		findings, err := study.Find(t.Context(), layers, o)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(findings.Puzzles, func(p study.Puzzle) bool { return p.Position == d.String() })
		if i < 0 {
			t.Errorf("%s: %v is not found", s.Title, d)
			continue
		}
		if got := findings.Puzzles[i].Key; !slices.Equal(got, key) {
			t.Errorf("%s: got key %v, want %v", s.Title, got, key)
		}
		found++
	}
	if found < enough {
		t.Errorf("found %d sound studies, want %d or more", found, enough)
	}
}
