package format_test

import (
	"bytes"
	"encoding/hex"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// TestPublishedSignatures reads docs/signatures.tsv, and wants the program to know the
// same.
func TestPublishedSignatures(t *testing.T) {
	text := tabletest.ReadFile(t, filepath.Join("..", "..", "docs", "signatures.tsv"))
	built := tabletest.ReadFile(t, filepath.Join("..", "format", "signatures.tsv"))
	if !bytes.Equal(text, built) {
		t.Error("tablebase/format/signatures.tsv is no copy of docs/signatures.tsv")
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if got, want := lines[0], "rules\twidth\tbeans\tpositions\tsha256"; got != want {
		t.Errorf("got columns %q, want %q", got, want)
	}
	seen := map[format.Key]bool{}
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
		k := format.Key{Rules: rules, Width: numbers[0], Beans: numbers[1]}
		if want := index.New(k.Width, k.Beans).Size(k.Beans); uint64(numbers[2]) != want || seen[k] {
			t.Errorf("%q: want %d positions, and the layer once", line, want)
		}
		seen[k] = true
		if sum, err := hex.DecodeString(fields[4]); err != nil || len(sum) != 32 {
			t.Errorf("%q: no SHA-256", line)
		}
		if got, ok := format.Published(k); !ok || got != fields[4] {
			t.Errorf("%v: got %q, %v, want %s", k, got, ok, fields[4])
		}
	}
	for _, k := range []format.Key{{Width: 6, Beans: 36}, {Width: 5, Beans: 4}, {Rules: game.Mangala, Width: 6, Beans: 71}} {
		if got, ok := format.Published(k); ok {
			t.Errorf("%v: got %q, want none", k, got)
		}
	}
}
