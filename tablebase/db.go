package tablebase

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

// Options are the choices of whoever opens a database.
type Options struct {
	// CacheBytes is the budget of decoded blocks that are kept for probing; 0 means
	// DefaultCacheBytes.
	CacheBytes int64
	// Unlisted are layers whose blocks are there, and their manifests not yet.
	Unlisted []format.Manifest
}

// DefaultCacheBytes is the budget of decoded blocks when none is given: 256 MiB.
const DefaultCacheBytes = 256 << 20

// DB is an open database. It is safe for concurrent use.
type DB struct {
	values store.Reader
	codec  *format.Codec
	cache  *cache // for probing

	// indexes give the index of all layers of a board, by width.
	indexes [game.MaxWidth + 1]func() *index.Index

	writing sync.Mutex // held by whoever has the Writer

	mu     sync.RWMutex // guards what follows
	closed bool
	layers map[format.Key]*layer

	depthTables map[format.Key]*depthTable
}

// layer is what is known of a stored layer.
type layer struct {
	manifest format.Manifest
	err      error        // why the manifest can't be read; nil if it can
	tables   *scoreTables // in the cache for probing
}

// OpenFile opens an archive to be probed as it is. Where the system can, it is
// mapped into memory; nothing is read but what is asked for.
//
// It returns ErrNotDatabase when the file is something else, ErrVersion when it is of
// another version, ErrCorrupt when its index or a manifest is damaged, and ErrStorage
// when it can't be read. Damage to a block is found when the block is read.
func OpenFile(path string, o Options) (*DB, error) {
	a, err := store.OpenFile(path)
	if _, ok := errors.AsType[*format.CorruptError](err); ok {
		return nil, format.InArchive(err, path)
	}
	if errors.Is(err, format.ErrNotDatabase) {
		return nil, fmt.Errorf("%w: %s is a file that bohnenspiel has not exported; name a directory", format.ErrNotDatabase, path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	db, err := New(a, o)
	if err != nil {
		_ = a.Close() // the first error says more
	}
	return db, err
}

// New returns a database of these values, which stay open if there is an error.
func New(v store.Reader, o Options) (*DB, error) {
	db := &DB{values: v, codec: format.NewCodec(), layers: make(map[format.Key]*layer), depthTables: make(map[format.Key]*depthTable)}
	db.cache = newCache(cmp.Or(o.CacheBytes, DefaultCacheBytes))
	for width := game.MinWidth; width <= game.MaxWidth; width++ {
		db.indexes[width] = sync.OnceValue(func() *index.Index { return index.New(width, game.MaxBeans(width)) })
	}
	err := readManifests(db, format.ManifestPrefix, format.DecodeManifest, db.addLayer)
	if err == nil {
		err = readManifests(db, format.DepthManifestPrefix, format.DecodeDepthManifest, db.addDepthTable)
	}
	if err != nil {
		return nil, err
	}
	for _, m := range o.Unlisted {
		db.addLayer(m.Key(), m, nil)
	}
	return db, nil
}

// readManifests finds all manifests of a kind, and gives each to add, or why it can't be
// read.
func readManifests[M any](db *DB, prefix byte, decode func(format.Key, []byte) (M, error), add func(format.Key, M, error)) error {
	keys, err := db.values.Keys([]byte{prefix}, 0)
	if err != nil {
		return err
	}
	for _, key := range keys {
		k, ok := format.ParseLayerKey(prefix, key)
		if !ok {
			continue
		}
		var m M
		err := db.values.View(key, func(value []byte) (err error) {
			m, err = decode(k, value)
			return err
		})
		add(k, m, db.Placed(err))
	}
	return nil
}

// addLayer makes a layer known, or why its manifest can't be read.
func (db *DB) addLayer(k format.Key, m format.Manifest, err error) {
	l := &layer{manifest: m, err: err}
	if err == nil {
		l.tables = newScoreTables(db, m)
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.layers[k] = l
}

// Close writes what is pending and releases the database, as soon as nobody has its Writer.
// Closing twice is fine.
func (db *DB) Close() error {
	db.writing.Lock()
	defer db.writing.Unlock()
	db.mu.Lock()
	defer db.mu.Unlock()
	db.closed = true
	return db.values.Close()
}

// Dir returns the directory of the database, or the name of the archive, as it was
// given.
func (db *DB) Dir() string { return db.values.Name() }

// Archived reports whether the layers lie in a file that Export has written.
func (db *DB) Archived() bool {
	_, directory := db.values.(store.Writer)
	return !directory
}

// Layers returns the manifests of all layers that can be read, ordered by key.
func (db *DB) Layers() []format.Manifest {
	db.mu.RLock()
	defer db.mu.RUnlock()
	manifests := make([]format.Manifest, 0, len(db.layers))
	for _, l := range db.layers {
		if l.err == nil {
			manifests = append(manifests, l.manifest)
		}
	}
	slices.SortFunc(manifests, func(a, b format.Manifest) int { return a.Key().Compare(b.Key()) })
	return manifests
}

// Manifest returns the manifest of a layer. The error wraps ErrNoLayer when it has
// not been built, ErrCorrupt or ErrVersion when its manifest cannot be read.
func (db *DB) Manifest(k format.Key) (format.Manifest, error) {
	l, err := db.layer(k)
	if err != nil {
		return format.Manifest{}, err
	}
	return l.manifest, nil
}

// layer returns a layer whose manifest can be read.
func (db *DB) layer(k format.Key) (*layer, error) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed {
		return nil, store.ErrClosed
	}
	l := db.layers[k]
	if l == nil {
		return nil, fmt.Errorf("%v: %w", k, format.ErrNoLayer)
	}
	return l, l.err
}

// scoreTables are the tables of scores of one layer, by kind. Where nothing leans on rule 8,
// all three are the same.
type scoreTables [3]*table[game.Score]

// newScoreTables returns the tables of a layer in the cache of a database.
func newScoreTables(db *DB, m format.Manifest) *scoreTables {
	var all scoreTables
	b := format.NewBlocking(db.Index(m.Width), m.Beans)
	for kind := range all {
		all[kind] = all[solver.Scores]
		if kind < m.Tables() {
			all[kind] = newTable(db.cache, m.Key(), solver.Kind(kind), b, db.ReadBlock)
		}
	}
	return &all
}

// lean reports whether any position leans on rule 8.
func (t *scoreTables) lean() bool { return t[solver.Lows] != t[solver.Scores] }
