package database

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/dgraph-io/badger/v4"

	"bohnenspiel/tablebase/store"
)

// badgerStore is the Badger database behind a DB. What Badger returns is translated here,
// and so none of its errors leaves the package: their texts span lines and name its
// inner workings. Besides this file, only those that look at a directory before it is
// opened know Badger. A store is safe for concurrent use.
type badgerStore struct {
	dir    string
	reader bool   // whether it is open for reading alone
	path   string // of the directory, without links

	touched atomic.Int64 // bytes of the value log read or written since they were last released
	// maps is held while Badger may map and unmap its value log, which it does when it
	// writes, and while its pages are released.
	maps sync.Mutex

	// mu is held for reading while Badger is used. Closing takes it for writing,
	// since reading from a closed Badger is a memory fault.
	mu     sync.RWMutex
	badger *badger.DB // nil once closed
}

// OpenStore opens the Badger database in dir, which inspect has found to be one or, for
// writing, to be empty.
func OpenStore(dir string, readOnly bool) (store.Writer, error) {
	killed, err := preflight(dir, readOnly)
	if err != nil {
		return nil, err
	}
	if killed && readOnly {
		// Opening for writing cuts off what the builder had half written.
		if err := recoverStore(dir); err != nil {
			return nil, err
		}
	}
	db, err := openBadger(dir, readOnly)
	if err != nil {
		return nil, openError(dir, readOnly, err)
	}
	path, err := filepath.Abs(dir)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		path = "" // then pages are never released
	}
	return &badgerStore{dir: dir, reader: readOnly, path: path, badger: db}, nil
}

// recoverStore opens a database for writing once and closes it.
func recoverStore(dir string) error {
	_, err := preflight(dir, false)
	if err == nil {
		var db *badger.DB
		if db, err = openBadger(dir, false); err == nil {
			err = db.Close()
		}
	}
	err = openError(dir, false, err)
	if errors.Is(err, store.ErrReadOnly) {
		return fmt.Errorf("%w: the last build in %s was killed, and it must be opened once by someone who may write there", store.ErrReadOnly, dir)
	}
	return err
}

// openBadger opens Badger.
func openBadger(dir string, readOnly bool) (db *badger.DB, err error) {
	// Badger panics on some damaged files.
	defer func() { recoverDamage(dir, recover(), &err) }()
	return badger.Open(badgerOptions(dir).WithReadOnly(readOnly && readersShare))
}

// Close closes Badger. Closing twice is fine.
func (s *badgerStore) Close() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.badger == nil {
		return nil
	}
	defer func() { recoverDamage(s.dir, recover(), &err) }()
	err = s.badger.Close()
	s.badger = nil
	return storageError("close", s.dir, err)
}

// Name returns the directory, as it was given.
func (s *badgerStore) Name() string { return s.dir }

// ReadOnly reports whether the database is open for reading alone.
func (s *badgerStore) ReadOnly() bool { return s.reader }

// Free returns the bytes that may still be written to the disk, and whether that is known.
func (s *badgerStore) Free() (bytes uint64, known bool) { return store.FreeDisk(s.dir) }

// use calls f with Badger while it is open, and translates the error.
func (s *badgerStore) use(doing string, f func(db *badger.DB) error) error {
	return s.useBut(new(bool), doing, f)
}

// useBut is use, except that a panic passes while ours is set.
func (s *badgerStore) useBut(ours *bool, doing string, f func(db *badger.DB) error) (err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.badger == nil {
		return store.ErrClosed
	}
	defer func() {
		if !*ours {
			recoverDamage(s.dir, recover(), &err)
		}
	}()
	return store.GuardFaults(func() error { return storageError(doing, s.dir, f(s.badger)) })
}

// View calls f with the value of a key. The value is only valid meanwhile, and
// empty where Badger can't read it. The error is store.ErrNoValue, an error of the store,
// or that of f as it is. A panic of f is none of Badger's, and passes.
func (s *badgerStore) View(key []byte, f func(value []byte) error) error {
	var failed error
	ours := false
	err := s.useBut(&ours, "read", func(db *badger.DB) error {
		return db.View(func(txn *badger.Txn) error {
			item, err := txn.Get(key)
			if err != nil {
				return err
			}
			return item.Value(func(value []byte) error {
				s.touched.Add(int64(len(value)) + store.AroundBytes)
				ours = true
				failed = f(value)
				ours = false
				return nil
			})
		})
	})
	if err != nil {
		return err
	}
	return failed
}

// Keys returns all keys with a prefix, in their order, up to a limit; 0 means no
// limit.
func (s *badgerStore) Keys(prefix []byte, limit int) ([][]byte, error) {
	var keys [][]byte
	err := s.use("read", func(db *badger.DB) error {
		return db.View(func(txn *badger.Txn) error {
			it := txn.NewIterator(badger.IteratorOptions{Prefix: prefix})
			defer it.Close()
			for it.Rewind(); it.Valid() && (limit == 0 || len(keys) < limit); it.Next() {
				keys = append(keys, it.Item().KeyCopy(nil))
			}
			return nil
		})
	})
	return keys, err
}

// Drop deletes all keys with a prefix and gives back the disk that their values
// take.
func (s *badgerStore) Drop(prefix []byte) error {
	s.maps.Lock()
	defer s.maps.Unlock()
	return s.use("write", func(db *badger.DB) error {
		if err := db.DropPrefix(prefix); err != nil {
			return err
		}
		for {
			err := db.RunValueLogGC(0.5)
			if errors.Is(err, badger.ErrNoRewrite) {
				return nil
			}
			if err != nil {
				return err
			}
		}
	})
}

// Remove deletes keys, and returns when they are gone from the disk.
func (s *badgerStore) Remove(keys [][]byte) error {
	if len(keys) == 0 {
		return nil
	}
	s.maps.Lock()
	defer s.maps.Unlock()
	return s.use("write", func(db *badger.DB) error {
		writer := db.NewWriteBatch()
		defer writer.Cancel()
		for _, key := range keys {
			if err := writer.Delete(key); err != nil {
				return err
			}
		}
		if err := writer.Flush(); err != nil {
			return err
		}
		return db.Sync()
	})
}

// Sync returns when everything that was put is on the disk.
func (s *badgerStore) Sync() error {
	return s.use("write", func(db *badger.DB) error { return db.Sync() })
}

// Trim keeps the pages of the value log that count as memory of the process to about
// TouchedBytes, if it is called often enough.
func (s *badgerStore) Trim() {
	if s.touched.Load() < store.TouchedBytes || !s.maps.TryLock() {
		return
	}
	defer s.maps.Unlock()
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.badger == nil || s.touched.Swap(0) < store.TouchedBytes {
		return
	}
	store.ReleasePages(s.path, ".vlog")
}

// Write writes values.
func (s *badgerStore) Write(entries []store.Entry) error {
	s.maps.Lock()
	bytes := 0
	err := s.use("write", func(db *badger.DB) error {
		writer := db.NewWriteBatch()
		defer writer.Cancel()
		for _, e := range entries {
			bytes += len(e.Key) + len(e.Value)
			if err := writer.SetEntry(badger.NewEntry(e.Key, e.Value)); err != nil {
				return err
			}
		}
		return writer.Flush()
	})
	s.maps.Unlock()
	s.touched.Add(int64(bytes))
	s.Trim()
	return err
}

// makeDirectory makes a directory and those above it.
func makeDirectory(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return storageError("make", dir, err)
	}
	return nil
}
