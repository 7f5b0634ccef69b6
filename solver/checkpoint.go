package solver

import (
	"fmt"
	"time"
)

// Mark says how far the work on a layer is: what comes next.
type Mark struct {
	Phase     Phase
	Sweep     int  // the sweep, counted from 1; 0 while converting
	Rectangle int  // the next one of this phase or sweep, by the beans of the mover's row; beans+1 when all are done
	Changed   bool // whether this phase or sweep has changed anything so far
}

// Checkpoint keeps the state of one layer in work where it outlives the process.
// The cells have no meaning but to the same version of the program, for the same
// layer on the same kind of machine. What can't be a state of the layer counts as none.
type Checkpoint interface {
	// Load fills cells with what was last saved and returns the mark that was saved
	// with it. It returns false, and cells unchanged, if there is nothing of the same
	// length.
	Load(cells []byte) (mark Mark, ok bool, err error)
	// Save keeps a state in the place of the one before. Until it returns, and if it
	// fails, the one before stays.
	Save(mark Mark, cells []byte) error
}

// keeper calls a checkpoint when it is time.
type keeper struct {
	checkpoint Checkpoint
	every      time.Duration
	last       time.Time
	used       bool
	cells      []byte
}

// load restores the cells, if there is anything to restore, and returns the mark
// to begin from.
func (k *keeper) load() (mark Mark, restored bool, err error) {
	k.last = time.Now()
	if k.checkpoint == nil {
		return Mark{}, false, nil
	}
	mark, k.used, err = k.checkpoint.Load(k.cells)
	if err != nil {
		return Mark{}, false, fmt.Errorf("load checkpoint: %w", err)
	}
	return mark, k.used, nil
}

// keep saves the state if it is time to.
func (k *keeper) keep(mark Mark) error {
	if k.checkpoint == nil || time.Since(k.last) < k.every {
		return nil
	}
	return k.save(mark)
}

// finish saves the last state of work that was ever saved.
func (k *keeper) finish(mark Mark) error {
	if !k.used {
		return nil
	}
	return k.save(mark)
}

func (k *keeper) save(mark Mark) error {
	if err := k.checkpoint.Save(mark, k.cells); err != nil {
		return fmt.Errorf("save checkpoint: %w", err)
	}
	k.used, k.last = true, time.Now()
	return nil
}
