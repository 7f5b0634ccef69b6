package build

import (
	"math"
	"time"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
)

// Cost is what building some layers takes, as far as can be told beforehand. Sizes
// are in bytes.
type Cost struct {
	Layers    int           // layers to be built
	Positions uint64        // positions in them
	Bytes     uint64        // disk that they take
	Kept      uint64        // further disk, taken meanwhile by the state of a layer that takes long
	Memory    uint64        // memory of the process at the peak
	Time      time.Duration // from start to end
}

// LayerCost is what building one layer takes, on top of those below it.
type LayerCost struct {
	Key format.Key
	DTC bool // whether its depths are built, not its scores
	Cost
}

// Rates of a build, on the side of caution: benchmarks/ has what was measured.
const (
	// positionsPerSecond is how many positions a worker solves and stores.
	positionsPerSecond = 6_000_000
	// leaningPerSecond is the same where positions lean on rule 8.
	leaningPerSecond = 300_000
	// baseTime is what a build of nothing takes.
	baseTime = 100 * time.Millisecond
	// databaseBytes is what a database without layers takes on the disk.
	databaseBytes = 2 << 20
)

// Estimate returns what building the layers of a game up to beans will take,
// except those that have reports as present; have may be nil when there are none.
// More beans than the board has count as all. A layer too large for any database
// counts as one of 2^40 positions. Workers 0 means one a processor.
func Estimate(g game.Game, beans int, parity format.Parity, workers int, have func(format.Key) bool) Cost {
	return PlanScores(Options{Game: g, Beans: beans, Parity: parity, Workers: workers}, have).Total()
}

// disk estimates what the blocks of a layer take on the disk. Each rectangle has one at
// least.
func disk(positions float64, beans int, leans bool) float64 {
	return float64(format.BlockHeaderSize*(beans+1)) + positions*bitsPerPosition(beans, leans)/8
}

// duration estimates how long a layer is in work.
func duration(positions float64, workers int, leans bool) time.Duration {
	rate := float64(positionsPerSecond)
	if leans {
		rate = leaningPerSecond
	}
	return time.Duration(min(positions/rate/float64(workers)*float64(time.Second), math.MaxInt64/2))
}

// bitsPerPosition estimates what a position takes on the disk. Blocks compress the
// less the more beans there are, and a byte is the most.
func bitsPerPosition(beans int, leans bool) float64 {
	switch {
	case leans:
		return min(0.3*float64(beans), 3*8)
	case beans%2 == 1:
		return min(0.16*float64(beans), 8)
	default:
		return min(0.065*float64(beans), 8)
	}
}
