package database

import (
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/store"
)

// Open opens the database in a directory for reading. Any number of processes may
// read at once, but none while another builds. If dir is a file that Export has written,
// its layers are read from there, by any number of processes.
//
// It returns ErrNoDatabase when the directory is missing or empty, ErrNotDatabase
// when it holds other things, ErrVersion when it is of another format version, and
// ErrLocked when another process is building. A database whose builder was killed
// is recovered first; that needs leave to write, or gives ErrReadOnly.
func Open(dir string, o tablebase.Options) (*tablebase.DB, error) {
	if isFile(dir) {
		return tablebase.OpenFile(dir, o)
	}
	state, err := inspect(dir)
	if err != nil {
		return nil, err
	}
	if state != directoryDatabase {
		return nil, noDatabase(dir)
	}
	return openDirectory(dir, true, o)
}

// Create opens the database in a directory for building and reading, and makes
// directory and database when they are missing. No other process can have it open
// meanwhile.
//
// Besides the errors of Open other than ErrNoDatabase, it returns ErrInUse when
// other processes are reading and ErrReadOnly when the directory cannot be
// written.
func Create(dir string, o tablebase.Options) (*tablebase.DB, error) {
	state, err := inspect(dir)
	if err != nil {
		return nil, err
	}
	if state == directoryMissing {
		if err := makeDirectory(dir); err != nil {
			return nil, err
		}
	}
	return openDirectory(dir, false, o)
}

func openDirectory(dir string, readOnly bool, o tablebase.Options) (*tablebase.DB, error) {
	if !readOnly {
		if err := store.CheckSpace(dir, 0); err != nil {
			return nil, err
		}
	}
	store, err := OpenStore(dir, readOnly)
	if err != nil {
		return nil, err
	}
	db, err := tablebase.New(store, o)
	if err != nil {
		_ = store.Close() // the first error says more
	}
	return db, err
}
