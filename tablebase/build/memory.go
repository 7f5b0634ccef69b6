package build

import (
	"math"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
)

// cutMemory is what the blocks that one worker encodes take.
const cutMemory = 4 * 2 * stripsAtOnce * format.BlockPositions

// memoryNeed is what the layers of a build take, in bytes. Floats, as the largest
// boards have more positions than fit 64 bits.
type memoryNeed struct {
	cells  float64 // of the layer in work
	first  float64 // first looks at it, if there is memory for them
	lower  float64 // layers below it
	heap   float64 // row tables and buffers
	mapped float64 // blocks that have been read and written, where their pages stay
	files  float64 // spilled layers below it: disk, not memory
}

// addLower adds the layers below one, which have three tables each if they lean.
func (u *memoryNeed) addLower(x *index.Index, beans int, leans bool, as func(beans int) held.Form) {
	tables := 1.0
	if leans {
		tables = 3
	}
	for below := beans - 2; below >= 0; below -= 2 {
		f, size := as(below), x.Size(below)
		if f == held.Packed && leans {
			f = held.Bytewise
		}
		u.lower += tables * float64(held.TableBytes(below, size, f))
		if f == held.Spilled {
			u.files += tables * float64(size)
			u.heap += tables * float64(min(size, held.SpillMemory))
		}
	}
}

// total returns the bytes of the process.
func (u memoryNeed) total() uint64 {
	return held.BaseMemory + whole(u.cells+u.first+u.lower+u.heap+u.mapped)
}

// outside returns the part of total that is not on the heap.
func (u memoryNeed) outside() uint64 {
	return held.BaseMapped + whole(u.cells+u.first+u.lower+u.mapped)
}

// whole returns a number of bytes as an integer, but no more than can be summed up.
func whole(bytes float64) uint64 { return uint64(min(bytes, math.MaxInt64/2)) }

// leans reports whether the positions of a layer are known to lean on rule 8: in
// Mangala the last bean of an odd number can't be taken.
func leans(g game.Game, beans int) bool {
	return g.Rules() == game.Mangala && beans%2 == 1
}

// stripsAtOnce is the number of strips of a band that are cut from its rows at a
// time: about two million positions.
const stripsAtOnce = 64
