package build

import (
	"math"
	"time"

	"bohnenspiel/solver"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
)

// model says what building one kind of tables takes, on the side of caution: benchmarks/ has
// what was measured.
type model struct {
	index *index.Index
	dtc   bool // whether the tables are of depths
	// keepsState tells that the state of a layer that takes long is kept on the disk.
	keepsState bool
	// memory returns what is taken while one layer is built, except for what is mapped. The
	// layers below it have the forms that as returns.
	memory func(beans int, as func(beans int) held.Form) memoryNeed
	// firstLooks returns the bytes of the first looks at a layer.
	firstLooks func(beans int) float64
	// disk returns the bytes of the blocks of a layer, and read those of the blocks that are
	// read besides.
	disk, read func(positions float64, beans int) float64
	// time returns how long a layer is in work.
	time func(positions float64, beans int) time.Duration
}

const (
	// positionsPerSecond is how many positions a worker solves and stores.
	positionsPerSecond = 6_000_000
	// leaningPerSecond is the same where positions lean on rule 8.
	leaningPerSecond = 300_000
	// depthsPerSecond is how many DTCs a worker finds and stores.
	depthsPerSecond = 1_200_000
	// depthBits is what a DTC takes on the disk. It hardly depends on the beans.
	depthBits = 2.5
)

// scoreModel is the model of tables of scores.
func scoreModel(o Options, x *index.Index) model {
	return model{
		index: x, keepsState: true,
		memory: func(beans int, as func(beans int) held.Form) memoryNeed {
			if x.Size(beans) > index.MaxSize {
				return memoryNeed{cells: math.MaxInt64}
			}
			leans := leans(o.Game, beans)
			cells, heap := solver.Footprint(x, beans, o.Workers)
			use := memoryNeed{cells: float64(cells), heap: float64(heap)}
			if leans {
				use.heap += 5 * float64(x.Size(beans)) // the second pass, on the heap
			}
			use.addLower(x, beans, leans, as)
			largest := float64(held.LargestRectangle(x, beans))
			use.heap += float64(o.Workers)*min(cutMemory, 8*largest) + largest/8
			return use
		},
		firstLooks: func(beans int) float64 {
			if leans(o.Game, beans) || x.Size(beans) > index.MaxSize {
				return 0
			}
			return float64(solver.FirstLookBytes(x, beans))
		},
		disk: func(positions float64, beans int) float64 { return scoreBytes(positions, beans, leans(o.Game, beans)) },
		read: func(float64, int) float64 { return 0 },
		time: func(positions float64, beans int) time.Duration {
			if leans(o.Game, beans) {
				return duration(positions, leaningPerSecond, o.Workers)
			}
			return duration(positions, positionsPerSecond, o.Workers)
		},
	}
}

// depthModel is the model of tables of depths, where all scores are stored.
func depthModel(o Options, x *index.Index) model {
	return model{
		index: x, dtc: true,
		memory: func(beans int, as func(beans int) held.Form) memoryNeed {
			if x.Size(beans) > index.MaxSize {
				return memoryNeed{cells: math.MaxInt64}
			}
			cells, heap := solver.DepthFootprint(x, beans, o.Workers)
			use := memoryNeed{cells: float64(cells), heap: float64(heap)}
			use.addLower(x, beans, leans(o.Game, beans), as)
			own := ownForm(as(beans))
			if leans(o.Game, beans) {
				own = held.Bytewise
				use.lower += 2 * float64(held.TableBytes(beans, x.Size(beans), own))
			}
			use.lower += float64(held.TableBytes(beans, x.Size(beans), own))
			const depthBlocks = 4 * 5 * format.BlockPositions // DTCs and the value of each block of a worker
			use.heap += float64(o.Workers)*depthBlocks + format.DepthSummaryBytes
			return use
		},
		firstLooks: func(int) float64 { return 0 },
		disk: func(positions float64, beans int) float64 {
			return float64(2*format.BlockHeaderSize*(beans+1)) + positions*depthBits/8
		},
		read: func(positions float64, beans int) float64 { return scoreBytes(positions, beans, leans(o.Game, beans)) },
		time: func(positions float64, _ int) time.Duration { return duration(positions, depthsPerSecond, o.Workers) },
	}
}

// ownForm returns how the scores of a layer are kept while its depths are built, where
// it is to be kept in another form for those above. They are read in an order for which
// files are too slow.
func ownForm(as held.Form) held.Form {
	if as == held.Spilled {
		return held.Packed
	}
	return as
}

// scoreBytes estimates what the blocks of scores of a layer take on the disk. Each rectangle
// has one at least.
func scoreBytes(positions float64, beans int, leans bool) float64 {
	return float64(format.BlockHeaderSize*(beans+1)) + positions*bitsPerPosition(beans, leans)/8
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

// duration returns how long workers take for positions at a number a second each.
func duration(positions, perSecond float64, workers int) time.Duration {
	return time.Duration(min(positions/perSecond/float64(workers)*float64(time.Second), math.MaxInt64/2))
}
