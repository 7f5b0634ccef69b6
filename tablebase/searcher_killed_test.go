package tablebase_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"bohnenspiel/solver/game"
)

// long is a position whose score takes a search some seconds above tables of up to
// longTables beans.
const (
	long       = "5-6-5-6-6-5-5-6-0-0-S"
	longTables = 8
)

// TestSearcherKilled kills a process that searches, five times. The state that it keeps
// by itself is enough: the score is that of one run, and the work that counts, that of
// all runs up to where they were kept last, is at most 1.3 times that of one. What the
// kills have lost besides depends on the machine.
func TestSearcherKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const kills = 5
	g := newGame(t, game.Bohnenspiel, 4)
	d := diagram(t, long)
	whole, err := searcher(t, built(t, g, longTables), d, longTables, false).Solve(t.Context(), 0, nil)
	if err != nil || !whole.Exact() {
		t.Fatalf("got %+v, %v", whole, err)
	}
	dir := built(t, g, longTables)
	for kill := range uint64(kills) {
		// Well before the end, which comes sooner in some runs: what is remembered differs.
		killAt(t, dir, whole.Visited*(kill+1)/(kills+4))
		t.Logf("killed with %d positions kept", keptVisited(t, dir))
	}
	out, err := child(t, "solve", dir, false).Output()
	if err != nil {
		t.Fatal(err)
	}
	var low, high game.Score
	var visited uint64
	if _, err := fmt.Sscanf(string(out), "bounds %d %d visited %d", &low, &high, &visited); err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	if low != *whole.Score || high != low {
		t.Errorf("after %d kills: got %d to %d, want %d", kills, low, high, *whole.Score)
	}
	t.Logf("one run: %d positions; killed %d times: %d", whole.Visited, kills, visited)
	if visited > whole.Visited*13/10 {
		t.Errorf("killed %d times: got %d positions visited, want at most 1.3 times %d", kills, visited, whole.Visited)
	}
}

// killAt starts a child that solves, and kills it soon after it has kept its state with so
// many positions visited.
func killAt(t *testing.T, dir string, limit uint64) {
	t.Helper()
	command := child(t, "solve", dir, false)
	var out bytes.Buffer
	command.Stdout = &out
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for keptVisited(t, dir) < limit {
		select {
		case err := <-ended:
			t.Fatalf("it was at its end before it was killed: %v, %s", err, &out)
		case <-time.After(10 * time.Millisecond):
		}
	}
	time.Sleep(100 * time.Millisecond) // work that is lost
	if err := command.Process.Kill(); err != nil {
		t.Error(err)
	}
	if <-ended == nil {
		t.Errorf("it was at its end before it was killed: %s", &out)
	}
}

// keptVisited returns the positions visited that the state of the only search is kept
// after, or 0 as long as none is.
func keptVisited(t *testing.T, dir string) uint64 {
	t.Helper()
	names := slices.DeleteFunc(states(t, dir), func(name string) bool { return strings.HasSuffix(name, ".new") })
	if len(names) == 0 {
		return 0
	}
	if len(names) > 1 {
		t.Fatalf("got files %v, want one", names)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	const visitedAt = 32 // see searchFile
	return binary.BigEndian.Uint64(data[visitedAt:])
}
