package tablebase

import (
	"errors"
	"slices"
)

// Repair deletes the layers of a report that are bad themselves, so that Build makes
// them again, and returns their keys. A layer that could not be checked because of one
// below it stays: check it again when that one has been built. The error is that of
// Build on a database from Open, or wraps ErrStorage. Where the depth table of a layer is
// bad alone, its scores stay, and BuildDepths makes the table again. Bad bounds are deleted
// as well; a search proves them again.
func (db *DB) Repair(report CheckReport) (dropped []Key, err error) {
	db.building.Lock()
	defer db.building.Unlock()
	if err := db.writable(); err != nil {
		return nil, err
	}
	for _, layer := range report.Layers {
		if !slices.ContainsFunc(layer.Faults, func(f Fault) bool { return f.Kind != FaultLower }) {
			continue
		}
		// Depths follow from scores, and go with them.
		if err := db.dropDepths(layer.Key); err != nil {
			return dropped, err
		}
		if !layer.DepthsOnly {
			if err := db.dropLayer(layer.Key); err != nil {
				return dropped, err
			}
		}
		dropped = append(dropped, layer.Key)
	}
	var bad [][]byte
	for _, fault := range report.Bounds.Faults {
		bad = append(bad, fault.Key)
	}
	return dropped, db.store.remove(bad)
}

// dropLayer deletes a layer: first its manifest, so that there is never one without
// blocks.
func (db *DB) dropLayer(k Key) error {
	if err := db.dropTables(k, manifestPrefix, blockPrefix); err != nil {
		return err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	delete(db.layers, k)
	return nil
}

// dropDepths deletes the depth table of a layer, if there is one.
func (db *DB) dropDepths(k Key) error {
	if _, err := db.depthTable(k); errors.Is(err, ErrNoDepths) {
		return nil
	}
	if err := db.dropTables(k, depthManifestPrefix, depthBlockPrefix); err != nil {
		return err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	delete(db.depthTables, k)
	return nil
}

// dropTables deletes what has these first bytes of keys and belongs to a layer, one after
// the other.
func (db *DB) dropTables(k Key, prefixes ...byte) error {
	for _, prefix := range prefixes {
		if err := db.store.drop(layerKey(prefix, k)); err != nil {
			return err
		}
		if err := db.store.sync(); err != nil {
			return err
		}
	}
	return nil
}
