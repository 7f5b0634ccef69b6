package held

import (
	"bohnenspiel/tablebase/store"
)

const (
	// BaseMemory is what a process takes besides its layers and row tables: BaseMapped,
	// and what lies on the heap, such as blocks on their way to the disk.
	BaseMemory = 160 << 20
	// BaseMapped is the part of BaseMemory that is no heap: the program, and files that
	// the database maps, as far as they are not released.
	BaseMapped = 16<<20 + 2*store.TouchedBytes
)

// MostMemory is the most bytes that layers may take when nobody says: three quarters of what
// the machine has.
func MostMemory() uint64 { return MachineMemory() / 4 * 3 }
