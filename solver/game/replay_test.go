package game_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"bohnenspiel/solver/game"
)

// TestRecordedGames replays games that others recorded: each move must be legal, and
// the stores at the end, with the sweep of rule 5, must be the printed result.
func TestRecordedGames(t *testing.T) {
	path := filepath.Join(root(t), "..", "shared", "games", "endings.games")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no recorded games: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	records := strings.Split(string(text), "[Event ")[1:]
	if got, want := len(records), 100; got != want {
		t.Errorf("%d recorded games, want %d", got, want)
	}
	for i, record := range records {
		tags := map[string]string{}
		for _, tag := range regexp.MustCompile(`(?m)^\[(\w+) "(.*)"\]$`).FindAllStringSubmatch(record, -1) {
			tags[tag[1]] = tag[2]
		}
		_, moves, _ := strings.Cut(record, "\n\n")
		t.Run(fmt.Sprintf("%d %s", i+1, tags["Source"]), func(t *testing.T) {
			replay(t, tags, strings.Fields(moves))
		})
	}
}

// replay plays the moves of one game.
func replay(t *testing.T, tags map[string]string, moves []string) {
	t.Helper()
	rules, err := game.ParseRules(tags["Rules"])
	if err != nil {
		t.Fatal(err)
	}
	d := diagram(t, tags["Position"])
	g := newGame(t, rules, d.Width)
	if len(moves) == 0 {
		t.Error("the game has no moves")
	}
	for ply, move := range moves {
		number, err := strconv.Atoi(move)
		if err != nil {
			t.Fatalf("ply %d: %v", ply+1, err)
		}
		if d, _, err = d.Play(g, number); err != nil {
			t.Fatalf("ply %d: %v", ply+1, err)
		}
	}
	if !g.Over(d.Position()) {
		t.Errorf("%v: play is not over after the last move", d)
	}
	stores := d.Settle(g).Stores
	if got := fmt.Sprintf("%d-%d", stores[game.South], stores[game.North]); got != tags["Result"] {
		t.Errorf("the game ends %s, want %s", got, tags["Result"])
	}
}

// root returns the folder that holds go.mod.
func root(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			t.Fatal("no go.mod above the test")
		}
		folder = parent
	}
}
