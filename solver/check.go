package solver

import (
	"context"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// Review is a solved layer to be checked.
type Review struct {
	Game  game.Game
	Index *index.Index
	Beans int
	// Tables gives the layer itself and those below it.
	Tables  Source
	Workers int
	// Sample is the number of positions to look at, spread evenly over the layer
	// from a random start; 0 means all.
	Sample uint64
	// Report, if not nil, is called from time to time, never by two goroutines at
	// once, with the number of positions looked at.
	Report func(done, total uint64)
}

// Mismatch is the error of Check for a record that does not follow from its
// successors.
type Mismatch struct {
	Position game.Position
	Beans    int
	Index    uint64
	Kind     Kind
	Got      game.Score // what the table says
	Want     game.Score // what the successors say
}

// Error says which position is wrong, and how.
func (m *Mismatch) Error() string { return "" }

// Check recomputes every record of a solved layer from its successors and returns
// the number of positions looked at. A record that does not follow gives an error
// that is a *Mismatch. …
func Check(ctx context.Context, r Review) (uint64, error) { return 0, nil }
