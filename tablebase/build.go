package tablebase

import (
	"context"
	"errors"

	"bohnenspiel/solver/game"
)

// BuildOptions say what to build.
type BuildOptions struct {
	Game   game.Game
	Beans  int    // the last layer
	Parity Parity // which of the layers up to it
	// Workers is the number of goroutines that compute; 0 means one a processor.
	// What is stored does not depend on it.
	Workers int
	// CacheBytes is the budget of decoded blocks of the layers below; 0 means no
	// limit, so that all of them stay in memory.
	CacheBytes int64
	// Report, if not nil, is called from time to time, never by two goroutines at
	// once, with how far the build is.
	Report func(Progress)
}

// Phase is a part of the work on a layer.
type Phase uint8

// The phases, in their order.
const (
	// Converting is the first look at each position: its captures and endings.
	Converting Phase = iota
	// Sweeping is narrowing the scores over moves that take nothing.
	Sweeping
	// Storing is compressing blocks and writing them.
	Storing
)

// String returns "convert", "sweep" or "store".
func (p Phase) String() string {
	return [...]string{"convert", "sweep", "store"}[p]
}

// Progress is how far a build is.
type Progress struct {
	Beans int    // the layer
	Phase Phase  // what is being done
	Sweep int    // the sweep, counted from 1; 0 in other phases
	Done  uint64 // positions passed in this phase or sweep
	Total uint64 // positions of this phase or sweep
	Open  uint64 // positions not solved after the last whole sweep
	// RunDone and RunTotal count the positions of whole layers: those finished in
	// this run, and those to be built in it.
	RunDone, RunTotal uint64
}

// Build builds the layers up to o.Beans that are missing, the smaller first, and
// returns the manifests of those it built, also when it ends early. Each layer is
// on the disk before the next begins.
//
// When the context ends, Build returns its error; the layers finished so far stay.
// It returns ErrReadOnly on a database from Open, and ErrTooManyBeans when a layer
// is too large for any database.
func (db *DB) Build(ctx context.Context, o BuildOptions) ([]Manifest, error) {
	return nil, errors.ErrUnsupported
}
