package tabletest

import (
	"testing"

	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/store"
)

// Faulty is a database directory whose disk does as a test says.
type Faulty struct {
	store.Writer
	// Fail, if not nil, is asked before each write, with its number from 0 on. What it
	// returns is what the system says.
	Fail func(n int) error
	// FreeBytes, if not nil, is what is free on the disk.
	FreeBytes *uint64

	writes int
}

// NewFaulty opens a directory for writing, or for reading alone. When the test ends the
// database is checked and closed.
func NewFaulty(tb testing.TB, dir string, readOnly bool) (*Faulty, *tablebase.DB) {
	tb.Helper()
	w, err := database.OpenStore(dir, readOnly)
	if err != nil {
		tb.Fatal(err)
	}
	f := &Faulty{Writer: w}
	db, err := tablebase.New(f, tablebase.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		WantSound(tb, db)
		Close(tb, db)
	})
	return f, db
}

// fault returns what the system says of the next write.
func (f *Faulty) fault() error {
	n := f.writes
	f.writes++
	if f.Fail == nil {
		return nil
	}
	return store.Failure("write", f.Name(), f.Fail(n))
}

// Write implements store.Writer.
func (f *Faulty) Write(entries []store.Entry) error {
	if err := f.fault(); err != nil {
		return err
	}
	return f.Writer.Write(entries)
}

// Drop implements store.Writer.
func (f *Faulty) Drop(prefix []byte) error {
	if err := f.fault(); err != nil {
		return err
	}
	return f.Writer.Drop(prefix)
}

// Remove implements store.Writer.
func (f *Faulty) Remove(keys [][]byte) error {
	if err := f.fault(); err != nil {
		return err
	}
	return f.Writer.Remove(keys)
}

// Sync implements store.Writer.
func (f *Faulty) Sync() error {
	if err := f.fault(); err != nil {
		return err
	}
	return f.Writer.Sync()
}

// Free implements store.Writer.
func (f *Faulty) Free() (bytes uint64, known bool) {
	if f.FreeBytes != nil {
		return *f.FreeBytes, true
	}
	return f.Writer.Free()
}
