package tablebase

import (
	"errors"
	"fmt"
)

// errNoValue is returned by view for a key that is not there.
var errNoValue = errors.New("no such key")

// values is what tables are read from: a database directory or an exported file. Keys and
// values are those of docs/format.md. It is safe for concurrent use.
type values interface {
	// view calls f with the value of a key, which is only valid meanwhile. The error is
	// errNoValue, an error of the system, or that of f.
	view(key []byte, f func(value []byte) error) error
	// keys returns all keys with a prefix, in their order, up to a limit; 0 means none.
	keys(prefix []byte, limit int) ([][]byte, error)
	// trim is called often while much is read, to give back memory.
	trim()
	// name returns the directory or the file, as it was given.
	name() string
	// close releases it. Closing twice is fine.
	close() error
}

// writer is a database directory that can be changed as well.
type writer interface {
	values
	// readOnly reports whether it is open for reading alone; then what follows fails.
	readOnly() bool
	// write writes values, sooner or later: sync makes sure. The entries must not be
	// changed until then.
	write(entries []entry) error
	// drop deletes all keys with a prefix and gives back the disk that their values take.
	drop(prefix []byte) error
	// remove deletes keys, and returns when they are gone from the disk.
	remove(keys [][]byte) error
	// sync returns when everything that was written is on the disk.
	sync() error
	// free returns the bytes that may still be written to the disk, and whether that is
	// known.
	free() (bytes uint64, known bool)
}

// entry is a value and its key.
type entry struct{ key, value []byte }

// has reports whether there is a value with a key.
func has(v values, key []byte) (bool, error) {
	err := v.view(key, func([]byte) error { return nil })
	if errors.Is(err, errNoValue) {
		return false, nil
	}
	return err == nil, err
}

// room returns an error that wraps ErrStorage unless the disk of a database has room for
// so many bytes.
func room(w writer, need uint64) error {
	free, known := w.free()
	if !known {
		return nil
	}
	return roomFor("it", need, free, w.name())
}

// batchBytes is the size of a batch: larger ones gain no speed and hold their values in
// memory.
const batchBytes = 16 << 20

// batch writes many values, some megabytes at a time. It is not safe for concurrent use.
type batch struct {
	to      writer
	entries []entry
	bytes   int
}

// put writes a value, sooner or later: flush makes sure. Neither key nor value may be
// changed until then.
func (b *batch) put(key, value []byte) error {
	b.entries = append(b.entries, entry{key, value})
	b.bytes += len(key) + len(value)
	if b.bytes < batchBytes {
		return nil
	}
	return b.flush()
}

// flush writes what has been put since the last flush.
func (b *batch) flush() error {
	if err := checkSpace(b.to.name(), uint64(b.bytes)); err != nil {
		return err
	}
	err := b.to.write(b.entries)
	clear(b.entries)
	b.entries, b.bytes = b.entries[:0], 0
	return err
}

// mebibytes returns a size in MiB, rounded up.
func mebibytes(size uint64) string { return fmt.Sprintf("%d MiB", (size+1<<20-1)>>20) }
