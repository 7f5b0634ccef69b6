package build

import (
	"fmt"
	"time"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
)

// Options say what to build.
type Options struct {
	Game   game.Game
	Beans  int           // the last layer
	Parity format.Parity // which of the layers up to it
	// Workers is the number of goroutines that compute; 0 means one a processor.
	// What is stored does not depend on it.
	Workers int
	// Memory is the most bytes that the process may take; 0 means seven eighths of what
	// the machine has. The rest is for the system, which keeps parts of files there.
	// What is stored does not depend on it.
	Memory uint64
	// CheckpointEvery is how long a layer may be in work before its state is kept on
	// the disk, and again after that; 0 means DefaultCheckpointEvery.
	CheckpointEvery time.Duration
	// Report, if not nil, is called from time to time, never by two goroutines at
	// once, with how far the build is.
	Report func(Progress)

	spillFrom int // if not 0, layers of this many beans are spilled even where there is memory
}

// DefaultCheckpointEvery is one minute. A layer that takes longer than twice that
// loses no more than two minutes of work when the process is killed.
const DefaultCheckpointEvery = time.Minute

// Phase is a part of the work on a layer.
type Phase uint8

// The phases, in their order.
const (
	// Loading is reading a layer below that was built earlier.
	Loading Phase = iota
	// Converting is the first look at each position: its captures and endings.
	Converting
	// Sweeping is narrowing the scores over moves that take nothing. Of depths, a sweep
	// finds the positions whose DTC is its number.
	Sweeping
	// Storing is compressing blocks and writing them.
	Storing
)

// String returns "load", "convert", "sweep" or "store".
func (p Phase) String() string {
	return [...]string{"load", "convert", "sweep", "store"}[p]
}

// Progress is how far a build is.
type Progress struct {
	Beans int    // the layer
	DTC   bool   // whether its depths are being built, not its scores
	Phase Phase  // what is being done
	Sweep int    // the sweep, counted from 1; 0 in other phases
	Done  uint64 // positions passed in this phase or sweep
	Total uint64 // positions of this phase or sweep
	Open  uint64 // positions not solved after the last whole sweep
	// Resumed tells that the layer began from a state that an earlier build had kept.
	Resumed bool
	// RunDone and RunTotal count the positions of whole layers: those finished in
	// this run, and those to be built in it.
	RunDone, RunTotal uint64
}

// withDefaults puts in what zero stands for.
func (o Options) withDefaults() Options {
	o.Workers = solver.Workers(o.Workers)
	if o.Memory == 0 {
		o.Memory = held.MachineMemory() / 8 * 7
	}
	if o.CheckpointEvery == 0 {
		o.CheckpointEvery = DefaultCheckpointEvery
	}
	return o
}

// check returns an error unless all layers can be built.
func (o Options) check() error {
	if !(format.Key{Rules: o.Game.Rules(), Width: o.Game.Width()}).Valid() {
		return fmt.Errorf("%w %d: make the game with game.New", game.ErrWidth, o.Game.Width())
	}
	if most := game.MaxBeans(o.Game.Width()); o.Beans < 0 || o.Beans > most {
		return fmt.Errorf("%w: %d, but a board of width %d has 0 to %d", format.ErrTooManyBeans, o.Beans, o.Game.Width(), most)
	}
	// A layer below is smaller.
	if x := index.New(o.Game.Width(), o.Beans); x.Size(o.Beans) > index.MaxSize || !x.HasRowMoves(o.Beans) {
		return fmt.Errorf("%w: %v has too many positions for any database", format.ErrTooManyBeans, format.KeyOf(o.Game, o.Beans))
	}
	return nil
}
