package store

import (
	"errors"
)

// ErrNoValue is returned by view for a key that is not there.
var ErrNoValue = errors.New("no such key")

// Reader is what tables are read from: a database directory or an exported file. Keys and
// values are those of docs/format.md. It is safe for concurrent use.
type Reader interface {
	// View calls f with the value of a key, which is only valid meanwhile. The error is
	// ErrNoValue, an error of the system, or that of f.
	View(key []byte, f func(value []byte) error) error
	// Keys returns all keys with a prefix, in their order, up to a limit; 0 means none.
	Keys(prefix []byte, limit int) ([][]byte, error)
	// Trim is called often while much is read, to give back memory.
	Trim()
	// Name returns the directory or the file, as it was given.
	Name() string
	// Close releases it. Closing twice is fine.
	Close() error
}

// Writer is a database directory that can be changed as well.
type Writer interface {
	Reader
	// ReadOnly reports whether it is open for reading alone; then what follows fails.
	ReadOnly() bool
	// Write writes values, sooner or later: sync makes sure. The entries must not be
	// changed until then.
	Write(entries []Entry) error
	// Drop deletes all keys with a prefix and gives back the disk that their values take.
	Drop(prefix []byte) error
	// Remove deletes keys, and returns when they are gone from the disk.
	Remove(keys [][]byte) error
	// Sync returns when everything that was written is on the disk.
	Sync() error
	// Free returns the bytes that may still be written to the disk, and whether that is
	// known.
	Free() (bytes uint64, known bool)
}

// Entry is a value and its key.
type Entry struct{ Key, Value []byte }

// Has reports whether there is a value with a key.
func Has(v Reader, key []byte) (bool, error) {
	err := v.View(key, func([]byte) error { return nil })
	if errors.Is(err, ErrNoValue) {
		return false, nil
	}
	return err == nil, err
}

// Room returns an error that wraps ErrStorage unless the disk of a database has room for
// this many bytes.
func Room(w Writer, need uint64) error {
	free, known := w.Free()
	if !known {
		return nil
	}
	return RoomFor("it", need, free, w.Name())
}
