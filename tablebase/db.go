package tablebase

import "errors"

// Options are the choices of whoever opens a database.
type Options struct {
	// CacheBytes is the budget of decoded blocks that are kept for probing; 0 means
	// DefaultCacheBytes.
	CacheBytes int64
}

// DefaultCacheBytes is the budget of decoded blocks when none is given: 256 MiB.
const DefaultCacheBytes = 256 << 20

// DB is an open database. It is safe for concurrent use.
type DB struct{}

// Open opens the database in a directory for reading. Any number of processes may
// read at once, but none while another builds.
//
// It returns ErrNoDatabase when the directory is missing or empty, ErrNotDatabase
// when it holds other things, ErrVersion when it is of another format version, and
// ErrLocked when another process is building. A database whose builder was killed
// is recovered first; that needs leave to write, or gives ErrReadOnly.
func Open(dir string, o Options) (*DB, error) { return nil, errors.ErrUnsupported }

// Create opens the database in a directory for building and reading, and makes
// directory and database when they are missing. No other process can have it open
// meanwhile.
//
// Besides the errors of Open other than ErrNoDatabase, it returns ErrInUse when
// other processes are reading and ErrReadOnly when the directory cannot be
// written.
func Create(dir string, o Options) (*DB, error) { return nil, errors.ErrUnsupported }

// Close writes what is pending and releases the database. Closing twice is fine.
func (db *DB) Close() error { return nil }

// Dir returns the directory of the database, as it was given.
func (db *DB) Dir() string { return "" }

// Layers returns the manifests of all layers, ordered by key.
func (db *DB) Layers() []Manifest { return nil }

// Manifest returns the manifest of a layer. The error wraps ErrNoLayer when it has
// not been built, ErrCorrupt or ErrVersion when its manifest cannot be read.
func (db *DB) Manifest(k Key) (Manifest, error) { return Manifest{}, ErrNoLayer }
