package build

import (
	"time"

	"bohnenspiel/tablebase/format"
)

// Cost is what building some layers takes, as far as can be told beforehand. Sizes
// are in bytes.
type Cost struct {
	Layers    int           // layers to be built
	Positions uint64        // positions in them
	Bytes     uint64        // disk that they take
	Kept      uint64        // further disk, taken meanwhile by the state of a layer that takes long
	Memory    uint64        // memory of the process at the peak
	Time      time.Duration // from start to end
}

// LayerCost is what building one layer takes, on top of those below it.
type LayerCost struct {
	Key format.Key
	DTC bool // whether its depths are built, not its scores
	Cost

	firstLooks bool // whether there is memory to keep the first looks
}

const (
	// baseTime is what a build of nothing takes.
	baseTime = 100 * time.Millisecond
	// databaseBytes is what a database without layers takes on the disk.
	databaseBytes = 2 << 20
)
