package tablebase

import (
	"time"

	"bohnenspiel/solver/game"
)

// Cost is what building some layers takes, as far as can be told beforehand.
type Cost struct {
	Layers    int           // layers to be built
	Positions uint64        // positions in them
	Bytes     uint64        // disk
	Memory    uint64        // bytes of memory at the peak
	Time      time.Duration // from start to end
}

// EstimateBuild returns what building the layers of a game up to beans will take,
// except those that have reports as present; have may be nil when there are none.
// Layers too large for any database count with MaxUint64 positions. Workers 0 means
// one a processor.
func EstimateBuild(g game.Game, beans int, parity Parity, workers int, have func(Key) bool) Cost {
	return Cost{}
}
