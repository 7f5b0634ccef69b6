package solver

import (
	"unsafe"

	"bohnenspiel/solver/index"
)

// Footprint returns the bytes that Solve needs for a layer without any that leans
// on rule 8 below it: those of the cells, which it takes from Problem.Memory, and
// those of the heap. Row tables count twice, since the garbage collector lets the
// heap grow; the rows of tiles (see tile) take a bit for a strip. What Lower takes comes
// on top, and so does Settled: an eighth of a byte a position of the largest rectangle.
func Footprint(x *index.Index, beans, workers int) (cells, heap uint64) {
	l := latticeOf(beans, false)
	if l.fitsByte() {
		cells = cellBytes[uint8](x, l)
	} else {
		cells = cellBytes[uint16](x, l)
	}
	// Runs of the longest row, by worker: conversions of eight columns for the first look
	// and for Settle, and what they read.
	const buffers = 2*eightColumns + 2
	heap = 2*x.TableBytes(beans) + uint64(workers)*x.Rows(beans)*buffers + uint64(layOut(x, beans).end)/stripWidth/8
	return cells, heap
}

// FirstLookBytes returns the bytes that Solve takes from Problem.FirstLooks for a layer; 0
// where it keeps no first looks.
func FirstLookBytes(x *index.Index, beans int) uint64 {
	if !latticeOf(beans, false).fitsByte() {
		return 0
	}
	return uint64(layOut(x, beans).blank)
}

func cellBytes[C code](x *index.Index, l lattice) uint64 {
	cells := layOut(x, l.beans)
	return uint64(cells.end+cells.largestShadow()) * uint64(unsafe.Sizeof(C(0)))
}
