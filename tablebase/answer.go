package tablebase

import (
	"bohnenspiel/solver/game"
)

// Answer is what the tables say about a position and its moves. Its JSON form is
// one object of "query --json" and of the HTTP API. What is not known is null there.
type Answer struct {
	Position string        `json:"position"` // as game.Diagram prints it
	Rules    game.Rules    `json:"rules"`
	Beans    int           `json:"beans"` // on the board
	Score    *game.Score   `json:"score"` // the side to move's
	Outcome  *game.Outcome `json:"outcome"`
	// Final is what the stores hold at the end. It is nil where the score leans on
	// rule 8, since then beans may stay on the board.
	Final *Final `json:"final"`
	// Endless reports whether the score leans on rule 8.
	Endless bool `json:"endless"`
	// DTC is the depth to conversion in plies.
	DTC *int `json:"dtc"`
	// Moves are all legal moves, best first: by score, then by pit. It is empty,
	// not nil, when play is over.
	Moves []Move `json:"moves"`
	// Line is a line of best play, as numbers of pits.
	Line []int `json:"line"`
}

// Final is what the stores hold when play has ended.
type Final struct {
	South int `json:"south"`
	North int `json:"north"`
}

// Move is a legal move and what it leads to. Score and Outcome are those of the
// side that makes the move.
type Move struct {
	Pit      *int          `json:"pit"`      // the pit's number, 1 to 2w; nil for a pass
	Captured int           `json:"captured"` // beans that the move takes
	Score    *game.Score   `json:"score"`
	Outcome  *game.Outcome `json:"outcome"`
	DTC      *int          `json:"dtc"`
}

// Answer looks up a position and all its moves. Its errors are those of Probe.
func (db *DB) Answer(rules game.Rules, d game.Diagram) (Answer, error) {
	return Answer{}, ErrNoLayer
}
