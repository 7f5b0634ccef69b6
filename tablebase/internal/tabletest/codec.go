package tabletest

import (
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
)

// Codec encodes and decodes single blocks.
type Codec struct{ codec *format.Codec }

// NewCodec returns a codec.
func NewCodec() Codec { return Codec{format.NewCodec()} }

// Encode returns the value of a block. Where free is set, it may hold lower scores.
func (c Codec) Encode(id format.BlockID, scores []game.Score, free []bool) []byte {
	return c.codec.Encode(id, scores, free)
}

// Decode returns the scores of a block.
func (c Codec) Decode(id format.BlockID, value []byte) ([]game.Score, error) {
	scores := make([]game.Score, id.Positions)
	err := c.codec.Decode(id, value, scores)
	return scores, err
}

// EncodeMarked returns the value of a block with the scores −beans + place·step, where a
// mark is twice the place, and 1 more where the block may hold lower scores.
func (c Codec) EncodeMarked(id format.BlockID, bytes []byte, step int) []byte {
	m := format.Marks{Bytes: make([]byte, len(bytes)+format.MarksMargin), Count: len(bytes)}
	copy(m.Bytes, bytes)
	return c.codec.EncodeMarked(id, m, step)
}

// EncodeDepths returns the value of a block of depths.
func (c Codec) EncodeDepths(id format.BlockID, dtcs []game.DTC) []byte {
	return c.codec.EncodeDepths(id, dtcs)
}

// DecodeDepths returns the DTCs of a block.
func (c Codec) DecodeDepths(id format.BlockID, value []byte) ([]game.DTC, error) {
	dtcs := make([]game.DTC, id.Positions)
	err := c.codec.DecodeDepths(id, value, dtcs)
	return dtcs, err
}
