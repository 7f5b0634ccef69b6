package held

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

const (
	// windowPositions is the number of positions that are read from a file at once.
	windowPositions = 1 << 16
	// windowSlots is the number of windows of one file that are kept in memory.
	windowSlots = 1 << 9
	// SpillMemory is the most heap that a spill takes: 32 MiB.
	SpillMemory = windowSlots * windowPositions
	// spillPattern names the files of spills, where they have names.
	spillPattern = "LOWER-*.tmp"
)

// spill is one table of a layer in a file that is gone with the process: one byte a
// position, in the order of package index. It serves where lower layers do not fit in
// memory. What has been written is safe for concurrent reading.
//
// Reads go through windows of the file that stay in memory, as neighbouring runs are
// asked for again and again. A window has one slot, which it may lose to another; what
// was read stays valid.
type spill struct {
	file    *os.File
	size    uint64
	windows []atomic.Pointer[window]
}

// window is a part of a file: the positions from number·windowPositions on.
type window struct {
	number uint64
	scores []game.Score
}

// CanSpill reports whether tables can be kept in files of a directory.
func CanSpill(dir string) bool {
	trial, err := newSpill(dir, 0)
	if err != nil { // the directory may be for reading only
		return false
	}
	trial.free()
	return true
}

// newSpill makes a file of this many positions in a directory. The error wraps
// ErrStorage.
func newSpill(dir string, positions uint64) (*spill, error) {
	file, err := os.CreateTemp(dir, spillPattern)
	if err != nil {
		return nil, store.Failure("write to", dir, err)
	}
	// Where the system allows it, the name goes at once and the bytes with the process.
	_ = os.Remove(file.Name())
	slots := min(windowSlots, positions/windowPositions+1)
	return &spill{file: file, size: positions, windows: make([]atomic.Pointer[window], slots)}, nil
}

// write sets the scores from position first on. No score may be read before it is
// written.
func (s *spill) write(first uint64, scores []game.Score) error {
	if _, err := s.file.WriteAt(format.Bytes(scores), int64(first)); err != nil {
		return store.Failure("write to", filepath.Dir(s.file.Name()), err)
	}
	return nil
}

// read returns count scores from position first on: those of a window, or buf, filled.
func (s *spill) read(first uint64, count int, buf []game.Score) ([]game.Score, error) {
	buf = buf[:count]
	if count == 1 || count >= windowPositions {
		return buf, s.fill(first, buf)
	}
	for done := 0; done < count; {
		at := first + uint64(done)
		w, err := s.window(at / windowPositions)
		if err != nil {
			return nil, err
		}
		part := w.scores[at%windowPositions:]
		if done == 0 && count <= len(part) {
			return part[:count:count], nil
		}
		done += copy(buf[done:], part)
	}
	return buf, nil
}

// window returns the window with a number, from memory if it is there.
func (s *spill) window(number uint64) (*window, error) {
	slot := &s.windows[number%uint64(len(s.windows))]
	if w := slot.Load(); w != nil && w.number == number {
		return w, nil
	}
	first := number * windowPositions
	w := &window{number: number, scores: make([]game.Score, min(windowPositions, s.size-first))}
	if err := s.fill(first, w.scores); err != nil {
		return nil, err
	}
	slot.Store(w)
	return w, nil
}

// fill reads scores from the file.
func (s *spill) fill(first uint64, scores []game.Score) error {
	if _, err := s.file.ReadAt(format.Bytes(scores), int64(first)); err != nil {
		return store.Failure("read", filepath.Dir(s.file.Name()), err)
	}
	return nil
}

// free closes the file and makes sure that it is gone.
func (s *spill) free() {
	_ = s.file.Close()           // nothing in it is needed any more
	_ = os.Remove(s.file.Name()) // on most systems it went long ago
}

// RemoveSpills removes the files that a killed process has left in a directory, on
// systems where open files keep their names. No other process may use the directory.
func RemoveSpills(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, spillPattern))
	if err != nil {
		return fmt.Errorf("list %s: %w", dir, err)
	}
	for _, name := range names {
		if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
			return store.Failure("write to", dir, err)
		}
	}
	return nil
}
