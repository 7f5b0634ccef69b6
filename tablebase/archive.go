package tablebase

import (
	"encoding/binary"
	"errors"
	"fmt"

	"bohnenspiel/tablebase/fault"

	"bohnenspiel/solver/game"
)

// An archive is one file with all layers of a game that one layer needs: those with as
// many beans or fewer, by twos. It can be written and read in one go, needs no more
// than reading to be probed, and has the same bytes wherever it is made. Numbers are
// big-endian.
//
//	header           16 bytes
//	layers           in ascending order of beans, of each
//	    manifest     a record: 4 bytes for the length of a value, and the value
//	    blocks       records: scores in their order; then lows and highs, if there are any
//	index            a record
//	footer           56 bytes
//
// Values of manifests and blocks are those of a database, see format.go, but for what a
// manifest says about the making of its layer: sweeps, date and time are zero.
//
//	header           offset size
//	                 0      4    "BnsX"
//	                 4      1    archive version
//	                 5      1    rules
//	                 6      1    width
//	                 7      1    beans of the last layer
//	                 8      8    checksum: xxHash64 of bytes 0 to 7
//
//	index, value     0      4    "BnsI"
//	                 4      1    archive version
//	                 5      3    zero
//	                 8      8    checksum: xxHash64 of bytes 0 to 7 and of all bytes after 15
//	                 16     8·r  where each of the r records of layers begins, in their order
//
//	footer           0      4    "BnsE"
//	                 4      4    zero
//	                 8      8    where the record of the index begins
//	                 16     32   SHA-256 of all bytes before the footer
//	                 48     8    checksum: xxHash64 of bytes 0 to 47
const (
	archiveMagic      = "BnsX"
	archiveHeaderSize = 16
	archiveChecksumAt = 8

	archiveIndexMagic      = "BnsI"
	archiveIndexHeaderSize = 16
	archiveIndexChecksumAt = 8

	archiveFooterMagic      = "BnsE"
	archiveFooterSize       = 56
	archiveFooterIndexAt    = 8
	archiveFooterHashAt     = 16
	archiveFooterChecksumAt = 48

	recordLengthSize = 4
	offsetSize       = 8

	// maxManifestSize is more than any manifest takes: 64 KiB.
	maxManifestSize = 1 << 16
	// maxBlockSize is more than any block takes: each position takes at most two bytes.
	maxBlockSize = blockHeaderSize + 2*BlockPositions + 1<<10
)

// ArchiveVersion is the version of exported files that this program writes, and the only
// one that it reads. Their layers are of FormatVersion.
const ArchiveVersion = 1

// archiveHeader returns the header of an archive.
func archiveHeader(last Key) []byte {
	header := append([]byte(archiveMagic), ArchiveVersion, byte(last.Rules), byte(last.Width), byte(last.Beans))
	header = append(header, make([]byte, checksumSize)...)
	seal(header, archiveChecksumAt)
	return header
}

// parseArchiveHeader returns the last layer of an archive. It takes any bytes. The
// error wraps ErrNotDatabase, ErrVersion or ErrCorrupt.
func parseArchiveHeader(header []byte) (last Key, err error) {
	if len(header) < archiveHeaderSize || string(header[:4]) != archiveMagic {
		return Key{}, fmt.Errorf("%w: it is a file that bohnenspiel has not exported", ErrNotDatabase)
	}
	if err := unsealAs(header, archiveMagic, archiveHeaderSize, archiveChecksumAt, ArchiveVersion); err != nil {
		return Key{}, badArchive("header", err)
	}
	last = Key{Rules: game.Rules(header[5]), Width: int(header[6]), Beans: int(header[7])}
	if !last.valid() {
		return Key{}, badArchive("header", errNoSuchLayer)
	}
	return last, nil
}

// archiveIndex returns the value of the index.
func archiveIndex(offsets []uint64) []byte {
	value := append([]byte(archiveIndexMagic), ArchiveVersion, 0, 0, 0)
	value = append(value, make([]byte, checksumSize)...)
	for _, offset := range offsets {
		value = binary.BigEndian.AppendUint64(value, offset)
	}
	seal(value, archiveIndexChecksumAt)
	return value
}

// parseArchiveIndex verifies the value of an index and returns its offsets. It takes any
// bytes.
func parseArchiveIndex(value []byte) ([]uint64, error) {
	if err := unsealAs(value, archiveIndexMagic, archiveIndexHeaderSize, archiveIndexChecksumAt, ArchiveVersion); err != nil {
		return nil, badArchive("index", err)
	}
	entries := value[archiveIndexHeaderSize:]
	if len(entries)%offsetSize != 0 {
		return nil, badArchive("index", errShort)
	}
	offsets := make([]uint64, len(entries)/offsetSize)
	for i := range offsets {
		offsets[i] = binary.BigEndian.Uint64(entries[i*offsetSize:])
	}
	return offsets, nil
}

// archiveFooter returns the footer of an archive.
func archiveFooter(index uint64, hash []byte) []byte {
	footer := append([]byte(archiveFooterMagic), 0, 0, 0, 0)
	footer = binary.BigEndian.AppendUint64(footer, index)
	footer = append(footer, hash...)
	footer = append(footer, make([]byte, checksumSize)...)
	seal(footer, archiveFooterChecksumAt)
	return footer
}

// parseArchiveFooter returns what a footer says. It takes any bytes.
func parseArchiveFooter(footer []byte) (index uint64, hash []byte, err error) {
	switch {
	case len(footer) != archiveFooterSize || string(footer[:4]) != archiveFooterMagic:
		return 0, nil, badArchive("end", errCut)
	case binary.BigEndian.Uint64(footer[archiveFooterChecksumAt:]) != checksum(footer, archiveFooterChecksumAt):
		return 0, nil, badArchive("end", errChecksum)
	}
	return binary.BigEndian.Uint64(footer[archiveFooterIndexAt:]), footer[archiveFooterHashAt:archiveFooterChecksumAt], nil
}

// badArchive returns the error for a part of an archive that is not as it should be. It
// wraps ErrCorrupt, or ErrVersion if that is what is wrong.
func badArchive(part string, cause error) error {
	if fault.ClassOf(cause) == fault.BadData {
		return fmt.Errorf("%s: %w", part, cause)
	}
	return fmt.Errorf("%w: %s: %w; copy or export it again", ErrCorrupt, part, cause)
}

// inArchive has an error about a corrupt value say that it lies in the archive with a
// name.
func inArchive(err error, name string) error {
	if corrupt, ok := errors.AsType[*CorruptError](err); ok {
		corrupt.Archive = name
	}
	return err
}

// faultInArchive returns the error for a fault that Check has found in an archive.
func faultInArchive(found error, name string) error {
	if fault.ClassOf(found) == fault.BadData {
		return inArchive(found, name)
	}
	return fmt.Errorf("%w in %s, %w; copy or export it again", ErrCorrupt, name, found)
}

// chain returns the layers that an archive up to a layer holds, in their order.
func (k Key) chain() []Key {
	var keys []Key
	for beans := k.Beans % 2; beans <= k.Beans; beans += 2 {
		keys = append(keys, Key{Rules: k.Rules, Width: k.Width, Beans: beans})
	}
	return keys
}

// timeless returns the manifest without what differs from one making of the layer to
// another.
func (m Manifest) timeless() Manifest {
	var zero Manifest
	m.Sweeps, m.Built, m.Seconds = zero.Sweeps, zero.Built, zero.Seconds
	return m
}
