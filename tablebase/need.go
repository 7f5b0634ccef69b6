package tablebase

import (
	"math"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

const (
	// baseMemory is what a process takes besides its layers and row tables: the
	// program, the database, and blocks on their way to the disk.
	baseMemory = 160 << 20
	// cutMemory is what the blocks that one worker encodes take.
	cutMemory = 4 * 3 * stripsAtOnce * BlockPositions
)

// memoryNeed returns the bytes that a build of these layers takes at the peak. All
// layers below the one in work are in memory, packed if packed is set.
func memoryNeed(g game.Game, x *index.Index, missing []int, workers int, packed bool) uint64 {
	need, cells := 0.0, 0.0
	for _, beans := range missing {
		if x.Size(beans) > index.MaxSize {
			return math.MaxInt64
		}
		size, heap := solver.Footprint(x, beans, workers)
		cells = max(cells, float64(size)) // it is kept from one layer to the next
		lower, tables := 0.0, 1.0
		if leans(g, beans) {
			tables = 3
			heap += 5 * x.Size(beans) // the second pass, on the heap
		}
		for below := beans - 2; below >= 0; below -= 2 {
			lower += tables * float64(flatBytes(below, x.Size(below), packed && tables == 1))
		}
		largest := 0.0
		for mover := range beans + 1 {
			largest = max(largest, float64(x.Rows(mover))*float64(x.Rows(beans-mover)))
		}
		buffers := float64(workers) * min(cutMemory, 8*largest)
		need = max(need, cells+lower+float64(heap)+buffers+largest/8)
	}
	return baseMemory + uint64(min(need, math.MaxInt64/2))
}

// leans reports whether the positions of a layer are known to lean on rule 8: in
// Mangala the last bean of an odd number can't be taken.
func leans(g game.Game, beans int) bool {
	return g.Rules() == game.Mangala && beans%2 == 1
}
