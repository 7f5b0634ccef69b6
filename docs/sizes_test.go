package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// TestSizes compares the number of positions of each layer in the README's table
// of sizes with that of package index.
func TestSizes(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Sizes\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := regexp.MustCompile(`(?m)^\| (\d+) \| ([\d,]+) \|`).FindAllStringSubmatch(section, -1)
	if len(rows) == 0 {
		t.Fatal("README.md has no table of sizes")
	}
	for _, row := range rows {
		beans, err := strconv.Atoi(row[1])
		if err != nil || beans > game.MaxBeans(game.StandardWidth) {
			t.Errorf("there is no layer of %s beans", row[1])
			continue
		}
		want := index.New(game.StandardWidth, beans).Size(beans)
		if got := strings.ReplaceAll(row[2], ",", ""); got != strconv.FormatUint(want, 10) {
			t.Errorf("layer %d: %s positions, want %d", beans, row[2], want)
		}
	}
}
