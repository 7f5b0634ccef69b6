package campaign_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/campaign"
)

// TestLine wants the lines of the documentation to be read and to be written as they are.
func TestLine(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 4)
	p := g.Start(4)
	tables := campaign.Tables{Top: 12, Signature: 0x63d5ad70f2b0e8f1}
	for text, want := range map[string]campaign.Line{
		"bohnenspiel-campaign 1 bohnenspiel 4 2eb777fd": {Kind: campaign.Header, Game: g},
		"ask 4-4-4-4-4-4-4-4 score b012e276":            {Kind: campaign.Ask, Game: g, Position: p, Score: true},
		"split 4-4-4-4-4-4-4-4 2 500 12:63d5ad70f2b0e8f1 6c92490 71/90,40/112,55/87,60/93 36db370b": {
			Kind: campaign.Split, Game: g, Position: p, Bound: 2, Visited: 500, Tables: tables, Program: "6c92490",
			Moves: []campaign.Numbers{{Yes: 71, No: 90}, {Yes: 40, No: 112}, {Yes: 55, No: 87}, {Yes: 60, No: 93}},
		},
		"yes 0-5-5-5-5-4-4-4 -2 123 12:63d5ad70f2b0e8f1 6c92490 8f382a5a": {
			Kind: campaign.Yes, Game: g, Position: game.Position{Mover: game.RowOf(0, 5, 5, 5), Opponent: game.RowOf(5, 4, 4, 4)},
			Bound: -2, Visited: 123, Tables: tables, Program: "6c92490",
		},
	} {
		got, err := campaign.ParseLine(g, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b game.Game) bool { return a == b })); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if got.String() != text {
			t.Errorf("got %s, want %s", got.String(), text)
		}
	}
}

// TestBadLines wants lines with right checksums that make no sense to be refused.
func TestBadLines(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 4)
	for _, text := range []string{
		"", "yes", "maybe 4-4-4-4-4-4-4-4 2 1 - x", "yes 4-4-4-4-4-4-4-4 2 1 -", "yes 4-4-4-4-4-4-4-4 2 1 - x y",
		"yes 4-4-4-4-4-4-4 2 1 - x", "yes 4-4-4-4-4-4-4-4-0 2 1 - x", "yes 9-9-9-9-9-9-9-9 2 1 - x", "yes 4-4-4-4-4-4-4--4 2 1 - x",
		"yes 4-4-4-4-4-4-4-4 33 1 - x", "no 4-4-4-4-4-4-4-4 -32 1 - x", "yes 4-4-4-4-4-4-4-4 99 1 - x", "yes 4-4-4-4-4-4-4-4 two 1 - x",
		"yes 4-4-4-4-4-4-4-4 +2 1 - x", "yes 04-4-4-4-4-4-4-4 2 1 - x", "yes 4-4-4-4-4-4-4-4 2 -1 - x", "yes 4-4-4-4-4-4-4-4 2 1 12 x",
		"yes 4-4-4-4-4-4-4-4 2 1 12:xyz x", "split 4-4-4-4-4-4-4-4 2 1 - x 1/2,3/4", "split 4-4-4-4-4-4-4-4 2 1 - x 1/2,3/4,5/6,7",
		"split 4-4-4-4-4-4-4-4 2 1 - x", "ask 4-4-4-4-4-4-4-4", "ask 4-4-4-4-4-4-4-4 best", "bohnenspiel-campaign 1 chess 4",
		"bohnenspiel-campaign 1 bohnenspiel 12",
	} {
		if l, err := campaign.ParseLine(g, campaign.Seal(text)); !errors.Is(err, campaign.ErrDamaged) {
			t.Errorf("%q: got %+v, %v", text, l, err)
		}
	}
}

// FuzzLine wants a line that is read to be written as it is, and no text to make trouble.
func FuzzLine(f *testing.F) {
	for _, text := range []string{
		"ask 4-4-4-4-4-4-4-4 score", "yes 0-5-5-5-5-4-4-4 -2 123 12:63d5ad70f2b0e8f1 6c92490",
		"split 4-4-4-4-4-4-4-4 2 500 - 6c92490 71/90,40/112,55/87,60/93", "bohnenspiel-campaign 1 mangala 4",
	} {
		f.Add(text)
	}
	g, err := game.New(game.Bohnenspiel, 4)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, text := range []string{text, campaign.Seal(text)} {
			if line, err := campaign.ParseLine(g, text); err == nil && line.String() != text {
				t.Errorf("%q: written as %q", text, line.String())
			}
		}
	})
}
