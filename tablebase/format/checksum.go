package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"
)

// ChecksumSize is the bytes of a checksum.
const ChecksumSize = 8

// WriteChecksum writes the checksum of a value into it.
func WriteChecksum(value []byte, checksumAt int) {
	binary.BigEndian.PutUint64(value[checksumAt:], checksum(value, checksumAt))
}

// checksum returns the xxHash64 of all bytes of a value but the checksum itself.
func checksum(value []byte, at int) uint64 {
	var digest xxhash.Digest
	digest.Reset()
	_, _ = digest.Write(value[:at]) // it never fails
	_, _ = digest.Write(value[at+ChecksumSize:])
	return digest.Sum64()
}

// Reasons why a value is corrupt.
var (
	errEmpty    = errors.New("it is empty")
	ErrShort    = errors.New("it is too short")
	errMagic    = errors.New("it does not begin as it should")
	ErrChecksum = errors.New("its checksum is wrong")
	ErrCut      = errors.New("it is cut off")
	ErrTooLong  = errors.New("it is too long")

	ErrNoSuchLayer = errors.New("it names no layer")
)

// Verify verifies magic, checksum and version of a value. Every version keeps magic,
// version and checksum where they are, so a damaged value is told from one of
// another version.
func Verify(value []byte, magic string, headerSize, checksumAt int) error {
	return verifyAs(value, magic, headerSize, checksumAt, Version)
}

// verifyAs is unseal for values that have versions of their own.
func verifyAs(value []byte, magic string, headerSize, checksumAt int, version byte) error {
	switch {
	case len(value) == 0:
		return errEmpty // Badger's answer when it can't read a value
	case len(value) < headerSize:
		return ErrShort
	case !bytes.HasPrefix(value, []byte(magic)):
		return errMagic
	case binary.BigEndian.Uint64(value[checksumAt:]) != checksum(value, checksumAt):
		return ErrChecksum
	case value[len(magic)] != version:
		return VersionError(int(value[len(magic)]), int(version))
	}
	return nil
}

// VersionError returns the error for data of another version than the one that is read.
func VersionError(version, read int) error {
	return fmt.Errorf("%w %d: this program reads version %d", ErrVersion, version, read)
}
