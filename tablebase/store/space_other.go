//go:build !linux && !darwin && !windows

package store

// freeBytes does not know how much may be written.
func freeBytes(string) (bytes uint64, known bool) { return 0, false }
