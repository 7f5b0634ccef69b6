package tablebase

import (
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"sync"

	"github.com/klauspost/compress/huff0"
	"github.com/klauspost/compress/zstd"

	"bohnenspiel/solver/game"
)

// codecTag says how the payload of a block is coded.
type codecTag uint8

// The codecs. An encoder takes whichever gives the shortest payload.
const (
	// codecConstant has no payload: every score is the base.
	codecConstant codecTag = iota
	// codecRaw is the bytes as they are.
	codecRaw
	// codecHuff0 is a Huffman code in four streams, its table first, as in zstd.
	codecHuff0
	// codecZstd is one frame of zstd (RFC 8878).
	codecZstd
)

// errPayload is the reason given for a payload that its codec can't decode.
var errPayload = errors.New("its payload cannot be decoded")

// codec encodes and decodes blocks. It is safe for concurrent use.
//
// Scores of a layer lie on a lattice, mostly every fourth number, so a block is a
// base, a shift and small symbols: score = base + symbol·2^shift. Two symbols below
// 16 share a byte. General compressors find more in such bytes, in less time, than
// in bytes of one symbol each; see docs/adr/0003-compression.md.
type codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
	// scratches are *scratch.
	scratches sync.Pool
}

// scratch is the memory that coding one block takes.
type scratch struct {
	huff0 huff0.Scratch
	bytes []byte // packed symbols
	zstd  []byte
}

// newCodec returns a codec that up to one goroutine a processor use at once without
// waiting for each other.
func newCodec() (*codec, error) {
	encoder, err := zstd.NewWriter(nil,
		zstd.WithEncoderConcurrency(runtime.GOMAXPROCS(0)),
		zstd.WithWindowSize(BlockPositions),
		zstd.WithEncoderCRC(false)) // a block has a checksum already
	if err != nil {
		return nil, fmt.Errorf("make encoder: %w", err)
	}
	decoder, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(runtime.GOMAXPROCS(0)),
		zstd.WithDecoderMaxMemory(BlockPositions),
		zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return nil, fmt.Errorf("make decoder: %w", err)
	}
	c := &codec{encoder: encoder, decoder: decoder}
	c.scratches.New = func() any {
		return &scratch{bytes: make([]byte, 0, BlockPositions), huff0: huff0.Scratch{Reuse: huff0.ReusePolicyNone}}
	}
	return c, nil
}

// lattice returns the lowest score that occurs, the shift of the widest lattice
// that holds all that occur, and the highest symbol on it.
func (h *histogram) lattice() (base game.Score, shift, top uint8) {
	lowest, highest := 128, -129
	for s := -128; s < 128; s++ {
		if h[uint8(s)] > 0 {
			lowest, highest = min(lowest, s), s
		}
	}
	var steps uint
	for s := lowest; s <= highest; s++ {
		if h[uint8(s)] > 0 {
			steps |= uint(s - lowest)
		}
	}
	if steps > 0 {
		shift = uint8(bits.TrailingZeros(steps))
	}
	return game.Score(lowest), shift, uint8((highest - lowest) >> shift)
}

// encode returns the value of a block with these scores, of which h is the
// histogram. There is at least one.
func (c *codec) encode(id blockID, scores []game.Score, h *histogram) []byte {
	header := blockHeader{id: id, pack: 1}
	var top uint8
	header.base, header.shift, top = h.lattice()
	if top == 0 {
		header.codec = codecConstant
		return finishBlock(header, nil)
	}
	if top < 16 {
		header.pack = 2
	}
	s := c.scratches.Get().(*scratch) //nolint:errcheck // the pool holds nothing else
	defer c.scratches.Put(s)
	s.bytes = pack(s.bytes, scores, header)
	header.codec = codecRaw
	payload := s.bytes
	s.zstd = c.encoder.EncodeAll(s.bytes, s.zstd[:0])
	if len(s.zstd) < len(payload) {
		header.codec, payload = codecZstd, s.zstd
	}
	// It refuses what is too short, or constant, or gets no shorter.
	if coded, _, err := huff0.Compress4X(s.bytes, &s.huff0); err == nil && len(coded) < len(payload) {
		header.codec, payload = codecHuff0, coded
	}
	return finishBlock(header, payload)
}

