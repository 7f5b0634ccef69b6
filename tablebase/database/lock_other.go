//go:build !unix

package database

import "os"

// readersShare tells whether a database can be open for reading in many processes. Here
// Badger knows no such thing: whoever opens a database has it alone.
const readersShare = false

// tryLock does nothing: Badger alone sees to it that a database is opened once.
func tryLock(*os.File, bool) error { return nil }
