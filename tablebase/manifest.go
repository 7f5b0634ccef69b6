package tablebase

import (
	"time"

	"bohnenspiel/solver/game"
)

// Manifest describes a finished layer. It is stored beside the blocks of the layer
// and written after them.
type Manifest struct {
	Format    int        `json:"format"` // version of the layer's format, see FormatVersion
	Rules     game.Rules `json:"rules"`
	Width     int        `json:"width"`
	Beans     int        `json:"beans"`
	Positions uint64     `json:"positions"`
	// Wins, Draws and Losses count the positions with a score above, at and below 0.
	Wins   uint64 `json:"wins"`
	Draws  uint64 `json:"draws"`
	Losses uint64 `json:"losses"`
	// ScoreSum is the sum of all scores.
	ScoreSum int64 `json:"scoreSum"`
	// Endless counts the positions whose score leans on rule 8. Only where there
	// are any are lows and highs stored as well.
	Endless uint64 `json:"endless"`
	// Histogram counts the positions by score: the element of score s is
	// s+Beans, from 0 to 2·Beans.
	Histogram []uint64 `json:"histogram"`
	// SHA256 is the SHA-256, in hexadecimal, of the layer's canonical bytes: the
	// scores as signed bytes in index order, and where Endless is above 0 all lows
	// and then all highs after them. It depends on the game alone.
	SHA256 string `json:"sha256"`
	// BlockPositions is the number of positions in each block but the last.
	BlockPositions int `json:"blockPositions"`
	// Blocks is the number of stored blocks, and Bytes what their values take,
	// headers included.
	Blocks uint64 `json:"blocks"`
	Bytes  uint64 `json:"bytes"`
	// Sweeps is the number of sweeps that solving took.
	Sweeps int `json:"sweeps"`
	// Built is when the layer was finished, Seconds how long it took.
	Built   time.Time `json:"built"`
	Seconds float64   `json:"seconds"`
}

// Key returns the name of the layer.
func (m Manifest) Key() Key {
	return Key{Rules: m.Rules, Width: m.Width, Beans: m.Beans}
}

// Statistics are the numbers of a layer that do not depend on who built it or how.
// Its JSON form is what "stats --json" prints.
type Statistics struct {
	Rules     game.Rules `json:"rules"`
	Width     int        `json:"width"`
	Beans     int        `json:"beans"`
	Positions uint64     `json:"positions"`
	Wins      uint64     `json:"wins"`
	Draws     uint64     `json:"draws"`
	Losses    uint64     `json:"losses"`
	ScoreSum  int64      `json:"scoreSum"`
	Endless   uint64     `json:"endless"`
	SHA256    string     `json:"sha256"`
	Bytes     uint64     `json:"bytes"`
}

// Statistics returns the numbers of the layer.
func (m Manifest) Statistics() Statistics {
	return Statistics{
		Rules: m.Rules, Width: m.Width, Beans: m.Beans,
		Positions: m.Positions, Wins: m.Wins, Draws: m.Draws, Losses: m.Losses,
		ScoreSum: m.ScoreSum, Endless: m.Endless, SHA256: m.SHA256, Bytes: m.Bytes,
	}
}
