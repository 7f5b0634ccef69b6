package search

import "bohnenspiel/solver/game"

// Prober gives the scores of positions from tables. It must be safe for concurrent
// use, and fast: the search asks for most of the positions that it meets.
type Prober interface {
	// Probe returns the score of a position with so many beans, and whether the tables
	// have it. It is not asked about positions where play is over.
	Probe(p game.Position, beans int) (score game.Score, ok bool)
	// Top returns the largest number of beans of which the tables have positions.
	Top() int
}
