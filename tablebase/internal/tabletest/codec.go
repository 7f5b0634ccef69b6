package tabletest

import (
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
)

// Codec encodes and decodes single blocks.
type Codec struct{ *format.Codec }

// NewCodec returns a codec.
func NewCodec() Codec { return Codec{format.NewCodec()} }

// Decode returns the scores of a block.
func (c Codec) Decode(id format.BlockID, value []byte) ([]game.Score, error) {
	scores := make([]game.Score, id.Positions)
	err := c.Codec.Decode(id, value, scores)
	return scores, err
}

// DecodeDepths returns the DTCs of a block.
func (c Codec) DecodeDepths(id format.BlockID, value []byte) ([]game.DTC, error) {
	dtcs := make([]game.DTC, id.Positions)
	err := c.Codec.DecodeDepths(id, value, dtcs)
	return dtcs, err
}

// SealBlock puts the right checksum into the value of a block.
func SealBlock(value []byte) { format.WriteChecksum(value, format.BlockChecksumAt) }

// SealManifest puts the right checksum into the value of a manifest.
func SealManifest(value []byte) { format.WriteChecksum(value, format.ManifestChecksumAt) }
