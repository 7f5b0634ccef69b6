package tablebase

import (
	"errors"
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
)

// Errors of questions that cannot be answered as things are: ClassUnanswered.
var (
	// ErrNoDatabase is returned when a database is to be read whose directory is
	// missing or empty.
	ErrNoDatabase = errors.New("no database")
	// ErrNoLayer is returned when a layer that is asked for has not been built.
	ErrNoLayer = errors.New("layer is not built")
	// ErrNoDepths is returned when the depth table of a layer is asked for and has not
	// been built.
	ErrNoDepths = errors.New("depths are not built")
	// ErrTooManyBeans is returned when a layer is too large for any database, or has
	// more beans than the board.
	ErrTooManyBeans = errors.New("too many beans")
	// ErrLocked is returned when another process is building in the database.
	ErrLocked = errors.New("database is being built")
	// ErrInUse is returned when a database is to be built in that other processes
	// are reading.
	ErrInUse = errors.New("database is in use")
	// ErrReadOnly is returned when something has to be written, and the directory
	// or the database is open for reading only.
	ErrReadOnly = errors.New("database is read-only")
	// ErrMemory is returned when a build needs more memory than it may use, or than
	// there is.
	ErrMemory = errors.New("not enough memory")
	// ErrDepthBudget is returned when finding a DTC would take more positions than the
	// caller allows.
	ErrDepthBudget = errors.New("the depth to conversion takes a longer search than the limit")
	// ErrClosed is returned when a database is used after Close.
	ErrClosed = errors.New("database is closed")
	// ErrStorage is returned when the system fails to read or write, for example
	// because the disk is full.
	ErrStorage = errors.New("storage failed")
)

// Errors of data that cannot be trusted: ClassBadData.
var (
	// ErrNotDatabase is returned when a directory holds something else than a
	// database of this package. Nothing is written to it.
	ErrNotDatabase = errors.New("not a bohnenspiel database")
	// ErrVersion is returned when a database, a manifest or a block is of a format
	// version that this program does not know. Nothing is written to it.
	ErrVersion = errors.New("unknown format version")
	// ErrCorrupt is returned when stored bytes are not what was written. Errors
	// that speak of one layer are of type *CorruptError.
	ErrCorrupt = errors.New("corrupt data")
	// ErrCertificate is returned when a certificate is none, is damaged, or does not
	// prove what it says.
	ErrCertificate = errors.New("the certificate is refused")
)

// ErrParity is returned when a text names no parity: ClassUsage.
var ErrParity = errors.New("unknown parity")

// ErrDepth is returned when a text names no depth of a check: ClassUsage.
var ErrDepth = errors.New("unknown depth")

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

// Class groups errors by who has to act. A command maps it to an exit status, a
// server to an HTTP status.
type Class uint8

// The classes of errors.
const (
	// ClassOther is any other error, such as a cancelled context.
	ClassOther Class = iota
	// ClassUsage is a question that has no meaning: a bad position, unknown rules.
	ClassUsage
	// ClassUnanswered is a question that cannot be answered as things are. The
	// message says what would help.
	ClassUnanswered
	// ClassBadData is a database that cannot be trusted.
	ClassBadData
)

// String returns "other", "usage", "unanswered" or "bad data".
func (c Class) String() string {
	return [...]string{"other", "usage", "unanswered", "bad data"}[c]
}

// ClassOf returns the class of an error of this package or of package game. Where
// an error wraps several sentinels, bad data goes before unanswered, and that
// before usage.
func ClassOf(err error) Class {
	classes := []struct {
		class     Class
		sentinels []error
	}{
		{ClassBadData, []error{ErrNotDatabase, ErrVersion, ErrCorrupt, ErrCertificate}},
		{ClassUnanswered, []error{
			ErrNoDatabase, ErrNoLayer, ErrNoDepths, ErrTooManyBeans, ErrLocked, ErrInUse, ErrReadOnly, ErrMemory, ErrDepthBudget, ErrClosed, ErrStorage,
		}},
		{ClassUsage, []error{ErrParity, ErrDepth, game.ErrRules, game.ErrWidth, game.ErrPosition, game.ErrMove}},
	}
	for _, c := range classes {
		for _, sentinel := range c.sentinels {
			if errors.Is(err, sentinel) {
				return c.class
			}
		}
	}
	return ClassOther
}
