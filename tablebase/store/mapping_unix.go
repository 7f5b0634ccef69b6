//go:build unix

package store

import (
	"os"

	"golang.org/x/sys/unix"

	"bohnenspiel/tablebase/format"
)

// mapping is a file that is mapped into memory for reading.
type mapping struct {
	size  uint64
	bytes []byte
}

// openMapping maps a file of this many bytes and closes it, unless there is an error.
func openMapping(file *os.File, size uint64) (*mapping, error) {
	m := &mapping{size: size}
	if size > 0 { // there are no maps of nothing
		var err error
		if m.bytes, err = unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED); err != nil {
			return nil, FileFailure("map", err)
		}
	}
	_ = file.Close() // the map stays, and nothing was written
	return m, nil
}

// at returns size bytes from an offset on, which stay valid until the mapping is closed.
// Reading them faults if the file has been cut or the disk fails.
func (m *mapping) at(offset, size uint64) ([]byte, error) {
	if offset > m.size || size > m.size-offset {
		return nil, format.BadArchive("record", format.ErrCut)
	}
	return m.bytes[offset:][:size:size], nil
}

// close gives the memory back.
func (m *mapping) close() error {
	if m.bytes == nil {
		return nil
	}
	return unix.Munmap(m.bytes)
}
