//go:build !linux

package tablebase

import "math"

// machineMemory returns a number that nothing exceeds: how much memory the machine
// has is not known.
func machineMemory() uint64 { return math.MaxInt64 }
