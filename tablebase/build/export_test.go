package build

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"

	"bohnenspiel/solver"
	"bohnenspiel/tablebase/format"
)

// Spilling returns options that keep layers of so many beans and more in files.
func Spilling(o Options, from int) Options {
	o.spillFrom = from
	return o
}

// SealCheckpoint puts the right checksum into a checkpoint file, if it has a whole header.
func SealCheckpoint(state []byte) {
	if len(state) < checkpointHeaderSize {
		return
	}
	var digest xxhash.Digest
	digest.Reset()
	_, _ = digest.Write(state[:checkpointChecksumAt])
	_, _ = digest.Write(state[checkpointHeaderSize:])
	binary.BigEndian.PutUint64(state[checkpointChecksumAt:], digest.Sum64())
}

// CheckpointOf returns the file that keeps these cells of a layer above nothing.
func CheckpointOf(dir string, k format.Key, cells []byte) []byte {
	return append(newCheckpointFile(dir, k, nil).header(solver.Cursor{Sweep: 1}, cells), cells...)
}

// LoadCheckpoint returns the cells that the file in a directory keeps of a layer above
// nothing, if it does.
func LoadCheckpoint(dir string, k format.Key, size int) (cells []byte, ok bool, err error) {
	cells = make([]byte, size)
	_, ok, err = newCheckpointFile(dir, k, nil).Load(cells)
	return cells, ok, err
}
