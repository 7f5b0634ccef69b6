package campaign_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/campaign"
	"bohnenspiel/tablebase/format"
)

// TestTree has trees grow where circles are everywhere: leaves are answered by tables, or
// split, at random. All that the tree deduces must be what the tables say; and where every
// leaf is split down to the ends of play, it must deduce everything.
func TestTree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules        game.Rules
		width, beans int
		answered     float64 // share of leaves
		tries        int
	}{
		{game.Mangala, 1, 7, 0, 20},
		{game.Mangala, 2, 7, 0, 20},
		{game.Mangala, 2, 7, 0.3, 60},
		{game.Mangala, 2, 8, 0, 20},
		{game.Mangala, 3, 7, 0.1, 30},
		{game.Bohnenspiel, 1, 8, 0, 20},
		{game.Bohnenspiel, 2, 9, 0, 20},
		{game.Bohnenspiel, 2, 9, 0.3, 60},
		{game.Bohnenspiel, 3, 9, 0.1, 30},
	} {
		t.Run(fmt.Sprintf("%v/width=%d/beans=%d/answered=%v", c.rules, c.width, c.beans, c.answered), func(t *testing.T) {
			t.Parallel()
			g := newGame(t, c.rules, c.width)
			db := buildAll(t, g, c.beans)
			x := index.New(c.width, c.beans)
			random := rand.New(rand.NewPCG(1, 2))
			for range c.tries {
				p := x.Unrank(c.beans, random.Uint64N(x.Size(c.beans)))
				grow(t, db, g, p, c.answered, random)
			}
		})
	}
}

// buildAll is build for all layers.
func buildAll(tb testing.TB, g game.Game, beans int) *tablebase.DB {
	tb.Helper()
	return buildParity(tb, g, beans, format.Both)
}

// grow has a tree for the score of a position grow until it is known.
func grow(t *testing.T, db *tablebase.DB, g game.Game, p game.Position, answered float64, random *rand.Rand) {
	t.Helper()
	tree := campaign.NewTree(g)
	add := func(l campaign.Line) {
		l.Game = g
		if err := tree.Add(campaign.Located{Line: l}); err != nil {
			t.Fatal(err)
		}
	}
	add(campaign.Line{Kind: campaign.Ask, Position: p, Score: true})
	for !tree.Done() {
		q, ok := tree.Next(campaign.Choice{})
		if !ok {
			t.Fatalf("%v: no job, and not done", p)
		}
		l := campaign.Line{Kind: campaign.Split, Position: q.Position, Bound: int(q.Bound), Program: "test"}
		if random.Float64() < answered {
			l.Kind = campaign.No
			if score(t, db, g, q.Position) >= int(q.Bound) {
				l.Kind = campaign.Yes
			}
		} else {
			l.Moves = make([]campaign.Numbers, len(g.Successors(nil, q.Position)))
		}
		add(l)
	}
	questions, answers := tree.Log()
	for i, q := range questions {
		if want := score(t, db, g, q.Position) >= int(q.Bound); answers[i] != want {
			t.Fatalf("%v: deduced %v, want %v", q, answers[i], want)
		}
	}
	if b := tree.Bounds(p); int(b.Low) != score(t, db, g, p) || b.High != b.Low {
		t.Fatalf("%v: got %v", p, b)
	}
}

// score returns the score that the tables give.
func score(t *testing.T, db *tablebase.DB, g game.Game, p game.Position) int {
	t.Helper()
	v, err := db.Probe(g, p)
	if err != nil {
		t.Fatal(err)
	}
	return int(v.Score)
}

// TestContradiction wants lines that can't both be right to be named.
func TestContradiction(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 4)
	p := g.Start(4)
	line := func(kind campaign.Kind, bound, number int) campaign.Located {
		l := campaign.Line{Kind: kind, Game: g, Position: p, Bound: bound, Visited: 1, Tables: campaign.Tables{Top: -1}, Program: "test"}
		return campaign.Located{Line: l, File: "mine", Number: number}
	}
	for _, c := range []struct {
		first, second campaign.Located
		want          bool
	}{
		{line(campaign.Yes, 4, 3), line(campaign.No, 4, 7), true},
		{line(campaign.Yes, 4, 3), line(campaign.No, 2, 7), true},
		{line(campaign.No, 2, 3), line(campaign.Yes, 4, 7), true},
		{line(campaign.Yes, 4, 3), line(campaign.No, 6, 7), false},
		{line(campaign.Yes, 4, 3), line(campaign.Yes, 4, 7), false},
		{line(campaign.No, 4, 3), line(campaign.No, 2, 7), false},
	} {
		err := campaign.NewTree(g).Add(c.first, c.second)
		if errors.Is(err, campaign.ErrContradiction) != c.want {
			t.Errorf("%v and %v: got %v", c.first, c.second, err)
		}
		if c.want && (!strings.Contains(err.Error(), "mine:3") || !strings.Contains(err.Error(), "mine:7")) {
			t.Errorf("%v and %v: %v does not name both", c.first, c.second, err)
		}
	}
}

// TestNext wants jobs that nobody is at, as long as there are any.
func TestNext(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 4)
	tree := campaign.NewTree(g)
	p := g.Start(4)
	for _, l := range []campaign.Line{
		{Kind: campaign.Ask, Position: p, Bound: 2},
		{Kind: campaign.Split, Position: p, Bound: 2, Moves: make([]campaign.Numbers, 4)},
	} {
		l.Game = g
		if err := tree.Add(campaign.Located{Line: l}); err != nil {
			t.Fatal(err)
		}
	}
	busy := make(map[search.Question]bool)
	for range 4 {
		q, ok := tree.Next(campaign.Choice{Busy: func(q search.Question) bool { return busy[q] }})
		if !ok || busy[q] {
			t.Fatalf("got %v, %v", q, ok)
		}
		busy[q] = true
	}
	if q, ok := tree.Next(campaign.Choice{Busy: func(q search.Question) bool { return busy[q] }}); ok {
		t.Errorf("got %v, want none", q)
	}
}
