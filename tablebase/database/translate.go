package database

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"bohnenspiel/tablebase/fault"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

// Texts of Badger's errors, which it does not let [errors.Is] see.
const (
	textLocked     = "Another process is using this Badger database"
	textNoManifest = "no manifest found"
	textChecksum   = "checksum mismatch"
)

// badgerOptions returns the options of databases. docs/adr/0002-badger.md gives the
// reasons.
func badgerOptions(dir string) badger.Options {
	return badger.DefaultOptions(dir).
		WithExternalMagic(format.ExternalMagic).
		WithLogger(nil).
		WithValueThreshold(1 << 10).
		WithCompression(options.None).
		WithBlockCacheSize(0).
		WithIndexCacheSize(0).
		WithNumVersionsToKeep(1).
		WithDetectConflicts(false).
		WithMetricsEnabled(false).
		WithMemTableSize(16 << 20).
		WithNumMemtables(2).
		WithNumCompactors(2).
		WithChecksumVerificationMode(options.OnTableAndBlockRead).
		WithVerifyValueChecksum(true)
}

// openError translates an error of Badger's on opening. It keeps nil.
func openError(dir string, readOnly bool, err error) error {
	switch {
	case err == nil:
		return nil
	case strings.Contains(err.Error(), textLocked):
		return lockError(dir, readOnly)
	case strings.Contains(err.Error(), textNoManifest):
		return noDatabase(dir)
	case store.SystemCause(err) == 0 && fault.ClassOf(err) == fault.Other:
		return damaged(dir)
	}
	return storageError("open", dir, err)
}

// noDatabase returns the error for a missing or empty directory.
func noDatabase(dir string) error {
	return fmt.Errorf("%w in %s; build one first, or name another directory", store.ErrNoDatabase, dir)
}

// storageError translates an error of Badger's into one line, as failure does.
func storageError(doing, dir string, err error) error {
	switch {
	case err == nil || fault.ClassOf(err) != fault.Other:
		return err
	case errors.Is(err, badger.ErrKeyNotFound):
		return store.ErrNoValue
	case errors.Is(err, badger.ErrDBClosed):
		return store.ErrClosed
	case store.SystemCause(err) == 0 && strings.Contains(err.Error(), textChecksum):
		return damaged(dir)
	}
	return store.Failure(doing, dir, err)
}

// damaged returns the error for a database that Badger itself finds damaged.
func damaged(dir string) error {
	return fmt.Errorf("%w: the files of the database in %s are damaged; delete it and build it again", format.ErrCorrupt, dir)
}

// recoverDamage turns what was recovered of a panic of Badger's, if there was one, into an
// error. Badger takes the form of its files for granted in places.
func recoverDamage(dir string, recovered any, err *error) {
	if recovered != nil {
		*err = damaged(dir)
	}
}

// lockError says who keeps others from opening a directory: readers leave its lock
// to be shared, builders don't.
func lockError(dir string, readOnly bool) error {
	if file, err := os.Open(dir); err == nil && !readOnly {
		defer func() { _ = file.Close() }()
		if readersShare && tryLock(file, true) == nil {
			return fmt.Errorf("%w: another bohnenspiel reads %s; wait for it, or use another directory", store.ErrInUse, dir)
		}
	}
	return fmt.Errorf("%w: another bohnenspiel builds in %s; wait for it, or use another directory", store.ErrLocked, dir)
}
