package solver

import (
	"runtime"
	"time"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/memory"
)

// Problem is a layer to be solved.
type Problem struct {
	Game  game.Game
	Index *index.Index // for the width of Game, up to Beans at least
	Beans int          // the layer
	// Lower gives layers Beans−2, Beans−4, …; it is not asked for others.
	Lower Source
	// Workers is the number of goroutines that compute; 0 means one a processor.
	// The result does not depend on it.
	Workers int
	// Memory, if not nil, is where the cells of the layer lie; a solved layer is then
	// valid until the memory is used again. Otherwise they lie on the heap.
	Memory *memory.Block
	// FirstLooks, if not nil, is where the codes of the first look are kept until the
	// memory is used again: FirstLookBytes of it. They spare Settle to look again. Nothing
	// is kept where codes take two bytes, above layers that lean on rule 8, of work that a
	// checkpoint has kept, and where the system has no such memory.
	FirstLooks *memory.Block
	// Checkpoint, if not nil, keeps the work between rectangles, whenever
	// CheckpointEvery has passed since it began or was last kept, and at the end if
	// it was ever kept. Of layers above others that lean on rule 8, which are solved
	// twice and are small, it keeps the first pass alone.
	Checkpoint      Checkpoint
	CheckpointEvery time.Duration
	// Report, if not nil, is called from time to time, never by two goroutines at
	// once, with what has been done so far.
	Report func(Progress)
}

// Phase is a part of the work on a layer.
type Phase uint8

const (
	// Converting is the first look at each position: its captures and endings.
	Converting Phase = iota
	// Sweeping is narrowing the intervals over moves that take nothing.
	Sweeping
)

// String returns "convert" or "sweep".
func (p Phase) String() string {
	return [...]string{"convert", "sweep"}[p]
}

// Progress is how far the work on a layer is.
type Progress struct {
	Beans int    // the layer
	Pass  int    // 1; then 2 for the bounds, in a layer above others that lean on rule 8
	Phase Phase  // what is being done
	Sweep int    // the sweep, counted from 1; 0 while converting
	Done  uint64 // positions passed in this phase or sweep
	Total uint64 // positions of the layer
	Open  uint64 // positions not solved after the last whole sweep
}

// Workers returns the number of goroutines for work that may take n of them; 0 or less means
// one a processor.
func Workers(n int) int {
	if n <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}
