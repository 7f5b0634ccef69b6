package main

import (
	"os"
	"syscall"
)

// peakMemory returns the most bytes that a process had in memory, and whether that is
// known.
func peakMemory(state *os.ProcessState) (bytes uint64, known bool) {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	const unit = 1024 // bytes
	return uint64(usage.Maxrss) * unit, true
}
