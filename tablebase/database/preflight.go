package database

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	badgertable "github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/ristretto/v2/z"

	"bohnenspiel/tablebase/fault"
	"bohnenspiel/tablebase/format"
)

// preflight finds out whether a database can be opened: that nobody holds its lock,
// and that its tables are whole. Badger itself reads them on goroutines of its own,
// where damage ends the process, and deletes those that a damaged MANIFEST no longer
// lists, even when it opens for reading. It also tells whether the last builder was
// killed.
//
// Preflight writes nothing, except for this: where a builder was killed between making a
// file and giving it a size, and the database is to be opened for writing, it deletes
// the empty file, at which Badger would fail.
func preflight(dir string, readOnly bool) (killed bool, err error) {
	file, err := os.Open(dir)
	if err != nil {
		return false, storageError("read", dir, err)
	}
	defer func() { _ = file.Close() }() // which releases the lock
	if err := tryLock(file, readOnly); err != nil {
		return false, lockError(dir, readOnly)
	}
	listed, whole, err := listedTables(dir)
	if err != nil {
		return false, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, storageError("read", dir, err)
	}
	last := "" // of the tables that are listed; their names have numbers of one length
	for path := range listed {
		last = max(last, path)
	}
	var empty, unlisted []string
	for _, entry := range entries {
		extension := filepath.Ext(entry.Name())
		if info, err := entry.Info(); err == nil && info.Size() == 0 && (extension == ".mem" || extension == ".vlog") {
			empty = append(empty, filepath.Join(dir, entry.Name()))
		}
		switch extension {
		case ".mem":
			// A builder has a log of what is in memory as long as it is at work.
			killed = true
		case ".sst":
			// One that Badger failed to write, and then wrote under the next number, is left
			// over. Those that a MANIFEST which was cut no longer lists are the last.
			if path := filepath.Join(dir, entry.Name()); path > last {
				unlisted = append(unlisted, path)
			}
		}
	}
	if whole && !killed && len(unlisted) > 0 {
		// A builder who went on from one that was killed, and was killed as well before it had
		// a log of its own.
		if killed, err = addNothing(dir, unlisted, listed); err != nil {
			return false, err
		}
	}
	if (!whole || len(unlisted) > 0) && !killed {
		return false, fmt.Errorf("%w: the database in %s does not list all of its files; %s", format.ErrCorrupt, dir, salvageHint)
	}
	if killed && !readOnly {
		for _, path := range empty {
			if err := os.Remove(path); err != nil {
				return false, storageError("write", dir, err)
			}
		}
	}
	return killed, readTables(dir, listed)
}

// listedTables returns the files that MANIFEST lists, and whether it ends where an
// entry does. A directory without MANIFEST has none.
func listedTables(dir string) (listed map[string]badger.TableManifest, whole bool, err error) {
	info, err := os.Stat(filepath.Join(dir, badger.ManifestFilename))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, true, nil
	}
	if err != nil {
		return nil, false, storageError("read", dir, err)
	}
	listed, end, err := replayManifest(dir)
	return listed, end == info.Size(), err
}

// replayManifest returns the files that MANIFEST lists, and the offset at which what can be
// read of it ends.
func replayManifest(dir string) (listed map[string]badger.TableManifest, end int64, err error) {
	file, err := os.Open(filepath.Join(dir, badger.ManifestFilename))
	if err != nil {
		return nil, 0, storageError("read", dir, err)
	}
	defer func() { _ = file.Close() }() // nothing was written
	options := badgerOptions(dir)
	manifest, end, err := badger.ReplayManifestFile(file, options.ExternalMagicVersion, options)
	if err != nil {
		return nil, 0, damaged(dir)
	}
	listed = make(map[string]badger.TableManifest)
	for id, about := range manifest.Tables {
		listed[badgertable.NewFilename(id, dir)] = about
	}
	return listed, end, nil
}

// readTables reads tables one by one.
func readTables(dir string, listed map[string]badger.TableManifest) error {
	for path, about := range listed {
		if err := readTable(dir, path, about); err != nil {
			return err
		}
	}
	return nil
}

// readTable opens a table as Badger does, verifies its checksums, and closes it.
func readTable(dir, path string, about badger.TableManifest) error {
	return withTable(dir, path, about, func(*badgertable.Table) {})
}

// withTable opens a table as Badger does, verifies its checksums, calls read, and closes it.
func withTable(dir, path string, about badger.TableManifest, read func(t *badgertable.Table)) (err error) {
	defer func() {
		if recover() != nil { // see recoverDamage
			err = damagedTable(dir)
		}
	}()
	if info, err := os.Stat(path); err == nil && info.Size() == 0 { // which cannot be mapped
		return damagedTable(dir)
	}
	options := badgerOptions(dir)
	mapped, err := z.OpenMmapFile(path, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: a file of the database in %s is missing; %s", format.ErrCorrupt, dir, salvageHint)
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
		return damagedTable(dir)
	}
	read(t)
	return storageError("read", dir, t.Close(-1))
}

// addNothing reports whether tables that MANIFEST does not list can be done without: each
// was not finished, or holds nothing but what those that are listed hold. Badger leaves
// such ones when it is killed while it merges tables or drops keys from them.
func addNothing(dir string, unlisted []string, listed map[string]badger.TableManifest) (bool, error) {
	missing := make(map[string]string) // values by their keys
	for _, path := range unlisted {
		if finished, err := isFinished(path); err != nil {
			return false, storageError("read", dir, err)
		} else if !finished {
			continue
		}
		err := withTable(dir, path, badger.TableManifest{Compression: badgerOptions(dir).Compression}, func(t *badgertable.Table) {
			entries(t, func(key, value string) { missing[key] = value })
		})
		if fault.ClassOf(err) == fault.BadData {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	for path, about := range listed {
		if len(missing) == 0 {
			break
		}
		err := withTable(dir, path, about, func(t *badgertable.Table) {
			entries(t, func(key, value string) {
				if missing[key] == value {
					delete(missing, key)
				}
			})
		})
		if err != nil {
			return false, err
		}
	}
	return len(missing) == 0, nil
}

// entries calls f with each key of a table, with its version, and its value.
func entries(t *badgertable.Table, f func(key, value string)) {
	i := t.NewIterator(0)
	defer func() { _ = i.Close() }() // the table is closed by whoever has opened it
	for i.Rewind(); i.Valid(); i.Next() {
		value := i.Value()
		f(string(i.Key()), fmt.Sprintf("%d %d %d %s", value.Meta, value.UserMeta, value.ExpiresAt, value.Value))
	}
}

// isFinished reports whether a table was written to its end, where the size of its
// checksum is. Badger gives the file its size first, and then writes to it in order.
func isFinished(path string) (bool, error) {
	data, err := os.ReadFile(path)
	return len(data) >= 4 && !bytes.Equal(data[len(data)-4:], make([]byte, 4)), err
}

// damagedTable returns the error for a database of which a table is damaged.
func damagedTable(dir string) error {
	return fmt.Errorf("%w: a file of the database in %s is damaged; %s", format.ErrCorrupt, dir, salvageHint)
}

// salvageHint says what to do where tables are damaged.
const salvageHint = "check --repair saves what it can, then build the rest again"
