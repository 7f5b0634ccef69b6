package tablebase

import (
	"encoding/binary"
	"errors"
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

// ReadDepths reads a block of a depth table and decodes it into dtcs, which have its
// length.
func (db *DB) ReadDepths(id format.BlockID, dtcs []game.DTC) (stamp format.Stamp, err error) {
	err = db.ViewBlock(id, func(value []byte) error {
		if err := db.codec.DecodeDepths(id, value, dtcs); err != nil {
			return err
		}
		stamp = format.StampOf(value)
		return nil
	})
	return stamp, err
}

// decodeDepthBlock reads a block of a depth table for the cache: two bytes a position,
// big-endian.
func (db *DB) decodeDepthBlock(id format.BlockID) ([]game.Score, error) {
	dtcs := make([]game.DTC, id.Positions)
	if _, err := db.ReadDepths(id, dtcs); err != nil {
		return nil, err
	}
	bytes := make([]byte, 0, 2*len(dtcs))
	for _, dtc := range dtcs {
		bytes = binary.BigEndian.AppendUint16(bytes, uint16(dtc))
	}
	return format.Scores(bytes), nil
}

// depthTable is what is known of a stored depth table.
type depthTable struct {
	manifest format.DepthManifest
	err      error  // why it can't be used; nil if it can
	table    *table // in the cache for probing
}

// DepthManifest returns the manifest of the depth table of a layer. The error wraps
// ErrNoDepths when it has not been built, ErrCorrupt or ErrVersion when it can't be used.
func (db *DB) DepthManifest(k format.Key) (format.DepthManifest, error) {
	d, err := db.depthTable(k)
	if err != nil {
		return format.DepthManifest{}, err
	}
	return d.manifest, nil
}

// depthTable returns the depth table of a layer, which can be read.
func (db *DB) depthTable(k format.Key) (*depthTable, error) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed {
		return nil, store.ErrClosed
	}
	d := db.depthTables[k]
	if d == nil {
		return nil, fmt.Errorf("%v: %w", k, format.ErrNoDepths)
	}
	if layer := db.layers[k]; d.err == nil && layer != nil && layer.err == nil && layer.manifest.SHA256 != d.manifest.Scores {
		return nil, &format.CorruptError{Key: k, Kind: solver.Depths, Block: format.ManifestBlock, Reason: "it belongs to other scores"}
	}
	return d, d.err
}

// StoredDepth returns the DTC of a position of the board from the depth table of its
// layer, if there is one. The error is that of a table that can't be read.
func (db *DB) StoredDepth(g game.Game, p game.Position) (dtc game.DTC, ok bool, err error) {
	if g.Over(p) {
		return 0, true, nil
	}
	d, err := db.depthTable(format.KeyOf(g, p.Beans()))
	if errors.Is(err, format.ErrNoDepths) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	number, at := d.table.tiling.Locate(p)
	block, err := d.table.block(number)
	if err != nil {
		return 0, false, err
	}
	return game.DTC(binary.BigEndian.Uint16(format.Bytes(block)[2*at:])), true, nil
}

// readDepthManifests finds all depth tables.
func (db *DB) readDepthManifests() error {
	keys, err := db.values.Keys([]byte{format.DepthManifestPrefix}, 0)
	if err != nil {
		return err
	}
	for _, key := range keys {
		const size = 4
		k := format.Key{}
		if len(key) == size {
			k = format.KeyOfLayer(key)
		}
		if !k.Valid() {
			continue
		}
		var m format.DepthManifest
		err := db.values.View(key, func(value []byte) (err error) {
			m, err = format.DecodeDepthManifest(k, value)
			return err
		})
		db.addDepthTable(k, m, db.Placed(err))
	}
	return nil
}

// addDepthTable makes a depth table known, or why its manifest can't be read.
func (db *DB) addDepthTable(k format.Key, m format.DepthManifest, err error) {
	d := &depthTable{manifest: m, err: err}
	if err == nil {
		d.table = db.cache.newTable(k, solver.Depths, format.NewBlocking(db.Index(k.Width), k.Beans))
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.depthTables[k] = d
}
