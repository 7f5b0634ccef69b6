package tablebase_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
)

// TestPublishedSignatures reads docs/signatures.tsv, and wants the program to know the
// same.
func TestPublishedSignatures(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "signatures.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	built, err := os.ReadFile("signatures.tsv")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, built) {
		t.Error("tablebase/signatures.tsv is no copy of docs/signatures.tsv")
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if got, want := lines[0], "rules\twidth\tbeans\tpositions\tsha256"; got != want {
		t.Errorf("got columns %q, want %q", got, want)
	}
	seen := map[tablebase.Key]bool{}
	for _, line := range lines[1:] {
		fields := strings.Split(line, "\t")
		rules, err := game.ParseRules(fields[0])
		if err != nil || len(fields) != 5 {
			t.Fatalf("%q: %d fields, %v", line, len(fields), err)
		}
		numbers := make([]int, 3)
		for i := range numbers {
			if numbers[i], err = strconv.Atoi(fields[1+i]); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
		k := tablebase.Key{Rules: rules, Width: numbers[0], Beans: numbers[1]}
		if want := index.New(k.Width, k.Beans).Size(k.Beans); uint64(numbers[2]) != want || seen[k] {
			t.Errorf("%q: want %d positions, and the layer once", line, want)
		}
		seen[k] = true
		if sum, err := hex.DecodeString(fields[4]); err != nil || len(sum) != 32 {
			t.Errorf("%q: no SHA-256", line)
		}
		if got, ok := tablebase.Published(k); !ok || got != fields[4] {
			t.Errorf("%v: got %q, %v, want %s", k, got, ok, fields[4])
		}
	}
	for _, k := range []tablebase.Key{{Width: 6, Beans: 36}, {Width: 5, Beans: 4}, {Rules: game.Mangala, Width: 6, Beans: 71}} {
		if got, ok := tablebase.Published(k); ok {
			t.Errorf("%v: got %q, want none", k, got)
		}
	}
}

// TestPublishedLayers builds small layers of both games and wants what is published.
func TestPublishedLayers(t *testing.T) {
	beans := 10
	if testing.Short() {
		beans = 7
	}
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		db := create(t, t.TempDir())
		for _, m := range build(t, db, newGame(t, rules, 6), beans, tablebase.Both) {
			if want, ok := tablebase.Published(m.Key()); !ok || m.SHA256 != want {
				t.Errorf("%v: got SHA-256 %s, want %s", m.Key(), m.SHA256, want)
			}
		}
	}
}

// TestSignaturesOfWorkers builds with different numbers of workers, and with lower layers
// kept in files, and wants what is published.
func TestSignaturesOfWorkers(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 6)
	beans := 12
	if testing.Short() {
		beans = 8
	}
	for _, workers := range []int{1, 2, 3, 8} {
		for _, o := range []tablebase.BuildOptions{
			{Game: g, Beans: beans, Workers: workers},
			tablebase.Spilling(tablebase.BuildOptions{Game: g, Beans: beans, Workers: workers}, beans/2),
		} {
			db := create(t, t.TempDir())
			built, err := db.Build(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range built {
				if want, ok := tablebase.Published(m.Key()); !ok || m.SHA256 != want {
					t.Errorf("%d workers: %v: got SHA-256 %s, want %s", workers, m.Key(), m.SHA256, want)
				}
			}
			closeDB(t, db)
		}
	}
}
