//go:build unix

package database

import (
	"os"

	"golang.org/x/sys/unix"
)

// readersShare tells whether a database can be open for reading in many processes.
const readersShare = true

// tryLock takes the lock of a directory that is open, to be shared or alone, as Badger
// does, unless someone holds it otherwise. Closing the file gives it back.
func tryLock(dir *os.File, share bool) error {
	how := unix.LOCK_EX
	if share {
		how = unix.LOCK_SH
	}
	return unix.Flock(int(dir.Fd()), how|unix.LOCK_NB)
}
