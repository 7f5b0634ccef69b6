package format

import (
	"unsafe"

	"bohnenspiel/solver/game"
)

// Scores returns the same memory as scores.
func Scores(bytes []byte) []game.Score {
	return unsafe.Slice((*game.Score)(unsafe.Pointer(unsafe.SliceData(bytes))), len(bytes))
}

// Bytes returns the memory of scores: their signed bytes.
func Bytes(scores []game.Score) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(scores))), len(scores))
}
