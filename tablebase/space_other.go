//go:build !linux && !darwin && !windows

package tablebase

// freeBytes does not know how much may be written.
func freeBytes(string) (bytes uint64, known bool) { return 0, false }
