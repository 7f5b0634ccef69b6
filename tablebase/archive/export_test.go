package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"

	"bohnenspiel/tablebase/format"
)

// SealArchive puts right checksums, as far as there are places for them, into what may be
// an archive.
func SealArchive(file []byte) {
	if len(file) < format.ArchiveHeaderSize+format.ArchiveFooterSize {
		return
	}
	format.WriteChecksum(file[:format.ArchiveHeaderSize], format.ArchiveChecksumAt)
	body, footer := file[:len(file)-format.ArchiveFooterSize], file[len(file)-format.ArchiveFooterSize:]
	for at := format.ArchiveHeaderSize; at+format.RecordLengthSize < len(body); {
		size := int(binary.BigEndian.Uint32(body[at:]))
		at += format.RecordLengthSize
		if size > len(body)-at {
			break
		}
		value := body[at:][:size]
		switch {
		case bytes.HasPrefix(value, []byte(format.BlockMagic)) && size >= format.BlockHeaderSize:
			format.WriteChecksum(value, format.BlockChecksumAt)
		case bytes.HasPrefix(value, []byte(format.ManifestMagic)) && size >= format.ManifestHeaderSize:
			format.WriteChecksum(value, format.ManifestChecksumAt)
		case bytes.HasPrefix(value, []byte(format.ArchiveIndexMagic)) && size >= format.ArchiveIndexHeaderSize:
			format.WriteChecksum(value, format.ArchiveIndexChecksumAt)
		}
		at += size
	}
	sum := sha256.Sum256(body)
	copy(footer[format.ArchiveFooterHashAt:], sum[:])
	format.WriteChecksum(footer, format.ArchiveFooterChecksumAt)
}
