package tablebase

import (
	"errors"
	"fmt"

	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

// Writer is the right to change a database. One caller has it at a time; others wait for
// it. What is written appears to readers of the DB when its manifest does.
type Writer struct {
	store.Writer
	db *DB
}

// Writer returns the right to change the database, as soon as nobody else has it. Release
// gives it back. It returns ErrReadOnly if the database is open for reading or lies in an
// exported file.
func (db *DB) Writer() (*Writer, error) {
	to, ok := db.values.(store.Writer)
	if !ok || to.ReadOnly() {
		return nil, fmt.Errorf("%w: %s is open for reading", store.ErrReadOnly, db.Dir())
	}
	db.writing.Lock()
	return &Writer{to, db}, nil
}

// Release gives the right to change the database back.
func (w *Writer) Release() { w.db.writing.Unlock() }

// Room returns an error that wraps ErrStorage unless the disk has room for this many bytes.
func (w *Writer) Room(need uint64) error { return store.Room(w.Writer, need) }

// PutLayers writes the manifests of layers whose blocks are on the disk, all at once. That
// makes the layers exist.
func (w *Writer) PutLayers(manifests ...format.Manifest) error {
	var entries []store.Entry
	for _, m := range manifests {
		value, err := m.Encode()
		if err != nil {
			return err
		}
		entries = append(entries, store.Entry{Key: format.LayerKey(format.ManifestPrefix, m.Key()), Value: value})
	}
	if err := w.Put(entries...); err != nil {
		return err
	}
	for _, m := range manifests {
		w.db.addLayer(m.Key(), m, nil)
	}
	return nil
}

// PutDepths writes the manifest of a depth table whose blocks are on the disk, which makes
// the table exist.
func (w *Writer) PutDepths(m format.DepthManifest) error {
	value, err := m.Encode()
	if err != nil {
		return err
	}
	if err := w.Put(store.Entry{Key: format.LayerKey(format.DepthManifestPrefix, m.Key()), Value: value}); err != nil {
		return err
	}
	w.db.addDepthTable(m.Key(), m, nil)
	return nil
}

// Put writes a few values, and returns when they are on the disk.
func (w *Writer) Put(entries ...store.Entry) error {
	b := &store.Batch{To: w.Writer, Entries: entries}
	for _, e := range entries {
		b.Bytes += len(e.Key) + len(e.Value)
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return w.Sync()
}

// DropLayer deletes a layer: first its manifest, so that there is never one without
// blocks.
func (w *Writer) DropLayer(k format.Key) error {
	if err := w.dropTables(k, format.ManifestPrefix, format.BlockPrefix); err != nil {
		return err
	}
	w.db.mu.Lock()
	defer w.db.mu.Unlock()
	delete(w.db.layers, k)
	return nil
}

// DropDepths deletes the depth table of a layer, if there is one.
func (w *Writer) DropDepths(k format.Key) error {
	if _, err := w.db.depthTable(k); errors.Is(err, format.ErrNoDepths) {
		return nil
	}
	if err := w.dropTables(k, format.DepthManifestPrefix, format.DepthBlockPrefix); err != nil {
		return err
	}
	w.db.mu.Lock()
	defer w.db.mu.Unlock()
	delete(w.db.depthTables, k)
	return nil
}

// dropTables deletes what has these first bytes of keys and belongs to a layer, one after
// the other.
func (w *Writer) dropTables(k format.Key, prefixes ...byte) error {
	for _, prefix := range prefixes {
		if err := w.Drop(format.LayerKey(prefix, k)); err != nil {
			return err
		}
		if err := w.Sync(); err != nil {
			return err
		}
	}
	return nil
}
