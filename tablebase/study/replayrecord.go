package study

import (
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// Record is what came of a game that was replayed.
type Record struct {
	Tags     map[string]string `json:"tags"` // all but Rules, Position and Result
	Rules    game.Rules        `json:"rules"`
	Position string            `json:"position"` // the first, as game.Diagram prints it
	Whole    bool              `json:"whole"`    // whether that is the opening position
	Length   int               `json:"length"`   // legal moves, of both sides and passes included
	Over     bool              `json:"over"`     // whether play is over after them
	// Stores are what the stores hold then, with the beans that are left where play is
	// over (rule 5).
	Stores game.Beans `json:"stores"`
	// Result is the recorded result. It is nil if there is none.
	Result *game.Beans `json:"result"`
	// Flaw is what is wrong with the game, or nil.
	Flaw *Flaw `json:"flaw"`
	// Known is the first ply at which the tables know all moves, and with it all later
	// plies; it is nil if there is none.
	Known *int `json:"known"`
	// TurningPoint is the last ply that changed the outcome; it is nil if none did.
	TurningPoint *int `json:"turningPoint"`
	// Lost is how many beans each side lost from Known on, in all.
	Lost  game.Beans   `json:"lost"`
	Plies []PlayedMove `json:"plies"`
}

// PlayedMove is a move of a game and what it was worth. Where the tables don't know
// all moves of the position, the fields from Score on are nil.
type PlayedMove struct {
	Ply      int       `json:"ply"`      // counted from 1
	Side     game.Side `json:"side"`     // who moves
	Pit      *int      `json:"pit"`      // the pit's number, 1 to 2w; nil for a pass
	Captured int       `json:"captured"` // beans that the move takes
	Beans    int       `json:"beans"`    // on the board before the move
	// Score is that of the position before the move, for the side that moves, and
	// Outcome with it what that side could reach.
	Score   *game.Score   `json:"score"`
	Outcome *game.Outcome `json:"outcome"`
	// After is what the side can still reach after its move.
	After *game.Outcome `json:"after"`
	// Lost is by how many beans the score after the move is smaller than before it: 0
	// if it is a best move. A bean that goes to the opponent instead counts twice.
	Lost *int           `json:"lost"`
	Best tablebase.Pits `json:"best"` // all best moves
	// Final is what the stores hold at the end if both sides play best after the move.
	// It is nil as well where that leans on rule 8.
	Final *game.Beans `json:"final"`
}

// FlawKind is a sort of flaw of a game.
type FlawKind string

// The kinds of flaws.
const (
	// FlawMove is a move that is not legal. The moves behind it are not replayed.
	FlawMove FlawKind = "illegal move"
	// FlawResult is a recorded result that is not what the stores hold.
	FlawResult FlawKind = "wrong result"
	// FlawUnfinished is the same where play is not over.
	FlawUnfinished FlawKind = "unfinished"
)

// Flaw is something wrong with a recorded game.
type Flaw struct {
	Kind    FlawKind `json:"kind"`
	Ply     int      `json:"ply"` // of the illegal move, else the last one, counted from 1
	Line    int      `json:"line"`
	Column  int      `json:"column"` // of the move in its file, or of the game's first tag
	Message string   `json:"message"`
}

// Winner returns the side that has won, and whether there is one: play is over, and
// the stores are not equal.
func (r Record) Winner() (game.Side, bool) {
	if !r.Over || r.Stores.South == r.Stores.North {
		return 0, false
	}
	if r.Stores.South > r.Stores.North {
		return game.South, true
	}
	return game.North, true
}
