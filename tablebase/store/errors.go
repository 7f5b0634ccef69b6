package store

import (
	"bohnenspiel/tablebase/fault"
)

// ErrNoDatabase is returned when a database is to be read whose directory is
// missing or empty.
var ErrNoDatabase = fault.New(fault.Unanswered, "no database")

// ErrLocked is returned when another process is building in the database.
var ErrLocked = fault.New(fault.Unanswered, "database is being built")

// ErrInUse is returned when a database is to be built in that other processes
// are reading.
var ErrInUse = fault.New(fault.Unanswered, "database is in use")

// ErrReadOnly is returned when something has to be written, and the directory
// or the database is open for reading only.
var ErrReadOnly = fault.New(fault.Unanswered, "database is read-only")

// ErrClosed is returned when a database is used after Close.
var ErrClosed = fault.New(fault.Unanswered, "database is closed")

// ErrStorage is returned when the system fails to read or write, for example
// because the disk is full.
var ErrStorage = fault.New(fault.Unanswered, "storage failed")
