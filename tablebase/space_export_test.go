package tablebase

// SetFreeDisk makes a database believe that so many bytes are free on its disk when it
// begins a layer.
func (db *DB) SetFreeDisk(bytes uint64) {
	db.values = fullDisk{db.values.(writer), bytes}
}

// fullDisk is a writer on a disk with so many free bytes.
type fullDisk struct {
	writer
	bytes uint64
}

func (d fullDisk) free() (uint64, bool) { return d.bytes, true }
