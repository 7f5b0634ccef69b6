package tablebase

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"sync"

	"github.com/klauspost/compress/huff0"

	"bohnenspiel/solver/game"
)

// codecTag says how the payload of a block is coded.
type codecTag uint8

// The codecs.
const (
	// codecConstant has no payload: every score is the base.
	codecConstant codecTag = iota
	// codecPredicted tells how far each score is from what is likely below the one
	// above it.
	codecPredicted
)

// streamTag says how a stream of bytes in a payload is coded.
type streamTag uint8

// The codings of streams.
const (
	// streamRaw is the bytes as they are.
	streamRaw streamTag = iota
	// streamConstant is one byte, which all are.
	streamConstant
	// streamHuff0 is a Huffman code in four streams, its table first, as in zstd.
	streamHuff0
)

// errPayload is the reason given for a payload that its codec can't decode.
var errPayload = errors.New("its payload cannot be decoded")

// codec encodes and decodes blocks. It is safe for concurrent use.
//
// Scores of a layer lie on a lattice, mostly every fourth number, so a block is a
// base, a shift and small symbols: score = base + symbol·2^shift. For each symbol
// that may stand above, or none in the first row, there is a list of all symbols,
// the likely ones first. A score is coded as its place in the list of the symbol
// above it; then its symbol moves half way to the front of that list. Where the
// best conversion gives the score, the encoder takes the first symbol of the list
// that is not too large. Most places are 0. They are packed four to a byte, two
// bits each; 3 stands for larger ones, which follow in a stream of their own, less
// 3. docs/adr/0003-compression.md says what else was tried.
type codec struct {
	// scratches are *scratch.
	scratches sync.Pool
}

// scratch is the memory that coding one block takes.
type scratch struct {
	huff0   huff0.Scratch
	symbols []byte // one a position
	places  []byte // one a position
	packed  []byte
	large   []byte
	lists   lists
}

func newCodec() *codec {
	c := &codec{}
	c.scratches.New = func() any {
		return &scratch{
			symbols: make([]byte, BlockPositions),
			places:  make([]byte, 0, BlockPositions),
			packed:  make([]byte, 0, BlockPositions/4),
			large:   make([]byte, 0, BlockPositions),
			huff0:   huff0.Scratch{Reuse: huff0.ReusePolicyNone},
		}
	}
	return c
}

// lists are the lists of symbols, one by the symbol above, the last where there is
// none above.
type lists struct {
	symbols int
	all     []byte
}

// reset makes lists where the likely symbols are those near the one above.
func (l *lists) reset(symbols int) {
	l.symbols = symbols
	if size := symbols * (symbols + 1); cap(l.all) < size {
		l.all = make([]byte, size)
	} else {
		l.all = l.all[:size]
	}
	for above := range symbols + 1 {
		list := l.all[above*symbols:][:0:symbols]
		middle := above
		if above == symbols {
			middle = symbols / 2
		}
		list = append(list, byte(middle))
		for distance := 1; len(list) < symbols; distance++ {
			if middle-distance >= 0 {
				list = append(list, byte(middle-distance))
			}
			if middle+distance < symbols {
				list = append(list, byte(middle+distance))
			}
		}
	}
}

// list returns the list for the symbol above.
func (l *lists) list(above byte) []byte {
	at := int(above) * l.symbols
	return l.all[at : at+l.symbols]
}

// promote moves the symbol at a place half way to the front.
func promote(list []byte, place int) {
	symbol, to := list[place], place/2
	copy(list[to+1:place+1], list[to:place])
	list[to] = symbol
}

// lattice returns the lowest score that occurs, the shift of the widest lattice
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

// encode returns the value of a block with these scores, row by row. Where free,
// which may be nil, is set, the block may hold any lower score.
func (c *codec) encode(id blockID, scores []game.Score, free []bool) []byte {
	header := blockHeader{id: id}
	var top uint8
	header.base, header.shift, top = latticeOf(scores)
	header.top = top
	if top == 0 {
		header.codec = codecConstant
		return finishBlock(header, nil)
	}
	s := c.scratches.Get().(*scratch) //nolint:errcheck // the pool holds nothing else
	defer c.scratches.Put(s)
	s.lists.reset(int(top) + 1)
	symbols := s.symbols[:len(scores)]
	s.places = s.places[:0]
	for i, score := range scores {
		above := top + 1
		if i >= id.columns {
			above = symbols[i-id.columns]
		}
		list := s.lists.list(above)
		symbol := byte((int(score) - int(header.base)) >> header.shift)
		place := 0
		if free != nil && free[i] {
			for list[place] > symbol {
				place++
			}
		} else {
			for list[place] != symbol {
				place++
			}
		}
		symbols[i] = list[place]
		if place > 0 {
			promote(list, place)
		}
		s.places = append(s.places, byte(place))
	}
	s.packed, s.large = packPlaces(s.packed[:0], s.large[:0], s.places)
	header.codec = codecPredicted
	payload := s.appendStream(nil, s.packed)
	payload = s.appendStream(payload, s.large)
	return finishBlock(header, payload)
}

// packPlaces packs four places to a byte, the first in the lowest bits, and appends
// large ones, less 3, to large.
func packPlaces(packed, large, places []byte) (p, l []byte) {
	for i := 0; i < len(places); i += 4 {
		four := byte(0)
		for j, place := range places[i:min(i+4, len(places))] {
			if place >= 3 {
				large = append(large, place-3)
				place = 3
			}
			four |= place << (2 * j)
		}
		packed = append(packed, four)
	}
	return packed, large
}

