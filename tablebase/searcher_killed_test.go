package tablebase_test

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

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
// kills have lost besides depends on the machine; it is logged.
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
	lost := uint64(0)
	for kill := range uint64(kills) {
		visited := killAt(t, dir, whole.Visited*(kill+1)/(kills+1))
		kept := keptVisited(t, dir)
		t.Logf("killed after %d positions, %d kept", visited, kept)
		lost += visited - min(kept, visited)
	}
	out, err := child(t, "solve", dir, false).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var low, high game.Score
	var visited uint64
	if _, err := fmt.Sscanf(lines[len(lines)-1], "bounds %d %d visited %d", &low, &high, &visited); err != nil {
		t.Fatalf("%q: %v", lines[len(lines)-1], err)
	}
	if low != *whole.Score || high != low {
		t.Errorf("after %d kills: got %d to %d, want %d", kills, low, high, *whole.Score)
	}
	t.Logf("one run: %d positions; killed %d times: %d, and %d that were lost", whole.Visited, kills, visited, lost)
	if visited > whole.Visited*13/10 {
		t.Errorf("killed %d times: got %d positions visited, want at most 1.3 times %d", kills, visited, whole.Visited)
	}
}

// killAt starts a child that solves, kills it once it has visited so many positions, and
// returns how many it has.
func killAt(t *testing.T, dir string, limit uint64) (visited uint64) {
	t.Helper()
	command := child(t, "solve", dir, false)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for visited < limit && lines.Scan() {
		if _, err := fmt.Sscanf(lines.Text(), "visited %d", &visited); err != nil {
			t.Errorf("%q: %v", lines.Text(), err)
			break
		}
	}
	if err := command.Process.Kill(); err != nil {
		t.Error(err)
	}
	_, _ = io.Copy(io.Discard, out)
	if command.Wait() == nil {
		t.Error("it was at its end before it was killed")
	}
	return visited
}

// keptVisited returns the positions visited that the state of the only search is kept
// after.
func keptVisited(t *testing.T, dir string) uint64 {
	t.Helper()
	names := states(t, dir)
	if len(names) != 1 {
		t.Fatalf("got files %v, want one", names)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	const visitedAt = 32 // see searchFile
	return binary.BigEndian.Uint64(data[visitedAt:])
}
