package tablebase

import (
	"errors"
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

// depthTable is what is known of a stored depth table.
type depthTable struct {
	manifest format.DepthManifest
	err      error            // why it can't be used; nil if it can
	table    *table[game.DTC] // in the cache for probing
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
	dtc, err = d.table.at(p)
	return dtc, err == nil, err
}

// addDepthTable makes a depth table known, or why its manifest can't be read.
func (db *DB) addDepthTable(k format.Key, m format.DepthManifest, err error) {
	d := &depthTable{manifest: m, err: err}
	if err == nil {
		d.table = newTable(db.cache, k, solver.Depths, format.NewBlocking(db.Index(k.Width), k.Beans), db.ReadDepths)
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.depthTables[k] = d
}
