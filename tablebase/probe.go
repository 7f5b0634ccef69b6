package tablebase

import (
	"bohnenspiel/solver/game"
)

// Value is what the tables know of a position.
type Value struct {
	// Score is what the mover will still win less what the opponent will, with
	// endless play worth 0 (rule 8).
	Score game.Score
	// Low and High bound the score whatever endless play is worth. They are equal
	// to Score unless it leans on rule 8.
	Low, High game.Score
}

// Endless reports whether the score leans on rule 8.
func (v Value) Endless() bool { return v.Low < v.High }

// Probe looks up a position. It returns game.ErrPosition when the position is not
// one of the board, ErrNoLayer when its layer has not been built and a
// *CorruptError when what is stored is damaged.
func (db *DB) Probe(g game.Game, p game.Position) (Value, error) {
	return Value{}, ErrNoLayer
}
