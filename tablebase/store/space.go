package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// SpareBytes is the disk that must be free beyond what is to be written, for logs
// and tables of the database: 128 MiB.
const SpareBytes = 128 << 20

// FreeDisk returns the bytes that one may still write to the disk of a directory, or
// of the one above it that is there, and whether that is known.
func FreeDisk(dir string) (bytes uint64, known bool) {
	if path, err := filepath.Abs(dir); err == nil {
		dir = path
	}
	for parent := filepath.Dir(dir); dir != parent; dir, parent = parent, filepath.Dir(parent) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return freeBytes(dir)
}

// CheckSpace returns an error unless the disk has room for this many more bytes.
// Badger writes through memory maps, where a full disk is no error but the end of
// the process, so room is checked beforehand.
func CheckSpace(dir string, need uint64) error {
	free, known := FreeDisk(dir)
	if !known || free >= need+SpareBytes { // where nothing is known, nothing is forbidden
		return nil
	}
	return fmt.Errorf("%w: no space left on the disk of %s: %s are free, and %s are needed; make room or use another directory",
		ErrStorage, dir, MiB(free), MiB(need+SpareBytes))
}

// RoomFor returns an error unless a disk with this many free bytes has room for something
// that is to be written to a directory.
func RoomFor(what string, need, free uint64, dir string) error {
	if free >= need+SpareBytes {
		return nil
	}
	return fmt.Errorf("%w: %s takes %s of disk, and %s are free on that of %s; make room or use another directory",
		ErrStorage, what, MiB(need+SpareBytes), MiB(free), dir)
}

// MiB returns a size in MiB, rounded up.
func MiB(size uint64) string { return fmt.Sprintf("%d MiB", (size+1<<20-1)>>20) }
