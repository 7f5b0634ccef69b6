package format

import (
	"unsafe"

	"bohnenspiel/solver/game"
)

// Words of eight bytes, of which each is computed on without carrying into the next.
const (
	EachByte = 0x0101010101010101 // 1 in each byte
	ByteTops = 0x8080808080808080 // the top bit of each byte
)

// Scores returns the same memory as scores.
func Scores(bytes []byte) []game.Score {
	return unsafe.Slice((*game.Score)(unsafe.Pointer(unsafe.SliceData(bytes))), len(bytes))
}

// Bytes returns the memory of scores: their signed bytes.
func Bytes(scores []game.Score) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(scores))), len(scores))
}
