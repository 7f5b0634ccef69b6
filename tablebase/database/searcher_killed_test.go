package database_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/proof"
)

// TestSearcherKilled kills a process that searches, five times. The state that it keeps
// by itself is enough: the score is that of one run, and the work that counts, that of
// all runs up to where they were kept last, is at most 1.3 times that of one. What the
// kills have lost besides depends on the machine. So does the way of the search, which is
// shorter or longer each time; it is tried again where it was long.
func TestSearcherKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const tries = 3
	g := tabletest.NewGame(t, game.Bohnenspiel, 4)
	whole, err := tabletest.Searcher(t, tabletest.Built(t, g, tabletest.LongTables), tabletest.Diagram(t, tabletest.Long), tabletest.LongTables, false).Solve(t.Context(), 0, nil)
	if err != nil || !whole.Exact() {
		t.Fatalf("got %+v, %v", whole, err)
	}
	for range tries {
		visited := killedSearch(t, g, whole)
		if visited <= whole.Visited*13/10 {
			return
		}
		t.Logf("it is more than 1.3 times %d", whole.Visited)
	}
	t.Errorf("killed, %d times of %d: got too many positions visited, want at most 1.3 times %d", tries, tries, whole.Visited)
}

// killedSearch has processes search, kills all but the last, and returns the positions that
// they have visited. The score must be that of one run.
func killedSearch(t *testing.T, g game.Game, whole proof.Solution) (visited uint64) {
	t.Helper()
	const kills, least = 5, 3
	dir := tabletest.Built(t, g, tabletest.LongTables)
	killed := 0
	// Before the end, which comes sooner in some runs.
	for killed < kills && killAt(t, dir, whole.Visited*uint64(killed+1)/(kills+4)) {
		killed++
		t.Logf("killed with %d positions kept", keptVisited(t, dir))
	}
	if killed < least {
		t.Errorf("killed %d times, want %d at least", killed, least)
	}
	out, err := child(t, "solve", dir, false).Output()
	if err != nil {
		t.Fatal(err)
	}
	var low, high game.Score
	if _, err := fmt.Sscanf(string(out), "bounds %d %d visited %d", &low, &high, &visited); err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	if low != *whole.Score || high != low {
		t.Errorf("after %d kills: got %d to %d, want %d", killed, low, high, *whole.Score)
	}
	t.Logf("one run: %d positions; killed %d times: %d", whole.Visited, killed, visited)
	return visited
}

// killAt starts a child that solves, kills it soon after it has kept its state with so
// many positions visited, and reports whether it was still at work.
func killAt(t *testing.T, dir string, limit uint64) bool {
	t.Helper()
	command := child(t, "solve", dir, false)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for keptVisited(t, dir) < limit {
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
			return false
		case <-time.After(10 * time.Millisecond):
		}
	}
	time.Sleep(100 * time.Millisecond) // work that is lost
	if err := command.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
	return <-ended != nil
}

// keptVisited returns the positions visited that the state of the only search is kept
// after, or 0 as long as none is.
func keptVisited(t *testing.T, dir string) uint64 {
	t.Helper()
	names := slices.DeleteFunc(tabletest.States(t, dir), func(name string) bool { return strings.HasSuffix(name, ".new") })
	if len(names) == 0 {
		return 0
	}
	if len(names) > 1 {
		t.Fatalf("got files %v, want one", names)
	}
	data, err := os.ReadFile(names[0])
	if errors.Is(err, os.ErrNotExist) { // the search has come to its end meanwhile
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	const visitedAt = 32 // see searchFile
	return binary.BigEndian.Uint64(data[visitedAt:])
}
