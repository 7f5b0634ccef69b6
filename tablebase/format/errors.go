package format

import (
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/tablebase/fault"
)

// ErrNoLayer is returned when a layer that is asked for has not been built.
var ErrNoLayer = fault.New(fault.Unanswered, "layer is not built")

// ErrNoDepths is returned when the depth table of a layer is asked for and has not
// been built.
var ErrNoDepths = fault.New(fault.Unanswered, "depths are not built")

// ErrTooManyBeans is returned when a layer is too large for any database, or has
// more beans than the board.
var ErrTooManyBeans = fault.New(fault.Unanswered, "too many beans")

// ErrNotDatabase is returned when a directory holds something else than a
// database of this package. Nothing is written to it.
var ErrNotDatabase = fault.New(fault.BadData, "not a bohnenspiel database")

// ErrVersion is returned when a database, a manifest or a block is of a format
// version that this program does not know. Nothing is written to it.
var ErrVersion = fault.New(fault.BadData, "unknown format version")

// ErrCorrupt is returned when stored bytes are not what was written. Errors
// that speak of one layer are of type *CorruptError.
var ErrCorrupt = fault.New(fault.BadData, "corrupt data")

// CorruptError says which stored value is corrupt. It wraps ErrCorrupt.
type CorruptError struct {
	Key    Key
	Kind   solver.Kind
	Block  int    // number of the block in its table, or −1 for the manifest
	Reason string // what is wrong with the value
	// Archive is the name of the archive that holds the value; "" if a database does.
	Archive string
}

// Error names the layer, the table and the block, and says what to do.
func (e *CorruptError) Error() string {
	where := "manifest"
	switch {
	case e.Block >= 0:
		where = fmt.Sprintf("block %d of the %v", e.Block, e.Kind)
	case e.Kind == solver.Depths:
		where = "manifest of the depths"
	}
	if e.Archive != "" {
		return fmt.Sprintf("%v in %s, %v, %s: %s; copy or export it again", ErrCorrupt, e.Archive, e.Key, where, e.Reason)
	}
	return fmt.Sprintf("%v in %v, %s: %s; check --repair deletes the layer, then build it again", ErrCorrupt, e.Key, where, e.Reason)
}

// Unwrap returns ErrCorrupt.
func (e *CorruptError) Unwrap() error { return ErrCorrupt }
