package game_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bohnenspiel/solver/game"
)

// TestSowingFacts holds lines that were found by hand.
func TestSowingFacts(t *testing.T) {
	checkAll(t, []played{
		{
			name:  "nothing taken from the start",
			start: "6-6-6-6-6-6-6-6-6-6-6-6-0-0-S", moves: []int{1, 12}, taken: []int{0, 0},
			want: "1 8 8 8 8 8 / 7 6 6 6 6 0",
		},
		{
			name:  "a chain of six pits",
			start: "5 3 3 5 3 3 / 7 6 6 6 6 0", moves: []int{1}, taken: []int{22},
			want: "0 0 0 0 0 0 / 7 6 6 6 6 0 / 22 0 N",
		},
		{
			name:  "two chains",
			start: "5 3 3 5 3 3 / 5 3 3 5 3 3", moves: []int{1, 7}, taken: []int{22, 22},
			want: "0 0 0 0 0 0 / 0 0 0 0 0 0 / 22 22 S",
		},
		{
			name:  "a chain that runs from North's row into South's",
			start: "3 3 1 1 3 3 / 5 5 3 5 3 5", moves: []int{3, 11}, taken: []int{2, 14},
			want: "0 0 0 0 3 3 / 5 5 3 5 0 0 / 2 14 S",
		},
		{
			name:  "the end of a game",
			start: "0 0 0 0 0 1 / 5 2 5 5 5 5", moves: []int{6, 8}, taken: []int{6, 12},
			want: "0 0 0 0 0 0 / 0 0 0 0 5 5 / 6 12 S",
		},
	})
	g := newGame(t, game.Bohnenspiel, 6)
	if got, want := diagram(t, "0 0 0 0 0 0 / 0 0 0 0 5 5 / 6 12 S").Settle(g).Stores, [2]int{6, 22}; got != want {
		t.Errorf("the game ends %v with the sweep, want %v", got, want)
	}
}

// TestDrawingsInRules wants the boards of the rules page to be as the program draws
// them; the lines of play between them are among the sowing facts.
func TestDrawingsInRules(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "docs", "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	positions := []string{
		"6-6-6-6-6-6-6-6-6-6-6-6-0-0-S",
		"3 3 1 1 3 3 / 5 5 3 5 3 5",
		"3 3 0 0 3 3 / 5 5 3 5 3 5 / 2 0 N",
		"0 0 0 0 3 3 / 5 5 3 5 0 0 / 2 14",
		"0 0 0 0 0 1 / 5 2 5 5 5 5",
	}
	for _, position := range positions {
		if board := diagram(t, position).Board(); !strings.Contains(string(text), "```text\n"+board+"```\n") {
			t.Errorf("docs/rules.md does not show %s:\n%s", position, board)
		}
	}
	if got, want := strings.Count(string(text), "```text"), len(positions); got != want {
		t.Errorf("docs/rules.md shows %d boards, want %d", got, want)
	}
}
