package tablebase

import (
	"errors"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
)

// DepthStatistics are the numbers of a depth table that do not depend on who built it or
// how, except for Bytes.
type DepthStatistics struct {
	Longest         game.DTC `json:"longest"`         // in plies
	LongestPosition string   `json:"longestPosition"` // one that has it, as game.Diagram prints it
	Endless         uint64   `json:"endless"`
	SHA256          string   `json:"sha256"`
	Bytes           uint64   `json:"bytes"`
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
	// Depths are the numbers of the depth table, nil if there is none. Facts are nil if they
	// are not asked for.
	Depths *DepthStatistics `json:"depths"`
	Facts  *LayerFacts      `json:"facts"`
}

// Statistics returns the numbers of a layer, with those of its depths if there are any, and
// without facts. Errors are those of DepthManifest, except for ErrNoDepths.
func (db *DB) Statistics(m format.Manifest) (Statistics, error) {
	s := Statistics{
		Rules: m.Rules, Width: m.Width, Beans: m.Beans,
		Positions: m.Positions, Wins: m.Wins, Draws: m.Draws, Losses: m.Losses,
		ScoreSum: m.ScoreSum, Endless: m.Endless, SHA256: m.SHA256, Bytes: m.Bytes,
	}
	d, err := db.DepthManifest(m.Key())
	switch {
	case err == nil:
		s.Depths = &DepthStatistics{
			Longest: d.Longest, LongestPosition: diagramOf(d.Key(), d.LongestIndex), Endless: d.Endless, SHA256: d.SHA256, Bytes: d.Bytes,
		}
	case !errors.Is(err, format.ErrNoDepths):
		return s, err
	}
	return s, nil
}
