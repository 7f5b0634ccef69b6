package solver

import "bohnenspiel/solver/game"

// Kind says which table of a layer is meant: one of three with scores, or the depths.
type Kind uint8

const (
	// Scores are the scores of the positions, with endless play worth 0 (rule 8).
	Scores Kind = iota
	// Lows are what the mover wins at least if endless play is as bad for him as
	// can be.
	Lows
	// Highs are what the mover wins at most if endless play is as good for him as
	// can be. A position leans on rule 8 where its low is below its high.
	Highs
	// Depths are the DTCs of the positions. They are no scores, and no Source gives them.
	Depths
)

// String returns "scores", "lows", "highs" or "depths".
func (k Kind) String() string {
	return [...]string{"scores", "lows", "highs", "depths"}[k]
}

// Source gives the scores of solved layers. It must be safe for concurrent use.
type Source interface {
	// Read returns count scores of layer beans, from index first on, in the order
	// of package index. It may fill and return buf, which has room for count, or
	// return memory of its own, which the caller must not change and may use until
	// it passes buf to the next Read.
	Read(kind Kind, beans int, first uint64, count int, buf []game.Score) ([]game.Score, error)
	// Leans reports whether any position of layer beans leans on rule 8. Where
	// none does, lows and highs equal scores, and only scores need be readable.
	Leans(beans int) bool
}
