package search_test

import (
	"reflect"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
)

// TestLearn wants what is learnt to be nearer to the scores of a whole layer than what the
// rows alone tell.
func TestLearn(t *testing.T) {
	t.Parallel()
	const top = 8
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		g := newGame(t, rules, game.StandardWidth)
		tables := solveLayers(t, g, top, false)
		learnt := search.Learn(g, upTo{tables, top}, g.Start(6))
		if again := search.Learn(g, upTo{tables, top}, g.Start(6)); !reflect.DeepEqual(again, learnt) {
			t.Errorf("%v: learnt something else the second time", rules)
		}
		var plain *search.Worth
		plainError, learntError := 0.0, 0.0
		for at := range tables.index.Size(top) {
			p := tables.index.Unrank(top, at)
			score := float64(tables.score(p))
			plainError += (plain.Of(p) - score) * (plain.Of(p) - score)
			learntError += (learnt.Of(p) - score) * (learnt.Of(p) - score)
		}
		if learntError > plainError*3/4 {
			t.Errorf("%v: sum of squares %.0f, and %.0f by the rows alone", rules, learntError, plainError)
		}
	}
}

// TestLearnNothing has no examples to learn from, or one.
func TestLearnNothing(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Mangala, game.StandardWidth)
	tables := solveLayers(t, g, 4, true)
	start := g.Start(6)
	var plain *search.Worth
	for name, w := range map[string]*search.Worth{
		"no tables":    search.Learn(g, nil, start),
		"play is over": search.Learn(g, upTo{tables, 4}, game.Position{}),
		"empty tables": search.Learn(g, upTo{tables, -1}, start),
		// With an odd number of beans it never comes to an even one.
		"other tables": search.Learn(g, evenOnly{upTo{tables, 4}}, game.Position{Mover: game.RowOf(3, 4), Opponent: game.RowOf(5, 1)}),
	} {
		if got, want := w.Of(start), plain.Of(start); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// evenOnly probes layers with an even number of beans.
type evenOnly struct{ upTo }

// Probe implements search.Prober.
func (e evenOnly) Probe(p game.Position, beans int) (game.Score, bool) {
	if beans%2 == 1 {
		return 0, false
	}
	return e.upTo.Probe(p, beans)
}
