package format

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"
)

// Tally takes account of the blocks of a layer, in their order.
type Tally struct {
	seal          *xxhash.Digest // of their checksums
	blocks, bytes uint64
}

// NewTally returns a tally of no blocks.
func NewTally() *Tally { return &Tally{seal: xxhash.New()} }

// Add adds the next block.
func (t *Tally) Add(stamp Stamp) {
	var bytes [ChecksumSize]byte
	binary.BigEndian.PutUint64(bytes[:], stamp.Checksum)
	_, _ = t.seal.Write(bytes[:]) // it never fails
	t.blocks++
	t.bytes += uint64(stamp.Bytes)
}

// Stored returns what a manifest says of the blocks.
func (t *Tally) Stored() Stored {
	return Stored{Blocks: t.blocks, Bytes: t.bytes, Seal: fmt.Sprintf("%016x", t.seal.Sum64())}
}
