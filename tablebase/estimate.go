package tablebase

import (
	"math"
	"runtime"
	"time"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// Cost is what building some layers takes, as far as can be told beforehand.
type Cost struct {
	Layers    int           // layers to be built
	Positions uint64        // positions in them
	Bytes     uint64        // disk
	Memory    uint64        // bytes of memory at the peak
	Time      time.Duration // from start to end
}

// Rates of a build, on the side of caution: benchmarks/ has what was measured.
const (
	// positionsPerSecond is how many positions a worker solves and stores.
	positionsPerSecond = 2_500_000
	// leaningPerSecond is the same where positions lean on rule 8.
	leaningPerSecond = 300_000
	// baseTime is what a build of nothing takes.
	baseTime = 100 * time.Millisecond
	// databaseBytes is what a database without layers takes on the disk.
	databaseBytes = 2 << 20
)

// EstimateBuild returns what building the layers of a game up to beans will take,
// except those that have reports as present; have may be nil when there are none.
// More beans than the board has count as all. A layer too large for any database
// counts as one of 2^40 positions. Workers 0 means one a processor.
func EstimateBuild(g game.Game, beans int, parity Parity, workers int, have func(Key) bool) Cost {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	beans = min(beans, game.MaxBeans(g.Width()))
	if beans < 0 {
		return Cost{}
	}
	x := index.New(g.Width(), beans)
	var cost Cost
	var disk, seconds float64
	var missing []int
	for n := range beans + 1 {
		if !parity.Has(n) || have != nil && have(KeyOf(g, n)) {
			continue
		}
		positions := float64(min(x.Size(n), index.MaxSize))
		rate := float64(positionsPerSecond)
		if leans(g, n) {
			rate = leaningPerSecond
		}
		missing = append(missing, n)
		cost.Positions += uint64(positions)
		disk += positions * bitsPerPosition(n, leans(g, n)) / 8
		seconds += positions / rate / float64(workers)
	}
	cost.Layers = len(missing)
	if cost.Layers > 0 {
		cost.Bytes = databaseBytes + uint64(disk)
		cost.Time = baseTime + time.Duration(min(seconds*float64(time.Second), math.MaxInt64/2))
		cost.Memory = memoryNeed(g, x, missing, workers, false)
	}
	return cost
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
