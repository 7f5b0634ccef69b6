package database

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dgraph-io/badger/v4"

	"bohnenspiel/tablebase/format"
)

// directoryState is what a directory is found to be, as far as can be told without
// opening a database.
type directoryState uint8

const (
	// directoryMissing is no directory at all.
	directoryMissing directoryState = iota
	// directoryEmpty is a directory that is empty, or holds what is left when a
	// program was killed while it made a database: no data in either case.
	directoryEmpty
	// directoryDatabase is a database of this package and version.
	directoryDatabase
)

// magicSize is the size of what MANIFEST begins with: "Bdgr", the number of the
// program that made it (two bytes), and Badger's own version (two bytes).
const magicSize = 8

// inspect finds out what a directory is. It writes nothing and opens no database,
// so nobody else is disturbed. The error wraps ErrNotDatabase, ErrVersion or
// ErrStorage.
func inspect(dir string) (directoryState, error) {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return directoryMissing, nil
	case err != nil && isFile(dir):
		return 0, fmt.Errorf("%w: %s is a file; name a directory", format.ErrNotDatabase, dir)
	case err != nil:
		return 0, storageError("read", dir, err)
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == badger.ManifestFilename }) {
		if err := inspectManifest(dir); err != nil || slices.ContainsFunc(entries, holdsData) {
			return directoryDatabase, err
		}
		return directoryEmpty, nil
	}
	for _, entry := range entries {
		if !leftOver(entry.Name()) {
			return 0, fmt.Errorf("%w: %s holds other files, such as %s; name another directory", format.ErrNotDatabase, dir, entry.Name())
		}
	}
	return directoryEmpty, nil
}

// inspectManifest reads who made a database, and its version.
func inspectManifest(dir string) error {
	file, err := os.Open(filepath.Join(dir, badger.ManifestFilename))
	if err != nil {
		return storageError("read", dir, err)
	}
	defer func() { _ = file.Close() }() // nothing was written
	magic := make([]byte, magicSize)
	if _, err := io.ReadFull(file, magic); err != nil || !strings.HasPrefix(string(magic), "Bdgr") {
		return fmt.Errorf("%w: %s holds a file MANIFEST of another kind; name another directory", format.ErrNotDatabase, dir)
	}
	number := binary.BigEndian.Uint16(magic[4:])
	if number>>8 != format.DatabaseMagic {
		return fmt.Errorf("%w: %s is a database of another program; name another directory", format.ErrNotDatabase, dir)
	}
	if version := int(number & 0xFF); version != format.Version {
		return fmt.Errorf("%s: %w", dir, format.VersionError(version, format.Version))
	}
	return nil
}

// leftOver reports whether Badger makes a file of this name before MANIFEST.
func leftOver(name string) bool {
	return name == "LOCK" || name == "MANIFEST-REWRITE"
}

// holdsData reports whether Badger keeps data in a file of this name. One of them is
// there before anything is written.
func holdsData(e fs.DirEntry) bool {
	extension := filepath.Ext(e.Name())
	return extension == ".vlog" || extension == ".sst"
}

// isFile reports whether there is something that is no directory.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
