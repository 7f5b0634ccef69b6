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
)

// Options are the choices of whoever opens a database.
type Options struct {
	// CacheBytes is the budget of decoded blocks that are kept for probing; 0 means
	// DefaultCacheBytes.
	CacheBytes int64
	// Unlisted are layers whose blocks are there, and their manifests not yet.
	Unlisted []Manifest
}

// DefaultCacheBytes is the budget of decoded blocks when none is given: 256 MiB.
const DefaultCacheBytes = 256 << 20

// DB is an open database. It is safe for concurrent use.
type DB struct {
	values values
	codec  *codec
	cache  *cache // for probing

	// indexes give the index of all layers of a board, by width.
	indexes [game.MaxWidth + 1]func() *index.Index

	writing sync.Mutex // held by whoever has the Writer

	mu     sync.RWMutex // guards what follows
	closed bool
	layers map[Key]*layer

	depthTables map[Key]*depthTable
}

// layer is what is known of a stored layer.
type layer struct {
	manifest Manifest
	err      error   // why the manifest can't be read; nil if it can
	tables   *tables // in the cache for probing
}

// Open opens the database in a directory for reading. Any number of processes may
// read at once, but none while another builds. If dir is a file that Export has written,
// its layers are read from there, by any number of processes.
//
// It returns ErrNoDatabase when the directory is missing or empty, ErrNotDatabase
// when it holds other things, ErrVersion when it is of another format version, and
// ErrLocked when another process is building. A database whose builder was killed
// is recovered first; that needs leave to write, or gives ErrReadOnly.
func Open(dir string, o Options) (*DB, error) {
	if isFile(dir) {
		return openArchiveDB(dir, o)
	}
	state, err := inspect(dir)
	if err != nil {
		return nil, err
	}
	if state != directoryDatabase {
		return nil, noDatabase(dir)
	}
	return openDirectory(dir, true, o)
}

// Create opens the database in a directory for building and reading, and makes
// directory and database when they are missing. No other process can have it open
// meanwhile.
//
// Besides the errors of Open other than ErrNoDatabase, it returns ErrInUse when
// other processes are reading and ErrReadOnly when the directory cannot be
// written.
func Create(dir string, o Options) (*DB, error) {
	state, err := inspect(dir)
	if err != nil {
		return nil, err
	}
	if state == directoryMissing {
		if err := makeDirectory(dir); err != nil {
			return nil, err
		}
	}
	return openDirectory(dir, false, o)
}

func openDirectory(dir string, readOnly bool, o Options) (*DB, error) {
	if !readOnly {
		if err := checkSpace(dir, 0); err != nil {
			return nil, err
		}
	}
	store, err := openStore(dir, readOnly)
	if err != nil {
		return nil, err
	}
	db, err := newDB(store, o)
	if err != nil {
		_ = store.close() // the first error says more
	}
	return db, err
}

// newDB returns a database of these values, which stay open if there is an error.
func newDB(v values, o Options) (*DB, error) {
	db := &DB{values: v, codec: newCodec(), layers: make(map[Key]*layer), depthTables: make(map[Key]*depthTable)}
	db.cache = newCache(cmp.Or(o.CacheBytes, DefaultCacheBytes), db.decodeBlock)
	for width := game.MinWidth; width <= game.MaxWidth; width++ {
		db.indexes[width] = sync.OnceValue(func() *index.Index { return index.New(width, game.MaxBeans(width)) })
	}
	if err := db.readManifests(); err != nil {
		return nil, err
	}
	for _, m := range o.Unlisted {
		db.addLayer(m.Key(), m, nil)
	}
	return db, nil
}

// readManifests finds all layers.
func (db *DB) readManifests() error {
	keys, err := db.values.keys([]byte{manifestPrefix}, 0)
	if err != nil {
		return err
	}
	for _, key := range keys {
		k, ok := parseLayerKey(key)
		if !ok {
			continue
		}
		var m Manifest
		err := db.values.view(key, func(value []byte) (err error) {
			m, err = decodeManifest(k, value)
			return err
		})
		db.addLayer(k, m, db.placed(err))
	}
	return db.readDepthManifests()
}