// appendStream appends bytes as a stream: its tag, the length of what follows as a
// varint, and the coded bytes. How many bytes it stands for the reader knows.
func (s *scratch) appendStream(dst, bytes []byte) []byte {
	tag, coded := streamRaw, bytes
	switch out, _, err := huff0.Compress4X(bytes, &s.huff0); {
	case errors.Is(err, huff0.ErrUseRLE):
		tag, coded = streamConstant, bytes[:1]
	case err == nil && len(out) < len(bytes):
		tag, coded = streamHuff0, out
	}
	dst = append(dst, byte(tag))
	dst = binary.AppendUvarint(dst, uint64(len(coded)))
	return append(dst, coded...)
}

// finishBlock returns the value with this header and payload.
func finishBlock(header blockHeader, payload []byte) []byte {
	value := header.append(make([]byte, 0, blockHeaderSize+len(payload)))
	value = append(value, payload...)
	seal(value, blockChecksumAt)
	return value
}

// decode verifies the value of a block and fills scores, of which there are
// id.positions, row by row. It takes any bytes: what is not the block's value gives a
// *CorruptError, or an error that wraps ErrVersion.
func (c *codec) decode(id blockID, value []byte, scores []game.Score) error {
	header, payload, err := parseBlock(value, id)
	if err != nil {
		return err
	}
	if highest := int(header.base) + int(header.top)<<header.shift; header.shift > 7 || int(header.base) < -id.Beans || highest > id.Beans {
		return id.corrupt("it has scores that no position has")
	}
	if header.codec == codecConstant {
		if len(payload) > 0 || header.top > 0 {
			return id.corrupt("it has too many bytes")
		}
		for i := range scores {
			scores[i] = header.base
		}
		return nil
	}
	if header.codec != codecPredicted {
		return id.corrupt(fmt.Sprintf("its codec %d is unknown", header.codec))
	}
	s := c.scratches.Get().(*scratch) //nolint:errcheck // the pool holds nothing else
	defer c.scratches.Put(s)
	if err := s.readPlaces(payload, len(scores)); err != nil {
		return id.corrupt(err.Error())
	}
	if !s.follow(header.top, id.columns) {
		return id.corrupt(errPayload.Error())
	}
	var table [256]game.Score
	for symbol := range int(header.top) + 1 {
		table[symbol] = header.base + game.Score(symbol<<header.shift)
	}
	for i, symbol := range s.symbols[:len(scores)] {
		scores[i] = table[symbol]
	}
	return nil
}

// follow sets symbols from places. It returns false if a place is beyond the lists.
func (s *scratch) follow(top uint8, columns int) bool {
	s.lists.reset(int(top) + 1)
	symbols := s.symbols[:len(s.places)]
	above := symbols[:0]
	for first := 0; first < len(symbols); first += columns {
		row := symbols[first:min(first+columns, len(symbols))]
		for i, place := range s.places[first : first+len(row)] {
			symbol := top + 1
			if i < len(above) {
				symbol = above[i]
			}
			list := s.lists.list(symbol)
			if place == 0 {
				row[i] = list[0]
				continue
			}
			if place > top {
				return false
			}
			row[i] = list[place]
			promote(list, int(place))
		}
		above = row
	}
	return true
}

// readPlaces sets places from a payload.
func (s *scratch) readPlaces(payload []byte, count int) error {
	// What is returned may have less capacity than the scratch.
	packed, payload, err := s.readStream(s.packed[:0], payload, (count+3)/4)
	if err != nil {
		return err
	}
	s.places = s.places[:count]
	large := 0
	for i, four := range packed {
		for j := range s.places[4*i : min(4*i+4, count)] {
			place := four >> (2 * j) & 3
			s.places[4*i+j] = place
			if place == 3 {
				large++
			}
		}
	}
	rest, payload, err := s.readStream(s.large[:0], payload, large)
	if err != nil {
		return err
	}
	if len(payload) > 0 {
		return errPayload
	}
	if large == 0 {
		return nil
	}
	for i, place := range s.places {
		if place == 3 {
			s.places[i] = min(rest[0], 252) + 3
			rest = rest[1:]
		}
	}
	return nil
}

// readStream decodes the stream of count bytes that a payload begins with, to dst,
// and returns it and the rest of the payload.
func (s *scratch) readStream(dst, payload []byte, count int) (bytes, rest []byte, err error) {
	if len(payload) == 0 {
		return nil, nil, errPayload
	}
	tag := streamTag(payload[0])
	size, n := binary.Uvarint(payload[1:])
	if n <= 0 || size > uint64(len(payload)-1-n) {
		return nil, nil, errPayload
	}
	coded, rest := payload[1+n:][:size], payload[1+n:][size:]
	switch tag {
	case streamRaw:
		bytes = append(dst, coded...)
	case streamConstant:
		if len(coded) != 1 {
			return nil, nil, errPayload
		}
		bytes = dst[:count]
		for i := range bytes {
			bytes[i] = coded[0]
		}
	case streamHuff0:
		var streams []byte
		if _, streams, err = huff0.ReadTable(coded, &s.huff0); err == nil {
			// The decoder does not write beyond the capacity.
			bytes, err = s.huff0.Decoder().Decompress4X(dst[:0:count], streams)
		}
	default:
		return nil, nil, errPayload
	}
	if err != nil || len(bytes) != count {
		return nil, nil, errPayload
	}
	return bytes, rest, nil
}
