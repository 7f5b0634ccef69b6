//go:build !linux

package main

import "os"

// peakMemory does not know what a process took.
func peakMemory(*os.ProcessState) (bytes uint64, known bool) { return 0, false }