// addLayer makes a layer known, or why its manifest can't be read.
func (db *DB) addLayer(k Key, m Manifest, err error) {
	l := &layer{manifest: m, err: err}
	if err == nil {
		l.tables = db.cache.newTables(m, newTiling(db.Index(k.Width), k.Beans))
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.layers[k] = l
}

// decodeBlock reads and decodes a block.
func (db *DB) decodeBlock(id blockID) ([]game.Score, error) {
	if id.kind == solver.Depths {
		return db.decodeDepthBlock(id)
	}
	scores := make([]game.Score, id.positions)
	_, err := db.ReadBlock(id, scores)
	return scores, err
}

// ReadBlock reads a block and decodes it into scores, which have its length. It
// returns the checksum and the size of its value.
func (db *DB) ReadBlock(id blockID, scores []game.Score) (stamp blockStamp, err error) {
	err = db.ViewBlock(id, func(value []byte) error {
		if err := db.codec.decode(id, value, scores); err != nil {
			return err
		}
		stamp = stampOf(value)
		return nil
	})
	return stamp, err
}

// ViewBlock calls f with the value of a block, which f has to verify.
func (db *DB) ViewBlock(id blockID, f func(value []byte) error) error {
	err := db.values.view(id.key(), f)
	if errors.Is(err, errNoValue) {
		err = id.corrupt("it is missing")
	}
	return db.placed(err)
}

// placed has an error about a corrupt value say that it lies in an archive, if it does.
func (db *DB) placed(err error) error {
	if db.Archived() {
		return inArchive(err, db.Dir())
	}
	return err
}

// Close writes what is pending and releases the database, as soon as nobody has its Writer.
// Closing twice is fine.
func (db *DB) Close() error {
	db.writing.Lock()
	defer db.writing.Unlock()
	db.mu.Lock()
	defer db.mu.Unlock()
	db.closed = true
	return db.values.close()
}

// Values returns what the tables are read from.
func (db *DB) Values() values { return db.values }

// Index returns the index of all layers of a board.
func (db *DB) Index(width int) *index.Index { return db.indexes[width]() }

// CacheBytes returns the budget of decoded blocks that are kept for probing.
func (db *DB) CacheBytes() int64 { return db.cache.budget }

// Dir returns the directory of the database, or the name of the archive, as it was
// given.
func (db *DB) Dir() string { return db.values.name() }

// Archived reports whether the layers lie in a file that Export has written.
func (db *DB) Archived() bool {
	_, directory := db.values.(writer)
	return !directory
}

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
	if w, ok := db.values.(writer); ok {
		return w.free()
	}
	return 0, false
}

// Layers returns the manifests of all layers that can be read, ordered by key.
func (db *DB) Layers() []Manifest {
	db.mu.RLock()
	defer db.mu.RUnlock()
	manifests := make([]Manifest, 0, len(db.layers))
	for _, l := range db.layers {
		if l.err == nil {
			manifests = append(manifests, l.manifest)
		}
	}
	slices.SortFunc(manifests, func(a, b Manifest) int { return a.Key().Compare(b.Key()) })
	return manifests
}

// Manifest returns the manifest of a layer. The error wraps ErrNoLayer when it has
// not been built, ErrCorrupt or ErrVersion when its manifest cannot be read.
func (db *DB) Manifest(k Key) (Manifest, error) {
	l, err := db.layer(k)
	if err != nil {
		return Manifest{}, err
	}
	return l.manifest, nil
}

// layer returns a layer whose manifest can be read.
func (db *DB) layer(k Key) (*layer, error) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed {
		return nil, ErrClosed
	}
	l := db.layers[k]
	if l == nil {
		return nil, fmt.Errorf("%v: %w", k, ErrNoLayer)
	}
	return l, l.err
}
