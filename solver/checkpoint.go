package solver

import (
	"fmt"
	"time"
)

// Cursor says how far the work on a layer is: what comes next.
type Cursor struct {
	Phase     Phase
	Sweep     int  // the sweep, counted from 1; 0 while converting
	Rectangle int  // the next one of this phase or sweep, by the beans of the mover's row; beans+1 when all are done
	Changed   bool // whether this phase or sweep has changed anything so far
}

// Checkpoint keeps the state of one layer in work where it outlives the process.
// The cells have no meaning but to the same version of the program, for the same
// layer on the same kind of machine. What can't be a state of the layer counts as none.
type Checkpoint interface {
	// Load fills cells with what was last saved and returns the cursor that was saved
	// with it. It returns false, and cells unchanged, if there is nothing of the same
	// length.
	Load(cells []byte) (cursor Cursor, ok bool, err error)
	// Save keeps a state in the place of the one before. Until it returns, and if it
	// fails, the one before stays.
	Save(cursor Cursor, cells []byte) error
}

// keeper calls a checkpoint when it is time.
type keeper struct {
	checkpoint Checkpoint
	every      time.Duration
	last       time.Time
	used       bool
	cells      []byte
}

// load restores the cells, if there is anything to restore, and returns the cursor
// to begin from.
func (k *keeper) load() (cursor Cursor, restored bool, err error) {
	k.last = time.Now()
	if k.checkpoint == nil {
		return Cursor{}, false, nil
	}
	cursor, k.used, err = k.checkpoint.Load(k.cells)
	if err != nil {
		return Cursor{}, false, fmt.Errorf("load checkpoint: %w", err)
	}
	return cursor, k.used, nil
}

// keep saves the state if it is time to.
func (k *keeper) keep(cursor Cursor) error {
	if k.checkpoint == nil || time.Since(k.last) < k.every {
		return nil
	}
	return k.save(cursor)
}

// finish saves the last state of work that was ever saved.
func (k *keeper) finish(cursor Cursor) error {
	if !k.used {
		return nil
	}
	return k.save(cursor)
}

func (k *keeper) save(cursor Cursor) error {
	if err := k.checkpoint.Save(cursor, k.cells); err != nil {
		return fmt.Errorf("save checkpoint: %w", err)
	}
	k.used, k.last = true, time.Now()
	return nil
}
