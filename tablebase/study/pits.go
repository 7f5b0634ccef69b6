package study

import (
	"strings"

	"bohnenspiel/tablebase"
)

// MoveNames writes moves as people do, with blanks between them: pits by their numbers,
// a pass as "-".
func MoveNames(pits tablebase.Pits) string {
	words := make([]string, len(pits))
	for i, number := range pits {
		words[i] = moveName(number)
	}
	return strings.Join(words, " ")
}
