package format

import (
	"encoding/binary"
	"errors"
	"fmt"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/fault"
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
// Values of manifests and blocks are those of a database, see block.go and manifest.go, except for what a
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
	ArchiveHeaderSize = 16
	ArchiveChecksumAt = 8

	ArchiveIndexMagic      = "BnsI"
	ArchiveIndexHeaderSize = 16
	ArchiveIndexChecksumAt = 8

	archiveFooterMagic      = "BnsE"
	ArchiveFooterSize       = 56
	archiveFooterIndexAt    = 8
	ArchiveFooterHashAt     = 16
	ArchiveFooterChecksumAt = 48

	RecordLengthSize = 4
	OffsetSize       = 8

	// MaxManifestSize is more than any manifest takes: 64 KiB.
	MaxManifestSize = 1 << 16
	// MaxBlockSize is more than any block takes: each position takes at most two bytes.
	MaxBlockSize = BlockHeaderSize + 2*BlockPositions + 1<<10
)

// ArchiveVersion is the version of exported files that this program writes, and the only
// one that it reads. Their layers are of Version.
const ArchiveVersion = 1

// ArchiveHeader returns the header of an archive.
func ArchiveHeader(last Key) []byte {
	header := append([]byte(archiveMagic), ArchiveVersion, byte(last.Rules), byte(last.Width), byte(last.Beans))
	header = append(header, make([]byte, ChecksumSize)...)
	WriteChecksum(header, ArchiveChecksumAt)
	return header
}

// ParseArchiveHeader returns the last layer of an archive. It takes any bytes. The
// error wraps ErrNotDatabase, ErrVersion or ErrCorrupt.
func ParseArchiveHeader(header []byte) (last Key, err error) {
	if len(header) < ArchiveHeaderSize || string(header[:4]) != archiveMagic {
		return Key{}, fmt.Errorf("%w: it is a file that bohnenspiel has not exported", ErrNotDatabase)
	}
	if err := verifyAs(header, archiveMagic, ArchiveHeaderSize, ArchiveChecksumAt, ArchiveVersion); err != nil {
		return Key{}, BadArchive("header", err)
	}
	last = Key{Rules: game.Rules(header[5]), Width: int(header[6]), Beans: int(header[7])}
	if !last.Valid() {
		return Key{}, BadArchive("header", ErrNoSuchLayer)
	}
	return last, nil
}

// ArchiveIndex returns the value of the index.
func ArchiveIndex(offsets []uint64) []byte {
	value := append([]byte(ArchiveIndexMagic), ArchiveVersion, 0, 0, 0)
	value = append(value, make([]byte, ChecksumSize)...)
	for _, offset := range offsets {
		value = binary.BigEndian.AppendUint64(value, offset)
	}
	WriteChecksum(value, ArchiveIndexChecksumAt)
	return value
}

// ParseArchiveIndex verifies the value of an index and returns its offsets. It takes any
// bytes.
func ParseArchiveIndex(value []byte) ([]uint64, error) {
	if err := verifyAs(value, ArchiveIndexMagic, ArchiveIndexHeaderSize, ArchiveIndexChecksumAt, ArchiveVersion); err != nil {
		return nil, BadArchive("index", err)
	}
	entries := value[ArchiveIndexHeaderSize:]
	if len(entries)%OffsetSize != 0 {
		return nil, BadArchive("index", ErrShort)
	}
	offsets := make([]uint64, len(entries)/OffsetSize)
	for i := range offsets {
		offsets[i] = binary.BigEndian.Uint64(entries[i*OffsetSize:])
	}
	return offsets, nil
}

// ArchiveFooter returns the footer of an archive.
func ArchiveFooter(index uint64, hash []byte) []byte {
	footer := append([]byte(archiveFooterMagic), 0, 0, 0, 0)
	footer = binary.BigEndian.AppendUint64(footer, index)
	footer = append(footer, hash...)
	footer = append(footer, make([]byte, ChecksumSize)...)
	WriteChecksum(footer, ArchiveFooterChecksumAt)
	return footer
}

// ParseArchiveFooter returns what a footer says. It takes any bytes.
func ParseArchiveFooter(footer []byte) (index uint64, hash []byte, err error) {
	switch {
	case len(footer) != ArchiveFooterSize || string(footer[:4]) != archiveFooterMagic:
		return 0, nil, BadArchive("end", ErrCut)
	case binary.BigEndian.Uint64(footer[ArchiveFooterChecksumAt:]) != checksum(footer, ArchiveFooterChecksumAt):
		return 0, nil, BadArchive("end", ErrChecksum)
	}
	return binary.BigEndian.Uint64(footer[archiveFooterIndexAt:]), footer[ArchiveFooterHashAt:ArchiveFooterChecksumAt], nil
}

// BadArchive returns the error for a part of an archive that is not as it should be. It
// wraps ErrCorrupt, or ErrVersion if that is what is wrong.
func BadArchive(part string, cause error) error {
	if fault.ClassOf(cause) == fault.BadData {
		return fmt.Errorf("%s: %w", part, cause)
	}
	return fmt.Errorf("%w: %s: %w; copy or export it again", ErrCorrupt, part, cause)
}

// InArchive has an error about a corrupt value say that it lies in the archive with a
// name.
func InArchive(err error, name string) error {
	if corrupt, ok := errors.AsType[*CorruptError](err); ok {
		corrupt.Archive = name
	}
	return err
}

// FaultInArchive returns the error for a fault that Check has found in an archive.
func FaultInArchive(found error, name string) error {
	if fault.ClassOf(found) == fault.BadData {
		return InArchive(found, name)
	}
	return fmt.Errorf("%w in %s, %w; copy or export it again", ErrCorrupt, name, found)
}

// Chain returns the layers that an archive up to a layer holds, in their order.
func (k Key) Chain() []Key {
	var keys []Key
	for beans := k.Beans % 2; beans <= k.Beans; beans += 2 {
		keys = append(keys, Key{Rules: k.Rules, Width: k.Width, Beans: beans})
	}
	return keys
}

// Timeless returns the manifest without what differs from one making of the layer to
// another.
func (m Manifest) Timeless() Manifest {
	var zero Manifest
	m.Sweeps, m.Built, m.Seconds = zero.Sweeps, zero.Built, zero.Seconds
	return m
}
