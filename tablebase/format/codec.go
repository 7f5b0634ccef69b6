package format

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync"

	"github.com/klauspost/compress/huff0"

	"bohnenspiel/solver/game"
)

// The codecs.
const (
	// codecConstant has no payload: every score is the base.
	codecConstant codecTag = iota
	// codecPredicted tells how far each score is from what is likely below the one
	// above it.
	codecPredicted
)

// Codec encodes and decodes blocks. It is safe for concurrent use.
//
// Scores of a layer lie on a lattice, mostly every fourth number, so a block is a
// base, a shift and small symbols: score = base + symbol·2^shift. The payload of
// codecPredicted is two streams of places, see prediction and packPlaces.
// docs/adr/0006-predicted-bounds.md says what else was tried.
type Codec struct {
	// scratches are *scratch.
	scratches sync.Pool
}

// NewCodec returns a codec.
func NewCodec() *Codec {
	c := &Codec{}
	c.scratches.New = func() any {
		return &scratch{
			symbols: make([]byte, BlockPositions+MarksMargin),
			free:    make([]bool, BlockPositions),
			places:  make([]byte, BlockPositions),
			marks:   make([]byte, BlockPositions+MarksMargin),
			packed:  make([]byte, 0, BlockPositions/4+packedMargin),
			large:   make([]byte, 0, BlockPositions),
			huff0:   huff0.Scratch{Reuse: huff0.ReusePolicyNone},
		}
	}
	return c
}

// latticeOf returns the lowest score that occurs, the shift of the widest lattice
// that holds all that occur, and the highest symbol on it.
func latticeOf(scores []game.Score) (base game.Score, shift, top uint8) {
	lowest, highest, steps := scores[0], scores[0], uint8(0)
	for _, score := range scores {
		lowest, highest = min(lowest, score), max(highest, score)
		steps |= uint8(score - scores[0])
	}
	if steps > 0 {
		shift = uint8(bits.TrailingZeros8(steps))
	}
	return lowest, shift, uint8((int(highest) - int(lowest)) >> shift)
}

// Encode returns the value of a block with these scores, row by row. Where free,
// which may be nil, is set, the block may hold any lower score. The value depends on
// nothing else.
func (c *Codec) Encode(id BlockID, scores []game.Score, free []bool) []byte {
	header := blockHeader{id: id}
	header.base, header.shift, header.top = latticeOf(scores)
	if header.top == 0 {
		header.codec = codecConstant
		return finishBlock(header, nil)
	}
	header.codec = codecPredicted
	s := c.scratches.Get().(*scratch) //nolint:errcheck // the pool holds nothing else
	defer c.scratches.Put(s)
	symbols := s.symbols[:len(scores)]
	for i, score := range scores {
		symbols[i] = byte((int(score) - int(header.base)) >> header.shift)
	}
	return finishBlock(header, s.appendPredicted(nil, symbols, header.top, id.Columns, free))
}

// EncodeMarked is encode with places that stand for the scores −beans + place·step,
// marked where the block may hold any lower score.
func (c *Codec) EncodeMarked(id BlockID, m Marks, step int) []byte {
	lowest, highest, steps := m.span()
	header := blockHeader{id: id, base: game.Score(int(lowest)*step - id.Beans)}
	if lowest == highest {
		header.codec = codecConstant
		return finishBlock(header, nil)
	}
	shift := bits.TrailingZeros8(steps)
	header.codec, header.top = codecPredicted, (highest-lowest)>>shift
	header.shift = uint8(shift + bits.TrailingZeros(uint(step)))
	m.lowest, m.shift = 2*lowest, uint8(shift+1)
	s := c.scratches.Get().(*scratch) //nolint:errcheck // the pool holds nothing else
	defer c.scratches.Put(s)
	if header.top < mostFew {
		return finishBlock(header, s.appendFew(nil, m, header.top, id.Columns))
	}
	symbols, free := s.symbols[:m.Count], s.free[:m.Count]
	for i, mark := range m.Bytes[:m.Count] {
		symbols[i], free[i] = (mark&^1-m.lowest)>>m.shift, mark&1 == 1
	}
	return finishBlock(header, s.appendPredicted(nil, symbols, header.top, id.Columns, free))
}

