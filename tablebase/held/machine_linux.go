package held

import (
	"math"

	"golang.org/x/sys/unix"
)

// MachineMemory returns the bytes of memory that the machine has, or a number that
// nothing exceeds where that can't be told.
func MachineMemory() uint64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return math.MaxInt64
	}
	return uint64(info.Totalram) * uint64(info.Unit) //nolint:unconvert // it has 32 bits on some machines
}
