package tablebase

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync"

	"bohnenspiel/solver"
)

// openArchiveDB opens an archive to be probed as it is. Where the system can, it is
// mapped into memory; nothing is read but what is asked for.
//
// It returns ErrNotDatabase when the file is something else, ErrVersion when it is of
// another version, ErrCorrupt when its index or a manifest is damaged, and ErrStorage
// when it can't be read. Damage to a block is found when the block is read.
func openArchiveDB(path string, o Options) (*DB, error) {
	a, err := openArchive(path)
	if _, ok := errors.AsType[*CorruptError](err); ok {
		return nil, inArchive(err, path)
	}
	if errors.Is(err, ErrNotDatabase) {
		return nil, fmt.Errorf("%w: %s is a file that bohnenspiel has not exported; name a directory", ErrNotDatabase, path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	db, err := newDB(a, o)
	if err != nil {
		_ = a.close() // the first error says more
	}
	return db, err
}

// archive is an archive that is open. Its values are the records of layers. It is safe
// for concurrent use.
type archive struct {
	path   string
	layers map[Key]archiveLayer
	order  []Key

	mu      sync.RWMutex // held for reading while the mapping is used
	mapping *mapping     // nil once closed
}

// archiveLayer is where the records of a layer begin.
type archiveLayer struct {
	manifest uint64
	blocks   []uint64 // table by table
	tables   int
}

func openArchive(path string) (*archive, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, archiveFault("open", err)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		err = archiveFault("read", err)
	case !info.Mode().IsRegular():
		err = ErrNotDatabase
	}
	if err != nil {
		_ = file.Close() // the first error says more
		return nil, err
	}
	a := &archive{path: path, layers: make(map[Key]archiveLayer)}
	if a.mapping, err = openMapping(file, uint64(info.Size())); err != nil {
		_ = file.Close()
		return nil, err
	}
	if err := guardFaults(a.readIndex); err != nil {
		_ = a.mapping.close()
		return nil, err
	}
	return a, nil
}

// archiveFault returns the error for a file that the system fails to read.
func archiveFault(doing string, err error) error {
	if cause := systemCause(err); cause != 0 {
		err = cause
	} else if errors.Is(err, os.ErrNotExist) {
		err = os.ErrNotExist
	}
	return fmt.Errorf("%w: cannot %s it: %w", ErrStorage, doing, err)
}

// readIndex finds all records.
func (a *archive) readIndex() error {
	size := a.mapping.size
	if size < archiveHeaderSize+archiveFooterSize {
		header, err := a.mapping.at(0, min(size, archiveHeaderSize))
		if err == nil {
			if _, err = parseArchiveHeader(header); err == nil {
				err = badArchive("end", errCut)
			}
		}
		return err
	}
	header, err := a.mapping.at(0, archiveHeaderSize)
	if err != nil {
		return err
	}
	last, err := parseArchiveHeader(header)
	if err != nil {
		return err
	}
	footer, err := a.mapping.at(size-archiveFooterSize, archiveFooterSize)
	if err != nil {
		return err
	}
	begin, _, err := parseArchiveFooter(footer)
	if err != nil {
		return err
	}
	if begin < archiveHeaderSize || begin > size-archiveFooterSize {
		return badArchive("end", errCut)
	}
	value, err := a.record(begin, size-archiveFooterSize-begin)
	if err != nil {
		return err
	}
	offsets, err := parseArchiveIndex(value)
	if err != nil {
		return err
	}
	at := uint64(archiveHeaderSize)
	for i, offset := range offsets {
		if offset < at || i == 0 && offset != at || offset+recordLengthSize > begin {
			return badArchive("index", errShort)
		}
		at = offset + recordLengthSize
	}
	for _, key := range last.chain() {
		if offsets, err = a.addLayer(key, offsets); err != nil {
			return err
		}
	}
	if len(offsets) > 0 {
		return badArchive("index", errNoSuchLayer)
	}
	return nil
}

// addLayer takes the records of a layer, whose manifest comes first, and returns the
// rest.
func (a *archive) addLayer(key Key, offsets []uint64) (rest []uint64, err error) {
	if len(offsets) == 0 {
		return nil, badArchive("index", errShort)
	}
	value, err := a.record(offsets[0], maxManifestSize)
	if err != nil {
		return nil, err
	}
	m, err := decodeManifest(key, value)
	if err != nil {
		return nil, err
	}
	if uint64(len(offsets)-1) < m.Blocks {
		return nil, badArchive("index", errShort)
	}
	a.layers[key] = archiveLayer{manifest: offsets[0], blocks: offsets[1 : 1+m.Blocks], tables: m.tables()}
	a.order = append(a.order, key)
	return offsets[1+m.Blocks:], nil
}

// record returns the value of the record at an offset, which takes at most so many bytes
// together with its length.
func (a *archive) record(offset, most uint64) ([]byte, error) {
	length, err := a.mapping.at(offset, recordLengthSize)
	if err != nil {
		return nil, err
	}
	size := uint64(binary.BigEndian.Uint32(length))
	if size+recordLengthSize > most {
		return nil, badArchive("record", errCut)
	}
	return a.mapping.at(offset+recordLengthSize, size)
}

// view implements values. Keys are those of format.go.
func (a *archive) view(key []byte, f func(value []byte) error) error {
	a.mu.RLock()
	defer a.mu.RUnlock()
	if a.mapping == nil {
		return ErrClosed
	}
	return guardFaults(func() error {
		offset, most, ok := a.locate(key)
		if !ok {
			return errNoValue
		}
		value, err := a.record(offset, most)
		if err != nil {
			return err
		}
		return f(value)
	})
}

// locate returns where the record of a key begins, and what it takes at most.
func (a *archive) locate(key []byte) (offset, most uint64, ok bool) {
	const manifestKeySize, blockKeySize = 4, 9
	if len(key) < manifestKeySize {
		return 0, 0, false
	}
	layer, ok := a.layers[keyOfLayer(key)]
	switch {
	case !ok:
		return 0, 0, false
	case key[0] == manifestPrefix && len(key) == manifestKeySize:
		return layer.manifest, maxManifestSize, true
	case key[0] != blockPrefix || len(key) != blockKeySize:
		return 0, 0, false
	}
	kind, number := int(key[manifestKeySize]), int(binary.BigEndian.Uint32(key[manifestKeySize+1:]))
	blocks := len(layer.blocks) / layer.tables
	if kind >= layer.tables || kind > int(solver.Highs) || number >= blocks {
		return 0, 0, false
	}
	return layer.blocks[kind*blocks+number], maxBlockSize, true
}

// keys implements values. It knows those of manifests.
func (a *archive) keys(prefix []byte, limit int) ([][]byte, error) {
	var keys [][]byte
	for _, k := range a.order {
		key := layerKey(manifestPrefix, k)
		if len(prefix) <= len(key) && string(key[:len(prefix)]) == string(prefix) && (limit == 0 || len(keys) < limit) {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// trim implements values. Pages of a map that is never written go as the system likes.
func (a *archive) trim() {}

// name implements values.
func (a *archive) name() string { return a.path }

// close implements values.
func (a *archive) close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.mapping == nil {
		return nil
	}
	err := a.mapping.close()
	a.mapping = nil
	return err
}
