package solver_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bohnenspiel/solver/index"
	"bohnenspiel/solver/internal/reference"
)

// TestReferenceSignatures computes the published hashes of small layers from the scores
// of the reference: all scores as signed bytes in index order, and where any leans on rule
// 8 all lows and all highs after them.
func TestReferenceSignatures(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "docs", "signatures.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	beans := 6
	if testing.Short() {
		beans = 5
	}
	for _, rules := range both() {
		known := reference.Solve(newGame(t, rules, 6), beans)
		x := index.New(6, beans)
		for n := range beans + 1 {
			var tables [3][]byte
			for i := range x.Size(n) {
				v := known.Value(x.Unrank(n, i))
				for kind, value := range []int{v.Score, v.Low, v.High} {
					tables[kind] = append(tables[kind], byte(int8(value)))
				}
			}
			bytes := tables[0]
			if known.Totals(n).Leaning > 0 {
				bytes = append(append(bytes, tables[1]...), tables[2]...)
			}
			line := fmt.Sprintf("%v\t6\t%d\t%d\t%x\n", rules, n, x.Size(n), sha256.Sum256(bytes))
			if !strings.Contains(string(text), line) {
				t.Errorf("docs/signatures.tsv lacks %s", line)
			}
		}
	}
}
