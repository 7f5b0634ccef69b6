package tablebase

import (
	"errors"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

// What follows is for packages that build, check, export and prove: what they need to know of
// the inside of an open database.

// Keys returns the keys of all layers, those with a bad manifest among them.
func (db *DB) Keys() []format.Key {
	db.mu.RLock()
	defer db.mu.RUnlock()
	keys := make([]format.Key, 0, len(db.layers))
	for k := range db.layers {
		keys = append(keys, k)
	}
	return keys
}

// ReadBlock reads a block of scores and decodes it into scores, which have its length. It
// returns the checksum and the size of its value.
func (db *DB) ReadBlock(id format.BlockID, scores []game.Score) (format.Stamp, error) {
	return readBlock(db, id, scores, db.codec.Decode)
}

// ReadDepths reads a block of a depth table and decodes it into dtcs, as ReadBlock does.
func (db *DB) ReadDepths(id format.BlockID, dtcs []game.DTC) (format.Stamp, error) {
	return readBlock(db, id, dtcs, db.codec.DecodeDepths)
}

func readBlock[V any](db *DB, id format.BlockID, values []V, decode func(format.BlockID, []byte, []V) error) (stamp format.Stamp, err error) {
	err = db.ViewBlock(id, func(value []byte) error {
		if err := decode(id, value, values); err != nil {
			return err
		}
		stamp = format.StampOf(value)
		return nil
	})
	return stamp, err
}

// ViewBlock calls f with the value of a block, which f has to verify.
func (db *DB) ViewBlock(id format.BlockID, f func(value []byte) error) error {
	err := db.values.View(id.StoreKey(), f)
	if errors.Is(err, store.ErrNoValue) {
		err = id.Corrupt("it is missing")
	}
	return db.Placed(err)
}

// Placed has an error about a corrupt value say that it lies in an archive, if it does.
func (db *DB) Placed(err error) error {
	if db.Archived() {
		return format.InArchive(err, db.Dir())
	}
	return err
}

// Values returns what the tables are read from.
func (db *DB) Values() store.Reader { return db.values }

// Index returns the index of all layers of a board.
func (db *DB) Index(width int) *index.Index { return db.indexes[width]() }

// CacheBytes returns the budget of decoded blocks that are kept for probing.
func (db *DB) CacheBytes() int64 { return db.cache.budget }

// SpillDir returns the directory for files that come and go while layers are at work, or ""
// if there is none.
func (db *DB) SpillDir() string {
	if db.Archived() {
		return ""
	}
	return db.Dir()
}

// FreeDisk returns the bytes that may be written to the disk of the database, and whether
// that is known: it is not where there is no place for files.
func (db *DB) FreeDisk() (bytes uint64, known bool) {
	if w, ok := db.values.(store.Writer); ok {
		return w.Free()
	}
	return 0, false
}
