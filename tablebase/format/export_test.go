package format

import (
	"slices"

	"bohnenspiel/solver/game"
)

// Impersonate makes a value, if it is long enough, begin as the value of a block
// does, with the right checksum. Codec, lattice and payload stay.
func Impersonate(value []byte, id BlockID) {
	if len(value) < BlockHeaderSize {
		return
	}
	header := blockHeader{
		codec: codecTag(value[5]), base: game.Score(value[6]), shift: value[7], top: value[8], id: id,
	}
	copy(value, header.append(nil))
	WriteChecksum(value, BlockChecksumAt)
}

// Lists returns the lists of symbols from 0 to top that every block begins with.
func Lists(top uint8) [][]byte {
	var p prediction
	p.reset(top, 1)
	lists := make([][]byte, 0, int(top)+2)
	for above := range int(top) + 2 {
		lists = append(lists, p.list(byte(above)))
	}
	return lists
}

// Follow returns the symbols that have these places, in rows of so many columns.
func Follow(places []byte, top uint8, columns int) ([]byte, bool) {
	var p prediction
	var large []byte
	places = slices.Clone(places)
	for i, place := range places {
		if place >= largePlace {
			places[i], large = largePlace, append(large, place-largePlace)
		}
	}
	symbols := make([]byte, len(places))
	ok := p.follow(places, large, symbols, top, columns)
	return symbols, ok
}

// TellPlainly returns the packed places and large ones of symbols, as prediction has them.
func TellPlainly(symbols []byte, top uint8, columns int, free []bool) (packed, large []byte) {
	var p prediction
	places := make([]byte, len(symbols))
	p.tell(slices.Clone(symbols), places, top, columns, free)
	return packPlaces(nil, nil, places)
}

// TellFew returns the same as shortlists have them. A mark is twice the place, and 1 more
// if it is free; symbol = (2·place − lowest) / 2^shift.
func TellFew(bytes []byte, lowest, shift, top uint8, columns int) (packed, large []byte) {
	m := Marks{Bytes: make([]byte, len(bytes)+MarksMargin), Count: len(bytes), lowest: lowest, shift: shift}
	copy(m.Bytes, bytes)
	m.span() // sets the margin
	return new(shortlists).tell(nil, nil, m, top, columns)
}

// MostFew is the largest number of symbols that shortlists hold.
const MostFew = mostFew

// ReadFew returns the symbols of a payload, and whether there are any, as shortlists read
// them, and ReadPlainly as prediction does.
func ReadFew(payload []byte, count int, top uint8, columns int) ([]byte, bool) {
	s := NewCodec().scratches.New().(*scratch) //nolint:errcheck // nothing else is made
	symbols := s.symbols[:count]
	ok := s.readPredicted(payload, symbols, top, columns)
	return symbols, ok
}

// ReadPlainly is described at ReadFew.
func ReadPlainly(payload []byte, count int, top uint8, columns int) ([]byte, bool) {
	s := NewCodec().scratches.New().(*scratch) //nolint:errcheck // nothing else is made
	symbols, places := s.symbols[:count], s.places[:count]
	large, ok := s.readPlaces(payload, places)
	return symbols, ok && s.prediction.follow(places, large, symbols, top, columns)
}

// CodecOf returns the codec that a value names, one of the following.
func CodecOf(value []byte) int { return int(value[5]) }

// The codecs.
const (
	CodecConstant  = int(codecConstant)
	CodecPredicted = int(codecPredicted)
)
