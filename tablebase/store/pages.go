package store

const (
	// AroundBytes is what the system maps around a value that is read.
	AroundBytes = 64 << 10
	// TouchedBytes is how much may be touched before pages are released: 32 MiB.
	TouchedBytes = 32 << 20
)
