package format_test

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// TestFormatExample builds the layer of the worked example in docs/format.md and
// compares keys and values with what is printed there.
func TestFormatExample(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "format.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, example, found := strings.Cut(string(text), "### Example")
	if !found {
		t.Fatal("docs/format.md has no example")
	}
	printed := regexp.MustCompile("(?s)```text\nkey(.*?)value(.*?)```").FindAllStringSubmatch(example, -1)
	if len(printed) != 2 {
		t.Fatalf("the example has %d blocks, want 2", len(printed))
	}
	bare := func(bytes string) string { return strings.Join(strings.Fields(bytes), "") }

	g := tabletest.NewGame(t, game.Bohnenspiel, 3)
	db := tabletest.Create(t, t.TempDir())
	tabletest.Build(t, db, g, 2, format.Even)
	for i, want := range []struct {
		stored, scores []game.Score
		rows           [][2]game.Row
	}{
		{
			stored: []game.Score{2, -2, -2, -2, -2, 2, -2, 2, 2},
			scores: []game.Score{2, -2, -2, -2, -2, 2, -2, 2, 2},
			rows: [][2]game.Row{
				{game.RowOf(0, 0, 1), game.RowOf(1, 0, 0)},
				{game.RowOf(0, 0, 1), game.RowOf(0, 1, 0)},
				{game.RowOf(0, 0, 1), game.RowOf(0, 0, 1)},
				{game.RowOf(0, 1, 0), game.RowOf(1, 0, 0)},
				{game.RowOf(0, 1, 0), game.RowOf(0, 1, 0)},
				{game.RowOf(0, 1, 0), game.RowOf(0, 0, 1)},
				{game.RowOf(1, 0, 0), game.RowOf(1, 0, 0)},
				{game.RowOf(1, 0, 0), game.RowOf(0, 1, 0)},
				{game.RowOf(1, 0, 0), game.RowOf(0, 0, 1)},
			},
		},
		{
			stored: []game.Score{-2, -2, 2, -2, 2, 2},
			scores: []game.Score{-2, 2, 2, -2, 2, 2},
			rows: [][2]game.Row{
				{game.RowOf(0, 0, 2)}, {game.RowOf(0, 1, 1)}, {game.RowOf(1, 0, 1)}, {game.RowOf(0, 2, 0)}, {game.RowOf(1, 1, 0)}, {game.RowOf(2, 0, 0)},
			},
		},
	} {
		id := tabletest.BlockOf(format.KeyOf(g, 2), solver.Scores, i+1)
		value, err := tabletest.Value(db, tabletest.BlockKey(id))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := hex.EncodeToString(tabletest.BlockKey(id)), bare(printed[i][1]); got != want {
			t.Errorf("got key %s, want %s", got, want)
		}
		if got, want := hex.EncodeToString(value), bare(printed[i][2]); got != want {
			t.Errorf("got value\n%s, want\n%s", got, want)
		}
		stored, err := tabletest.NewCodec().Decode(id, value)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.stored, stored); diff != "" {
			t.Errorf("stored numbers differ (-want +got):\n%s", diff)
		}
		for at, rows := range want.rows {
			p := game.Position{Mover: rows[0], Opponent: rows[1]}
			if got := tabletest.Probe(t, db, g, p); got != want.scores[at] {
				t.Errorf("%v: got score %d, want %d", p, got, want.scores[at])
			}
		}
	}
}

// TestListsOfTheFormat compares the lists that every block begins with, and what is
// done to them, with the example in docs/format.md.
func TestListsOfTheFormat(t *testing.T) {
	want := [][]byte{{0, 1, 2, 3}, {1, 0, 2, 3}, {2, 1, 3, 0}, {3, 2, 1, 0}, {2, 1, 3, 0}}
	if diff := cmp.Diff(want, format.Lists(3)); diff != "" {
		t.Errorf("lists differ (-want +got):\n%s", diff)
	}
	// Places in a column, one list after another: 2 from none, then 0 below 2, …
	places := []byte{0, 3, 0, 1, 2, 0}
	got, ok := format.Follow(places, 3, 1)
	if diff := cmp.Diff([]byte{2, 0, 0, 1, 2, 2}, got); diff != "" || !ok {
		t.Errorf("symbols differ (-want +got):\n%s", diff)
	}
	if _, ok := format.Follow([]byte{0, 4}, 3, 1); ok {
		t.Error("there is something at place 4 of 4")
	}
}
