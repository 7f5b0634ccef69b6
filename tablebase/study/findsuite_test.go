package study_test

import (
	"fmt"
	"slices"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/study"
)

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
