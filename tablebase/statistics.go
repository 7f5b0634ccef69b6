package tablebase

import (
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
)

// DepthStatistics are the numbers of a depth table that do not depend on who built it or
// how, but for Bytes.
type DepthStatistics struct {
	Longest         game.DTC `json:"longest"`         // in plies
	LongestPosition string   `json:"longestPosition"` // one that has it, as game.Diagram prints it
	Endless         uint64   `json:"endless"`
	SHA256          string   `json:"sha256"`
	Bytes           uint64   `json:"bytes"`
}

// DepthStatisticsOf returns the numbers of the depth table.
func DepthStatisticsOf(m format.DepthManifest) *DepthStatistics {
	return &DepthStatistics{
		Longest: m.Longest, LongestPosition: diagramOf(m.Key(), m.LongestIndex), Endless: m.Endless, SHA256: m.SHA256, Bytes: m.Bytes,
	}
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
	// Depths are the numbers of the depth table, nil if there is none or it is not
	// asked for. Facts are nil if they are not asked for.
	Depths *DepthStatistics `json:"depths"`
	Facts  *LayerFacts      `json:"facts"`
}

// StatisticsOf returns the numbers of the layer, without depths and facts.
func StatisticsOf(m format.Manifest) Statistics {
	return Statistics{
		Rules: m.Rules, Width: m.Width, Beans: m.Beans,
		Positions: m.Positions, Wins: m.Wins, Draws: m.Draws, Losses: m.Losses,
		ScoreSum: m.ScoreSum, Endless: m.Endless, SHA256: m.SHA256, Bytes: m.Bytes,
	}
}
