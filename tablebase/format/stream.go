package format

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/klauspost/compress/huff0"
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

// packPlaces packs four places to a byte, the first in the lowest bits, and appends
// large ones, less 3, to large. So a code for bytes catches that small places come in
// clusters.
func packPlaces(packed, large, places []byte) (p, l []byte) {
	for i := 0; i < len(places); i += 4 {
		four := byte(0)
		for j, place := range places[i:min(i+4, len(places))] {
			if place >= largePlace {
				large = append(large, place-largePlace)
				place = largePlace
			}
			four |= place << (2 * j)
		}
		packed = append(packed, four)
	}
	return packed, large
}

// unpackPlaces sets places from a byte for each four of them, large ones to largePlace,
// and returns the number of these.
func unpackPlaces(packed, places []byte) (large int) {
	whole := len(places) / 4
	for i, four := range packed[:whole] {
		place := places[4*i:][:4]
		place[0], place[1], place[2], place[3] = four&3, four>>2&3, four>>4&3, four>>6
		large += bits.OnesCount8(four & (four >> 1) & 0b01010101)
	}
	for i := range places[4*whole:] {
		place := packed[whole] >> (2 * i) & 3
		places[4*whole+i] = place
		if place == largePlace {
			large++
		}
	}
	return large
}

// readPlaces sets places, at most BlockPositions, from a payload, large ones to
// largePlace. It returns what is above that, for each of these; there are as many. It
// returns false if they cannot be read.
func (s *scratch) readPlaces(payload, places []byte) (large []byte, ok bool) {
	packed, payload, ok := s.readStream(s.packed[:0], payload, (len(places)+3)/4)
	if !ok {
		return nil, false
	}
	large, payload, ok = s.readStream(s.large[:0], payload, unpackPlaces(packed, places))
	return large, ok && len(payload) == 0
}

// packedMargin is the number of bytes behind packed places, so that eight can be read
// anywhere.
const packedMargin = 8

// readPacked returns the packed places of a payload, of which there are count, with
// packedMargin behind them, and what is above 3 of the large ones. It returns false if
// they cannot be read.
func (s *scratch) readPacked(payload []byte, count int) (packed, large []byte, ok bool) {
	size := (count + 3) / 4
	packed, payload, ok = s.readStream(s.packed[:0], payload, size)
	if !ok {
		return nil, nil, false
	}
	packed = append(s.packed[:0], packed...)[:size+packedMargin]
	packed[size-1] &= 255 >> (2 * (-count & 3)) // the last has unused bits
	clear(packed[size:])
	threes := 0
	for at := 0; at < size; at += 8 {
		eight := binary.LittleEndian.Uint64(packed[at:])
		threes += bits.OnesCount64(eight & (eight >> 1) & 0x5555555555555555)
	}
	large, payload, ok = s.readStream(s.large[:0], payload, threes)
	return packed, large, ok && len(payload) == 0
}

// appendStream appends bytes as a stream: its tag, the length of what follows as a
// varint, and the coded bytes. How many bytes it stands for the reader knows.
func (s *scratch) appendStream(dst, bytes []byte) []byte {
	tag, coded := streamRaw, bytes
	switch out, _, err := huff0.Compress4X(bytes, &s.huff0); {
	case len(bytes) == 0: // for which the coder gives the error of the next case
	case errors.Is(err, huff0.ErrUseRLE):
		tag, coded = streamConstant, bytes[:1]
	case err == nil && len(out) < len(bytes):
		tag, coded = streamHuff0, out
	}
	dst = append(dst, byte(tag))
	dst = binary.AppendUvarint(dst, uint64(len(coded)))
	return append(dst, coded...)
}

// readStream decodes the stream of count bytes that a payload begins with. It returns
// them, in the memory of dst, which has room for them, or of the payload, and the rest
// of the payload. It returns false if there is no such stream.
func (s *scratch) readStream(dst, payload []byte, count int) (bytes, rest []byte, ok bool) {
	if len(payload) == 0 {
		return nil, nil, false
	}
	tag := streamTag(payload[0])
	size, n := binary.Uvarint(payload[1:])
	if n <= 0 || size > uint64(len(payload)-1-n) {
		return nil, nil, false
	}
	coded, rest := payload[1+n:][:size], payload[1+n:][size:]
	switch {
	case tag == streamRaw && len(coded) == count:
		return coded, rest, true
	case tag == streamConstant && len(coded) == 1:
		bytes = dst[:count]
		for i := range bytes {
			bytes[i] = coded[0]
		}
		return bytes, rest, true
	case tag == streamHuff0:
		_, streams, err := huff0.ReadTable(coded, &s.huff0)
		if err != nil {
			return nil, nil, false
		}
		// The decoder does not write beyond the capacity.
		bytes, err = s.huff0.Decoder().Decompress4X(dst[:0:count], streams)
		return bytes, rest, err == nil && len(bytes) == count
	}
	return nil, nil, false
}
