package tablebase_test

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
	"bohnenspiel/tablebase"
)

// TestFormatExample builds the layer of the worked example in docs/format.md and
// compares key and value with what is printed there.
func TestFormatExample(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "format.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, example, found := strings.Cut(string(text), "### Example")
	if !found {
		t.Fatal("docs/format.md has no example")
	}
	fields := regexp.MustCompile("(?s)is\n`([0-9a-f ]+)`.*?```text\n(.*?)```").FindStringSubmatch(example)
	if fields == nil {
		t.Fatal("the example has no key and value")
	}
	wantKey, wantValue := fields[1], strings.Join(strings.Fields(fields[2]), "")

	g := newGame(t, game.Bohnenspiel, 1)
	db := create(t, t.TempDir())
	build(t, db, g, 4, tablebase.Even)
	id := tablebase.BlockOf(tablebase.KeyOf(g, 4), solver.Scores, 0)
	value, err := db.Value(tablebase.BlockKey(id))
	if err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(tablebase.BlockKey(id)); got != strings.ReplaceAll(wantKey, " ", "") {
		t.Errorf("got key %s, want %s", got, wantKey)
	}
	if got := hex.EncodeToString(value); got != wantValue {
		t.Errorf("got value\n%s, want\n%s", got, wantValue)
	}
	scores, err := tablebase.NewCodec().Decode(id, value)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]game.Score{-4, 4, 0, 0, 4}, scores); diff != "" {
		t.Errorf("scores differ (-want +got):\n%s", diff)
	}
}
