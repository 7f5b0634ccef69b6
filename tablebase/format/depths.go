package format

import (
	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
)

// A block of a depth table has the header of any other. Its numbers are the DTCs plus
// 1, so that Endless is 0, and bytes 6 and 7 of the header hold the lowest of them. What
// remains are symbols, coded as codecConstant or codecPredicted say.
//
//	DTC 0, 1, 2, …, endless    numbers 1, 2, 3, …, 0

// mostNumber is the largest number that stands for a DTC, and so the largest symbol.
const mostNumber = uint16(solver.MaxDTC) + 1

// NumberOf returns the number that stands for a DTC.
func NumberOf(dtc game.DTC) uint16 { return uint16(dtc) + 1 }

// EncodeDepths returns the value of a block with these DTCs, row by row: up to
// solver.MaxDTC, or Endless. It depends on nothing else.
func (c *Codec) EncodeDepths(id BlockID, dtcs []game.DTC) []byte {
	lowest, highest := NumberOf(dtcs[0]), NumberOf(dtcs[0])
	for _, dtc := range dtcs {
		lowest, highest = min(lowest, NumberOf(dtc)), max(highest, NumberOf(dtc))
	}
	header := blockHeader{id: id, base: game.Score(lowest >> 8), shift: uint8(lowest)}
	top := highest - lowest
	if top == 0 {
		header.codec = codecConstant
		return finishBlock(header, nil)
	}
	s := c.scratches.Get().(*scratch) //nolint:errcheck // the pool holds nothing else
	defer c.scratches.Put(s)
	symbols := s.symbols[:len(dtcs)]
	for i, dtc := range dtcs {
		symbols[i] = byte(NumberOf(dtc) - lowest)
	}
	header.codec, header.top = codecPredicted, uint8(top)
	return finishBlock(header, s.appendPredicted(nil, symbols, header.top, id.Columns, nil))
}

// DecodeDepths verifies the value of a block and fills dtcs, of which there are
// id.positions, row by row. It takes any bytes: what is not the block's value gives a
// *CorruptError, or an error that wraps ErrVersion, and leaves dtcs as they are.
func (c *Codec) DecodeDepths(id BlockID, value []byte, dtcs []game.DTC) error {
	header, payload, err := parseBlock(value, id)
	if err != nil {
		return err
	}
	lowest := uint16(uint8(header.base))<<8 | uint16(header.shift)
	if lowest > mostNumber || lowest+uint16(header.top) > mostNumber {
		return id.Corrupt("it has depths that no position has")
	}
	s := c.scratches.Get().(*scratch) //nolint:errcheck // the pool holds nothing else
	defer c.scratches.Put(s)
	symbols, err := s.decode(header, payload, len(dtcs))
	if err != nil {
		return err
	}
	for i, symbol := range symbols {
		dtcs[i] = game.DTC(lowest + uint16(symbol) - 1)
	}
	return nil
}