// finishBlock returns the value with this header and payload.
func finishBlock(header blockHeader, payload []byte) []byte {
	value := header.append(make([]byte, 0, blockHeaderSize+len(payload)))
	value = append(value, payload...)
	seal(value, blockChecksumAt)
	return value
}

// pack writes the symbols of scores to dst, which has capacity for one byte each.
func pack(dst []byte, scores []game.Score, header blockHeader) []byte {
	var symbols [256]byte
	for s := int(header.base); s < 128; s++ {
		symbols[uint8(s)] = uint8((s - int(header.base)) >> header.shift)
	}
	if header.pack == 1 {
		dst = dst[:len(scores)]
		for i, score := range scores {
			dst[i] = symbols[uint8(score)]
		}
		return dst
	}
	dst = dst[:len(scores)/2]
	for i := range dst {
		dst[i] = symbols[uint8(scores[2*i])] | symbols[uint8(scores[2*i+1])]<<4
	}
	if len(scores)%2 == 1 {
		dst = append(dst, symbols[uint8(scores[len(scores)-1])])
	}
	return dst
}

// decode verifies the value of a block and returns its scores. It takes any bytes:
// what is not the block's value gives a *CorruptError, or an error that wraps
// ErrVersion.
func (c *codec) decode(id blockID, value []byte) ([]game.Score, error) {
	header, payload, err := parseBlock(value, id)
	if err != nil {
		return nil, err
	}
	scores := make([]game.Score, id.positions)
	if header.codec == codecConstant {
		if len(payload) > 0 {
			return nil, id.corrupt("it has too many bytes")
		}
		for i := range scores {
			scores[i] = header.base
		}
		return scores, nil
	}
	if header.pack != 1 && header.pack != 2 || header.shift > 7 {
		return nil, id.corrupt("its symbols have an unknown form")
	}
	s := c.scratches.Get().(*scratch) //nolint:errcheck // the pool holds nothing else
	defer c.scratches.Put(s)
	count := (id.positions + int(header.pack) - 1) / int(header.pack)
	packed, err := c.expand(header.codec, payload, s, count)
	if err != nil {
		return nil, id.corrupt(err.Error())
	}
	unpack(scores, packed, header)
	return scores, nil
}

// expand returns the count bytes that a payload stands for.
func (c *codec) expand(tag codecTag, payload []byte, s *scratch, count int) ([]byte, error) {
	var packed []byte
	var err error
	dst := s.bytes[:0:count] // decoders don't write beyond its capacity
	switch tag {
	case codecRaw:
		packed = payload
	case codecZstd:
		packed, err = c.decoder.DecodeAll(payload, dst)
	case codecHuff0:
		var streams []byte
		if _, streams, err = huff0.ReadTable(payload, &s.huff0); err == nil {
			packed, err = s.huff0.Decoder().Decompress4X(dst, streams)
		}
	default:
		return nil, fmt.Errorf("its codec %d is unknown", tag)
	}
	if err != nil || len(packed) != count {
		return nil, errPayload
	}
	return packed, nil
}

// unpack fills scores from packed symbols, which are as many as are needed.
func unpack(scores []game.Score, packed []byte, header blockHeader) {
	score := func(symbol int) game.Score { return header.base + game.Score(symbol<<header.shift) }
	if header.pack == 1 {
		var table [256]game.Score
		for symbol := range table {
			table[symbol] = score(symbol)
		}
		for i, symbol := range packed {
			scores[i] = table[symbol]
		}
		return
	}
	var table [256][2]game.Score
	for pair := range table {
		table[pair] = [2]game.Score{score(pair & 15), score(pair >> 4)}
	}
	for i := range len(scores) / 2 {
		*(*[2]game.Score)(scores[2*i:]) = table[packed[i]]
	}
	if len(scores)%2 == 1 {
		scores[len(scores)-1] = table[packed[len(packed)-1]][0]
	}
}
