package tabletest

import (
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// Above is a position with twelve beans, above small tables.
const Above = "0-2-1-1-1-1-3-1-0-1-1-0-27-33-N"

// Long is a position whose score takes a search some seconds above tables of up to
// LongTables beans.
const (
	Long       = "6-6-6-6-6-6-6-6-0-0-S"
	LongTables = 8
)

// NewGame returns a game.
func NewGame(tb testing.TB, rules game.Rules, width int) game.Game {
	tb.Helper()
	g, err := game.New(rules, width)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// Diagram parses a position.
func Diagram(tb testing.TB, text string) game.Diagram {
	tb.Helper()
	d, err := game.ParseDiagram(text, 0)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// Probe returns the score of a position, and fails the test if the tables don't know it.
func Probe(tb testing.TB, db *tablebase.DB, g game.Game, p game.Position) game.Score {
	tb.Helper()
	value, err := db.Probe(g, p)
	if err != nil {
		tb.Fatal(err)
	}
	return value.Score
}
