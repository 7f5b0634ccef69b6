package tablebase

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// spareBytes is the disk that must be free beyond what is to be written, for logs
// and tables of the database: 128 MiB.
const spareBytes = 128 << 20

// checkSpace returns an error unless the disk has room for so many more bytes.
// Badger writes through memory maps, where a full disk is no error but the end of
// the process, so room is checked beforehand.
func checkSpace(dir string, need uint64) error {
	var stat unix.Statfs_t
	if err := unix.Statfs(dir, &stat); err != nil {
		return nil //nolint:nilerr // where nothing is known, nothing is forbidden
	}
	if free := stat.Bavail * uint64(stat.Bsize); free < need+spareBytes {
		return fmt.Errorf("%w: no space left on the disk of %s: %d MiB are free; make room or use another directory",
			ErrStorage, dir, free>>20)
	}
	return nil
}
