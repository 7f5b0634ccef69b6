//go:build !unix

package store

import (
	"os"

	"bohnenspiel/tablebase/format"
)

// mapping is a file that is read piece by piece, where it can't be mapped into memory.
type mapping struct {
	size uint64
	file *os.File
}

// openMapping takes over a file of this many bytes.
func openMapping(file *os.File, size uint64) (*mapping, error) {
	return &mapping{size: size, file: file}, nil
}

// at returns size bytes from an offset on.
func (m *mapping) at(offset, size uint64) ([]byte, error) {
	if offset > m.size || size > m.size-offset {
		return nil, format.BadArchive("record", format.ErrCut)
	}
	bytes := make([]byte, size)
	if _, err := m.file.ReadAt(bytes, int64(offset)); err != nil {
		return nil, FileFailure("read", err)
	}
	return bytes, nil
}

// close closes the file.
func (m *mapping) close() error { return m.file.Close() }
