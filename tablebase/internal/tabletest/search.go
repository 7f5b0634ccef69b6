package tabletest

import (
	"bytes"
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
)

// Sizes of the files that a search writes, see docs/format.md.
const (
	certificateHeaderSize = 16
	searchMagic           = "BnsS"
	searchHeaderSize      = 48
	searchChecksumAt      = 40
)

// StreamOf returns the stream of a certificate, or of what a search keeps.
func StreamOf(file []byte) ([]byte, error) {
	size := certificateHeaderSize
	if bytes.HasPrefix(file, []byte(searchMagic)) {
		size = searchHeaderSize
	}
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return unpacker.DecodeAll(file[size:], nil)
}

// SealSearch puts the right checksum into what may be such a file.
func SealSearch(file []byte) {
	if len(file) < searchHeaderSize {
		return
	}
	var digest xxhash.Digest
	digest.Reset()
	_, _ = digest.Write(file[:searchChecksumAt])
	_, _ = digest.Write(file[searchHeaderSize:])
	binary.BigEndian.PutUint64(file[searchChecksumAt:], digest.Sum64())
}
