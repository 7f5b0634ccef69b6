package format_test

import (
	"bytes"
	"encoding/hex"
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

// FuzzLayerKey gives the parser of keys any bytes. A key that it takes is the one that
// its layer has.
func FuzzLayerKey(f *testing.F) {
	f.Add([]byte{'m', 0, 6, 16})
	f.Add([]byte{'m', 1, 9, 108})
	f.Add([]byte{'m', 2, 6, 16})
	f.Add([]byte{'b', 0, 6, 16, 0, 0, 0, 0, 1})
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, key []byte) {
		k, ok := format.ParseLayerKey(format.ManifestPrefix, key)
		if ok && !bytes.Equal(tabletest.ManifestKey(k), key) {
			t.Errorf("got %v from %x", k, key)
		}
	})
}

// TestFormatExample builds the layer of the worked example in docs/format.md and
// compares keys and values with what is printed there.
func TestFormatExample(t *testing.T) {
	text := tabletest.ReadFile(t, filepath.Join("..", "..", "docs", "format.md"))
	_, example, found := strings.Cut(string(text), "### Example")
	if !found {
		t.Fatal("docs/format.md has no example")
	}
	printed := regexp.MustCompile("(?s)```text\nkey(.*?)value(.*?)```").FindAllStringSubmatch(example, -1)
	if len(printed) != 2 {
		t.Fatalf("the example has %d blocks, want 2", len(printed))
	}
	bare := func(bytes string) string { return strings.Join(strings.Fields(bytes), "") }

	g, db := tabletest.Tables(t, game.Bohnenspiel, 3, 2, format.Even)
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
		value := tabletest.Edit(t, db).Value(id.StoreKey())
		if got, want := hex.EncodeToString(id.StoreKey()), bare(printed[i][1]); got != want {
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
