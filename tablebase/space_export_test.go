package tablebase

// SetFreeDisk makes a database believe that so many bytes are free on its disk when it
// begins a layer.
func (db *DB) SetFreeDisk(bytes uint64) {
	db.store.free = func(string) (uint64, bool) { return bytes, true }
}
