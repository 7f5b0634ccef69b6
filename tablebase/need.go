package tablebase

import (
	"math"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

const (
	// baseMemory is what a process takes besides its layers and row tables: baseMapped,
	// and what lies on the heap, such as blocks on their way to the disk.
	baseMemory = 160 << 20
	// baseMapped is the part of baseMemory that is no heap: the program, and files that
	// the database maps, as far as they are not released.
	baseMapped = 16<<20 + 2*touchedBytes
)

// cutMemory is what the blocks that one worker encodes take.
const cutMemory = 4 * 2 * stripsAtOnce * BlockPositions

// need is what the layers of a build take, in bytes. Floats, as the largest
// boards have more positions than fit 64 bits.
type need struct {
	cells  float64 // of the layer in work
	first  float64 // first looks at it, if there is memory for them
	lower  float64 // layers below it
	heap   float64 // row tables and buffers
	mapped float64 // blocks that have been read and written, where their pages stay
	files  float64 // spilled layers below it: disk, not memory
}

// layerNeed returns what is taken while one layer is built, but for mapped. The layers
// below it have the forms that as returns.
func layerNeed(g game.Game, x *index.Index, beans, workers int, as func(beans int) form) need {
	if x.Size(beans) > index.MaxSize {
		return need{cells: math.MaxInt64}
	}
	cells, heap := solver.Footprint(x, beans, workers)
	use := need{cells: float64(cells), heap: float64(heap)}
	if leans(g, beans) {
		use.heap += 5 * float64(x.Size(beans)) // the second pass, on the heap
	}
	use.addLower(x, beans, leans(g, beans), as)
	largest := largestRectangle(x, beans)
	use.heap += float64(workers)*min(cutMemory, 8*largest) + largest/8
	return use
}

// firstLooks returns what the first looks at a layer take.
func firstLooks(g game.Game, x *index.Index, beans int) float64 {
	if leans(g, beans) || x.Size(beans) > index.MaxSize {
		return 0
	}
	return float64(solver.FirstLookBytes(x, beans))
}

// addLower adds the layers below one, which have three tables each if they lean.
func (u *need) addLower(x *index.Index, beans int, leans bool, as func(beans int) form) {
	tables := 1.0
	if leans {
		tables = 3
	}
	for below := beans - 2; below >= 0; below -= 2 {
		f, size := as(below), x.Size(below)
		if f == packed && leans {
			f = bytewise
		}
		u.lower += tables * float64(flatBytes(below, size, f))
		if f == spilled {
			u.files += tables * float64(size)
			u.heap += tables * float64(min(size, spillMemory))
		}
	}
}

// largestRectangle returns the positions of the largest rectangle of a layer.
func largestRectangle(x *index.Index, beans int) float64 {
	largest := 0.0
	for mover := range beans + 1 {
		largest = max(largest, float64(x.Rows(mover))*float64(x.Rows(beans-mover)))
	}
	return largest
}

// total returns the bytes of the process.
func (u need) total() uint64 { return baseMemory + whole(u.cells+u.first+u.lower+u.heap+u.mapped) }

// outside returns the part of total that is not on the heap.
func (u need) outside() uint64 { return baseMapped + whole(u.cells+u.first+u.lower+u.mapped) }

// whole returns a number of bytes as an integer, but no more than can be summed up.
func whole(bytes float64) uint64 { return uint64(min(bytes, math.MaxInt64/2)) }

// leans reports whether the positions of a layer are known to lean on rule 8: in
// Mangala the last bean of an odd number can't be taken.
func leans(g game.Game, beans int) bool {
	return g.Rules() == game.Mangala && beans%2 == 1
}
