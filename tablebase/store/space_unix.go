//go:build linux || darwin

package store

import (
	"golang.org/x/sys/unix"
)

// freeBytes returns the bytes that one may still write to the disk of a directory
// that is there, and whether that is known.
func freeBytes(dir string) (bytes uint64, known bool) {
	var stat unix.Statfs_t
	if err := unix.Statfs(dir, &stat); err != nil {
		return 0, false
	}
	return stat.Bavail * uint64(stat.Bsize), true
}