// appendPredicted appends the payload of symbols from 0 to top, in rows of this many
// columns, to dst. It may lower symbols where free is set.
func (s *scratch) appendPredicted(dst, symbols []byte, top uint8, columns int, free []bool) []byte {
	if top < mostFew {
		m := Marks{Bytes: s.marks, Count: len(symbols), shift: 1}
		for i, symbol := range symbols {
			m.Bytes[i] = symbol << 1
		}
		for i, free := range free {
			if free {
				m.Bytes[i] |= 1
			}
		}
		return s.appendFew(dst, m, top, columns)
	}
	places := s.places[:len(symbols)]
	s.prediction.tell(symbols, places, top, columns, free)
	s.packed, s.large = packPlaces(s.packed[:0], s.large[:0], places)
	dst = s.appendStream(dst, s.packed)
	return s.appendStream(dst, s.large)
}

// appendFew is appendPredicted for few symbols.
func (s *scratch) appendFew(dst []byte, m Marks, top uint8, columns int) []byte {
	s.packed, s.large = s.shortlists.tell(s.packed[:0], s.large[:0], m, top, columns)
	dst = s.appendStream(dst, s.packed)
	return s.appendStream(dst, s.large)
}

// readPredicted sets symbols from a payload, with room for MarksMargin more behind them.
// It returns false if there are none in it.
func (s *scratch) readPredicted(payload, symbols []byte, top uint8, columns int) bool {
	if top < mostFew {
		packed, large, ok := s.readPacked(payload, len(symbols))
		return ok && s.shortlists.follow(packed, large, symbols[:len(symbols)+MarksMargin], len(symbols), top, columns)
	}
	places := s.places[:len(symbols)]
	large, ok := s.readPlaces(payload, places)
	return ok && s.prediction.follow(places, large, symbols, top, columns)
}

// finishBlock returns the value with this header and payload.
func finishBlock(header blockHeader, payload []byte) []byte {
	value := header.append(make([]byte, 0, BlockHeaderSize+len(payload)))
	value = append(value, payload...)
	WriteChecksum(value, BlockChecksumAt)
	return value
}

// Decode verifies the value of a block and fills scores, of which there are
// id.positions, row by row. It takes any bytes: what is not the block's value gives a
// *CorruptError, or an error that wraps ErrVersion, and leaves scores as they are.
func (c *Codec) Decode(id BlockID, value []byte, scores []game.Score) error {
	header, payload, err := parseBlock(value, id)
	if err != nil {
		return err
	}
	const mostShift = 7
	if header.shift > mostShift || int(header.base) < -id.Beans || int(header.base)+int(header.top)<<header.shift > id.Beans {
		return id.Corrupt("it has scores that no position has")
	}
	s := c.scratches.Get().(*scratch) //nolint:errcheck // the pool holds nothing else
	defer c.scratches.Put(s)
	symbols, err := s.decode(header, payload, len(scores))
	if err != nil {
		return err
	}
	// Eight symbols at once: no shift carries from one byte into the next, and no sum.
	base := uint64(uint8(header.base)) * EachByte
	for ; len(scores) >= 8; scores, symbols = scores[8:], symbols[8:] {
		above := binary.LittleEndian.Uint64(symbols) << header.shift
		sum := (above&^ByteTops + base&^ByteTops) ^ (above^base)&ByteTops
		binary.LittleEndian.PutUint64(Bytes(scores), sum)
	}
	for i := range scores {
		scores[i] = header.base + game.Score(symbols[i]<<header.shift)
	}
	return nil
}

// decode returns the symbols of a block, from 0 to the top that its header names, or a
// *CorruptError.
func (s *scratch) decode(header blockHeader, payload []byte, count int) ([]byte, error) {
	symbols := s.symbols[:count]
	var sound bool
	switch header.codec {
	case codecConstant:
		sound = len(payload) == 0 && header.top == 0
		clear(symbols)
	case codecPredicted:
		sound = s.readPredicted(payload, symbols, header.top, header.id.Columns)
	default:
		return nil, header.id.Corrupt(fmt.Sprintf("its codec %d is unknown", header.codec))
	}
	if !sound {
		return nil, header.id.Corrupt("its payload cannot be decoded")
	}
	return symbols, nil
}
