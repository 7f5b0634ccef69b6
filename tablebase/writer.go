package tablebase

import (
	"errors"
	"fmt"
)

// Writer is the right to change a database. One caller has it at a time; others wait for
// it. What is written appears to readers of the DB when its manifest does.
type Writer struct {
	writer
	db *DB
}

// Writer returns the right to change the database, as soon as nobody else has it. Release
// gives it back. It returns ErrReadOnly if the database is open for reading or lies in an
// exported file.
func (db *DB) Writer() (*Writer, error) {
	to, ok := db.values.(writer)
	if !ok || to.readOnly() {
		return nil, fmt.Errorf("%w: %s is open for reading", ErrReadOnly, db.Dir())
	}
	db.writing.Lock()
	return &Writer{to, db}, nil
}

// Release gives the right to change the database back.
func (w *Writer) Release() { w.db.writing.Unlock() }

// DB returns the database.
func (w *Writer) DB() *DB { return w.db }

// Room returns an error that wraps ErrStorage unless the disk has room for so many bytes.
func (w *Writer) Room(need uint64) error { return room(w.writer, need) }

// PutLayers writes the manifests of layers whose blocks are on the disk, all at once. That
// makes the layers exist.
func (w *Writer) PutLayers(manifests ...Manifest) error {
	var entries []entry
	for _, m := range manifests {
		value, err := m.encode()
		if err != nil {
			return err
		}
		entries = append(entries, entry{layerKey(manifestPrefix, m.Key()), value})
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
func (w *Writer) PutDepths(m DepthManifest) error {
	value, err := m.encode()
	if err != nil {
		return err
	}
	if err := w.Put(entry{layerKey(depthManifestPrefix, m.Key()), value}); err != nil {
		return err
	}
	w.db.addDepthTable(m.Key(), m, nil)
	return nil
}

// Put writes a few values, and returns when they are on the disk.
func (w *Writer) Put(entries ...entry) error {
	b := &batch{to: w.writer, entries: entries}
	for _, e := range entries {
		b.bytes += len(e.key) + len(e.value)
	}
	if err := b.flush(); err != nil {
		return err
	}
	return w.sync()
}

// DropLayer deletes a layer: first its manifest, so that there is never one without
// blocks.
func (w *Writer) DropLayer(k Key) error {
	if err := w.dropTables(k, manifestPrefix, blockPrefix); err != nil {
		return err
	}
	w.db.mu.Lock()
	defer w.db.mu.Unlock()
	delete(w.db.layers, k)
	return nil
}

// DropDepths deletes the depth table of a layer, if there is one.
func (w *Writer) DropDepths(k Key) error {
	if _, err := w.db.depthTable(k); errors.Is(err, ErrNoDepths) {
		return nil
	}
	if err := w.dropTables(k, depthManifestPrefix, depthBlockPrefix); err != nil {
		return err
	}
	w.db.mu.Lock()
	defer w.db.mu.Unlock()
	delete(w.db.depthTables, k)
	return nil
}

// dropTables deletes what has these first bytes of keys and belongs to a layer, one after
// the other.
func (w *Writer) dropTables(k Key, prefixes ...byte) error {
	for _, prefix := range prefixes {
		if err := w.drop(layerKey(prefix, k)); err != nil {
			return err
		}
		if err := w.sync(); err != nil {
			return err
		}
	}
	return nil
}
