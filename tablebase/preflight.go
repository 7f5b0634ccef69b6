package tablebase

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	badgertable "github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/ristretto/v2/z"
	"golang.org/x/sys/unix"
)

// preflight finds out whether a database can be opened: that nobody holds its lock,
// and that Badger can read its tables, which Badger itself does on goroutines of its
// own where a panic ends the process. It writes nothing.
func preflight(dir string, readOnly bool) error {
	lock := unix.LOCK_EX
	if readOnly {
		lock = unix.LOCK_SH
	}
	file, err := os.Open(dir)
	if err != nil {
		return storageError("read", dir, err)
	}
	defer func() { _ = file.Close() }() // which releases the lock
	if err := unix.Flock(int(file.Fd()), lock|unix.LOCK_NB); err != nil {
		return lockError(dir, readOnly)
	}
	return readTables(dir)
}

// readTables opens all tables of a database that its MANIFEST lists, and closes
// them. A directory without MANIFEST has none.
func readTables(dir string) (err error) {
	defer recoverDamage(dir, &err)
	file, err := os.Open(filepath.Join(dir, badger.ManifestFilename))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return storageError("read", dir, err)
	}
	defer func() { _ = file.Close() }()
	options := badgerOptions(dir)
	manifest, _, err := badger.ReplayManifestFile(file, options.ExternalMagicVersion, options)
	if err != nil {
		return damaged(dir)
	}
	for id, about := range manifest.Tables {
		mapped, err := z.OpenMmapFile(badgertable.NewFilename(id, dir), os.O_RDONLY, 0)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: a file of the database in %s is missing; delete it and build it again", ErrCorrupt, dir)
		}
		if err != nil {
			return openError(dir, true, err)
		}
		t, err := badgertable.OpenTable(mapped, badgertable.Options{
			ReadOnly:    true,
			Compression: about.Compression,
			ChkMode:     options.ChecksumVerificationMode,
			BlockSize:   options.BlockSize,
		})
		if err != nil {
			return damaged(dir)
		}
		if err := t.Close(-1); err != nil {
			return storageError("read", dir, err)
		}
	}
	return nil
}

// lockError says who keeps others from opening a directory: readers leave its lock
// to be shared, builders don't.
func lockError(dir string, readOnly bool) error {
	if file, err := os.Open(dir); err == nil && !readOnly {
		defer func() { _ = file.Close() }()
		if unix.Flock(int(file.Fd()), unix.LOCK_SH|unix.LOCK_NB) == nil {
			return fmt.Errorf("%w: another bohnenspiel reads %s; wait for it, or use another directory", ErrInUse, dir)
		}
	}
	return fmt.Errorf("%w: another bohnenspiel builds in %s; wait for it, or use another directory", ErrLocked, dir)
}
