package held_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/store"
)

// TestSpilledRunsCrossWindows reads runs of a table that is larger than all windows of
// it that stay in memory, from several goroutines at once.
func TestSpilledRunsCrossWindows(t *testing.T) {
	const window, slots = held.WindowPositions, held.WindowSlots
	positions := (slots + 3) * window
	if testing.Short() {
		positions = 5*window + 7
	}
	f := newTable(t, 32, positions, held.Spilled)
	score := func(i int) game.Score { return game.Score(i%63+i/window%31) - 40 }
	chunk := make([]game.Score, window-1)
	for first := 0; first < positions; first += len(chunk) {
		part := chunk[:min(len(chunk), positions-first)]
		for i := range part {
			part[i] = score(first + i)
		}
		write(t, f, first, part)
	}
	var group sync.WaitGroup
	for worker := range 3 {
		group.Go(func() {
			buf := make([]game.Score, 3*window)
			for _, count := range []int{1, 2, 100, window - 1, window, window + 1, 2*window + 5} {
				for first := worker * 77; first+count <= positions; first += 3*window/2 + count/3 {
					got, err := f.Read(uint64(first), count, buf)
					if err != nil || len(got) != count {
						t.Errorf("%d scores from %d: got %d, error %v", count, first, len(got), err)
						return
					}
					for i, g := range got {
						if g != score(first+i) {
							t.Errorf("%d scores from %d: got %d at %d, want %d", count, first, g, i, score(first+i))
							return
						}
					}
				}
			}
		})
	}
	group.Wait()
}

// TestSpilledLeavesNothing wants no file to stay when the process is done with a table,
// and one that a killed process may have left to go with the next build.
func TestSpilledLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	f, err := held.NewTable(4, 10, held.Spilled, dir)
	if err != nil {
		t.Fatal(err)
	}
	f.Free()
	if names, _ := filepath.Glob(filepath.Join(dir, "*")); len(names) > 0 {
		t.Errorf("%v stay", names)
	}
	left := filepath.Join(dir, "LOWER-1.tmp")
	db := tabletest.Create(t, dir)
	tabletest.WriteFile(t, left, []byte("left"))
	tabletest.Build(t, db, tabletest.NewGame(t, game.Bohnenspiel, 6), 2, format.Even)
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("%s stays: %v", left, err)
	}
}

// TestSpillFailures wants clear errors where there is no directory for the file, and
// where the file does not have what is asked for.
func TestSpillFailures(t *testing.T) {
	_, err := held.NewTable(4, 10, held.Spilled, filepath.Join(t.TempDir(), "none"))
	tabletest.WantError(t, err, store.ErrStorage)
	f := newTable(t, 4, 10, held.Spilled)
	write(t, f, 0, make([]game.Score, 5)) // and not the rest
	read(t, f, 4, 1, make([]game.Score, 1))
	for _, count := range []int{1, 5} {
		_, err = f.Read(5, count, make([]game.Score, count))
		tabletest.WantError(t, err, store.ErrStorage)
	}
	f.Free()
	_, err = f.Read(0, 1, make([]game.Score, 1))
	tabletest.WantError(t, err, store.ErrStorage)
	tabletest.WantError(t, f.Write(0, make([]game.Score, 1)), store.ErrStorage)
}
