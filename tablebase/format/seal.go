package format

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"
)

// Seal is the hash of the checksums of the blocks of a layer.
type Seal struct{ digest *xxhash.Digest }

func NewSeal() Seal { return Seal{xxhash.New()} }

// Add adds a block. Blocks come in their order.
func (s Seal) Add(stamp Stamp) {
	var bytes [ChecksumSize]byte
	binary.BigEndian.PutUint64(bytes[:], stamp.Checksum)
	_, _ = s.digest.Write(bytes[:]) // it never fails
}

// Text returns the seal in hexadecimal.
func (s Seal) Text() string { return fmt.Sprintf("%016x", s.digest.Sum64()) }
