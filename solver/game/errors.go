package game

import "errors"

var (
	// ErrRules is returned when a rule set is unknown.
	ErrRules = errors.New("unknown rules")
	// ErrWidth is returned when a board would have fewer than MinWidth or more
	// than MaxWidth pits a side.
	ErrWidth = errors.New("bad board width")
	// ErrPosition is returned when a text is not a position.
	ErrPosition = errors.New("bad position")
	// ErrMove is returned when a move is not legal.
	ErrMove = errors.New("illegal move")
)
