package store

import (
	"encoding/binary"
	"os"
	"sync"

	"bohnenspiel/solver"
	"bohnenspiel/tablebase/format"
)

// File is an archive that is open. Its values are the records of layers. It is safe
// for concurrent use.
type File struct {
	path   string
	layers map[format.Key]fileLayer
	order  []format.Key

	mu      sync.RWMutex // held for reading while the mapping is used
	mapping *mapping     // nil once closed
}

// fileLayer is where the records of a layer begin.
type fileLayer struct {
	manifest uint64
	blocks   []uint64 // table by table
	tables   int
}

// OpenFile opens an exported file. Errors are those of tablebase.OpenFile.
func OpenFile(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, FileFailure("open", err)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		err = FileFailure("read", err)
	case !info.Mode().IsRegular():
		err = format.ErrNotDatabase
	}
	if err != nil {
		_ = file.Close() // the first error says more
		return nil, err
	}
	a := &File{path: path, layers: make(map[format.Key]fileLayer)}
	if a.mapping, err = openMapping(file, uint64(info.Size())); err != nil {
		_ = file.Close()
		return nil, err
	}
	if err := GuardFaults(a.readIndex); err != nil {
		_ = a.mapping.close()
		return nil, err
	}
	return a, nil
}

// readIndex finds all records.
func (a *File) readIndex() error {
	size := a.mapping.size
	if size < format.ArchiveHeaderSize+format.ArchiveFooterSize {
		header, err := a.mapping.at(0, min(size, format.ArchiveHeaderSize))
		if err == nil {
			if _, err = format.ParseArchiveHeader(header); err == nil {
				err = format.BadArchive("end", format.ErrCut)
			}
		}
		return err
	}
	header, err := a.mapping.at(0, format.ArchiveHeaderSize)
	if err != nil {
		return err
	}
	last, err := format.ParseArchiveHeader(header)
	if err != nil {
		return err
	}
	footer, err := a.mapping.at(size-format.ArchiveFooterSize, format.ArchiveFooterSize)
	if err != nil {
		return err
	}
	begin, _, err := format.ParseArchiveFooter(footer)
	if err != nil {
		return err
	}
	if begin < format.ArchiveHeaderSize || begin > size-format.ArchiveFooterSize {
		return format.BadArchive("end", format.ErrCut)
	}
	value, err := a.record(begin, size-format.ArchiveFooterSize-begin)
	if err != nil {
		return err
	}
	offsets, err := format.ParseArchiveIndex(value)
	if err != nil {
		return err
	}
	at := uint64(format.ArchiveHeaderSize)
	for i, offset := range offsets {
		if offset < at || i == 0 && offset != at || offset+format.RecordLengthSize > begin {
			return format.BadArchive("index", format.ErrShort)
		}
		at = offset + format.RecordLengthSize
	}
	for _, key := range last.Chain() {
		if offsets, err = a.addLayer(key, offsets); err != nil {
			return err
		}
	}
	if len(offsets) > 0 {
		return format.BadArchive("index", format.ErrNoSuchLayer)
	}
	return nil
}

// addLayer takes the records of a layer, whose manifest comes first, and returns the
// rest.
func (a *File) addLayer(key format.Key, offsets []uint64) (rest []uint64, err error) {
	if len(offsets) == 0 {
		return nil, format.BadArchive("index", format.ErrShort)
	}
	value, err := a.record(offsets[0], format.MaxManifestSize)
	if err != nil {
		return nil, err
	}
	m, err := format.DecodeManifest(key, value)
	if err != nil {
		return nil, err
	}
	if uint64(len(offsets)-1) < m.Blocks {
		return nil, format.BadArchive("index", format.ErrShort)
	}
	a.layers[key] = fileLayer{manifest: offsets[0], blocks: offsets[1 : 1+m.Blocks], tables: m.Tables()}
	a.order = append(a.order, key)
	return offsets[1+m.Blocks:], nil
}

// record returns the value of the record at an offset, which takes at most this many bytes
// together with its length.
func (a *File) record(offset, most uint64) ([]byte, error) {
	length, err := a.mapping.at(offset, format.RecordLengthSize)
	if err != nil {
		return nil, err
	}
	size := uint64(binary.BigEndian.Uint32(length))
	if size+format.RecordLengthSize > most {
		return nil, format.BadArchive("record", format.ErrCut)
	}
	return a.mapping.at(offset+format.RecordLengthSize, size)
}

// View implements values. Keys are those of format.go.
func (a *File) View(key []byte, f func(value []byte) error) error {
	a.mu.RLock()
	defer a.mu.RUnlock()
	if a.mapping == nil {
		return ErrClosed
	}
	return GuardFaults(func() error {
		offset, most, ok := a.locate(key)
		if !ok {
			return ErrNoValue
		}
		value, err := a.record(offset, most)
		if err != nil {
			return err
		}
		return f(value)
	})
}

// locate returns where the record of a key begins, and what it takes at most.
func (a *File) locate(key []byte) (offset, most uint64, ok bool) {
	const manifestKeySize, blockKeySize = 4, 9
	if len(key) < manifestKeySize {
		return 0, 0, false
	}
	layer, ok := a.layers[format.KeyOfLayer(key)]
	switch {
	case !ok:
		return 0, 0, false
	case key[0] == format.ManifestPrefix && len(key) == manifestKeySize:
		return layer.manifest, format.MaxManifestSize, true
	case key[0] != format.BlockPrefix || len(key) != blockKeySize:
		return 0, 0, false
	}
	kind, number := int(key[manifestKeySize]), int(binary.BigEndian.Uint32(key[manifestKeySize+1:]))
	blocks := len(layer.blocks) / layer.tables
	if kind >= layer.tables || kind > int(solver.Highs) || number >= blocks {
		return 0, 0, false
	}
	return layer.blocks[kind*blocks+number], format.MaxBlockSize, true
}

// Keys implements values. It knows those of manifests.
func (a *File) Keys(prefix []byte, limit int) ([][]byte, error) {
	var keys [][]byte
	for _, k := range a.order {
		key := format.LayerKey(format.ManifestPrefix, k)
		if len(prefix) <= len(key) && string(key[:len(prefix)]) == string(prefix) && (limit == 0 || len(keys) < limit) {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// Trim implements values. Pages of a map that is never written go as the system likes.
func (a *File) Trim() {}

// Name implements values.
func (a *File) Name() string { return a.path }

// Close implements values.
func (a *File) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.mapping == nil {
		return nil
	}
	err := a.mapping.close()
	a.mapping = nil
	return err
}
