package database

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	badgertable "github.com/dgraph-io/badger/v4/table"

	"bohnenspiel/tablebase/fault"
)

// Salvage makes a database that Open finds damaged usable again, as far as it can: it gives
// up those files that list where blocks and manifests lie, and are damaged, missing, or not
// known to the database. Blocks or whole layers are missing afterwards; Check finds
// them, Repair deletes what is left of such layers, and Build makes them again. Whatever
// is left is verified when it is read, as ever. It returns the number of files given up, and
// ErrCorrupt when it cannot help: then the database is to be deleted. Nobody else may have
// it open.
func Salvage(dir string) (lost int, err error) {
	if state, err := inspect(dir); err != nil || state != directoryDatabase {
		return 0, errors.Join(err, damagedUnless(err, dir))
	}
	lock, err := os.Open(dir)
	if err != nil {
		return 0, storageError("read", dir, err)
	}
	defer func() { _ = lock.Close() }() // which releases the lock
	if err := tryLock(lock, false); err != nil {
		return 0, lockError(dir, false)
	}
	listed, end, err := replayManifest(dir)
	if err != nil {
		return 0, err
	}
	var gone []uint64 // tables to strike off the list
	for path, about := range listed {
		if err := readTable(dir, path, about); err == nil {
			continue
		} else if fault.ClassOf(err) != fault.BadData {
			return 0, err
		}
		id, _ := badgertable.ParseFileID(filepath.Base(path)) // it has made the name from it
		gone = append(gone, id)
	}
	stray, err := unlistedTables(dir, listed)
	if err != nil {
		return 0, err
	}
	// First the list, then files: a file that is listed must be there.
	if err := amendManifest(dir, end, gone); err != nil {
		return 0, storageError("write", dir, err)
	}
	for _, id := range gone {
		stray = append(stray, badgertable.NewFilename(id, dir))
	}
	for _, path := range stray {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return 0, storageError("write", dir, err)
		}
	}
	return len(stray), nil
}

// damagedUnless returns the error for a damaged database, unless there is another.
func damagedUnless(err error, dir string) error {
	if err != nil {
		return nil
	}
	return damaged(dir)
}

// unlistedTables returns the files of tables that MANIFEST does not list.
func unlistedTables(dir string, listed map[string]badger.TableManifest) ([]string, error) {
	all, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	if err != nil {
		return nil, storageError("read", dir, err)
	}
	var stray []string
	for _, path := range all {
		if _, ok := listed[path]; !ok {
			stray = append(stray, path)
		}
	}
	return stray, nil
}

// amendManifest cuts MANIFEST off where what can be read of it ends, and adds an entry that
// strikes tables off its list. An entry is the length and the CRC-32C of a message, four
// bytes each, and the message: pb.ManifestChangeSet in the encoding of protocol buffers.
func amendManifest(dir string, end int64, gone []uint64) (err error) {
	file, err := os.OpenFile(filepath.Join(dir, badger.ManifestFilename), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := file.Truncate(end); err != nil {
		return err
	}
	var set []byte
	for _, id := range gone {
		change := binary.AppendUvarint([]byte{0x08}, id) // field 1: the table
		change = append(change, 0x10, 1)                 // field 2: delete
		set = append(set, 0x0a, byte(len(change)))
		set = append(set, change...)
	}
	if len(set) > 0 {
		entry := binary.BigEndian.AppendUint32(nil, uint32(len(set)))
		entry = binary.BigEndian.AppendUint32(entry, crc32.Checksum(set, crc32.MakeTable(crc32.Castagnoli)))
		if _, err := file.Seek(end, io.SeekStart); err != nil {
			return err
		}
		if _, err := file.Write(append(entry, set...)); err != nil {
			return err
		}
	}
	return file.Sync()
}
