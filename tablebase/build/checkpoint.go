package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

// checkpointName is the name of the file, in the directory of a database, that keeps
// the state of the layer in work.
const checkpointName = "LAYER-IN-WORK"

// checkpointFile is a solver.Checkpoint on the disk. Its file is a header of 96 bytes
// and the cells. Numbers are big-endian.
//
//	offset size
//	0      4    "BnsC"
//	4      1    format version
//	5      1    rules
//	6      1    width
//	7      1    beans
//	8      1    phase
//	9      1    1 if the phase or sweep has changed anything so far, else 0
//	10     1    0 if cells of two bytes have the low one first, else 1
//	11     1    zero
//	12     4    sweep
//	16     4    rectangle
//	20     4    zero
//	24     8    length of the cells
//	32     32   SHA-256 of the SHA-256s of the layers below, 64 hexadecimal digits each
//	64     24   zero
//	88     8    checksum: xxHash64 of bytes 0 to 87 and of the cells
//
// A file that is damaged, or of another layer or version, counts as none.
type checkpointFile struct {
	dir   string
	key   format.Key
	lower [sha256.Size]byte
	// loaded is set once a state has been loaded.
	loaded bool
}

const (
	checkpointMagic      = "BnsC"
	checkpointHeaderSize = 96
	checkpointChecksumAt = 88
	// checkpointIdentity is the size of what tells version and layer.
	checkpointIdentity = 8
)

// newCheckpointFile returns the checkpoint of a layer in a directory, above layers
// with these manifests.
func newCheckpointFile(dir string, key format.Key, below []format.Manifest) *checkpointFile {
	hash := sha256.New()
	for _, m := range below {
		_, _ = io.WriteString(hash, m.SHA256) // it never fails
	}
	return &checkpointFile{dir: dir, key: key, lower: [sha256.Size]byte(hash.Sum(nil))}
}

// path returns the file.
func (c *checkpointFile) path() string { return filepath.Join(c.dir, checkpointName) }

// size returns the bytes of the file, or 0 if there is none.
func (c *checkpointFile) size() uint64 {
	info, err := os.Stat(c.path())
	if err != nil {
		return 0
	}
	return uint64(info.Size())
}

// header returns the header of a file with this cursor and these cells.
func (c *checkpointFile) header(cursor solver.Cursor, cells []byte) []byte {
	header := make([]byte, checkpointHeaderSize)
	copy(header, checkpointMagic)
	copy(header[4:], []byte{format.Version, byte(c.key.Rules), byte(c.key.Width), byte(c.key.Beans), byte(cursor.Phase)})
	if cursor.Changed {
		header[9] = 1
	}
	header[10] = byteOrder()
	binary.BigEndian.PutUint32(header[12:], uint32(cursor.Sweep))
	binary.BigEndian.PutUint32(header[16:], uint32(cursor.Rectangle))
	binary.BigEndian.PutUint64(header[24:], uint64(len(cells)))
	copy(header[32:], c.lower[:])
	var digest xxhash.Digest
	digest.Reset()
	_, _ = digest.Write(header[:checkpointChecksumAt]) // it never fails
	_, _ = digest.Write(cells)
	binary.BigEndian.PutUint64(header[checkpointChecksumAt:], digest.Sum64())
	return header
}

// byteOrder returns 0 if the machine has the low byte of a number first, else 1. The
// cells are kept as they are in memory, so those of another machine may be of no use.
func byteOrder() byte {
	return byte(binary.NativeEndian.Uint16([]byte{0, 1}) & 1)
}

// Load implements solver.Checkpoint.
func (c *checkpointFile) Load(cells []byte) (solver.Cursor, bool, error) {
	file, err := os.Open(c.path())
	if errors.Is(err, fs.ErrNotExist) {
		return solver.Cursor{}, false, nil
	}
	if err != nil {
		return solver.Cursor{}, false, store.Failure("read", c.dir, err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	header := make([]byte, checkpointHeaderSize)
	info, err := file.Stat()
	if err != nil {
		return solver.Cursor{}, false, store.Failure("read", c.dir, err)
	}
	if info.Size() != int64(checkpointHeaderSize+len(cells)) {
		return solver.Cursor{}, false, nil
	}
	if _, err := io.ReadFull(file, header); err != nil {
		return solver.Cursor{}, false, store.Failure("read", c.dir, err)
	}
	cursor := solver.Cursor{
		Phase:     solver.Phase(header[8]),
		Sweep:     int(binary.BigEndian.Uint32(header[12:])),
		Rectangle: int(binary.BigEndian.Uint32(header[16:])),
		Changed:   header[9] == 1,
	}
	// Cells of another layer are not worth reading.
	if want := c.header(cursor, nil); !bytes.Equal(header[:checkpointIdentity], want[:checkpointIdentity]) || !bytes.Equal(header[32:64], want[32:64]) {
		return solver.Cursor{}, false, nil
	}
	if _, err := io.ReadFull(file, cells); err != nil {
		return solver.Cursor{}, false, store.Failure("read", c.dir, err)
	}
	if !bytes.Equal(header, c.header(cursor, cells)) {
		clear(cells)
		return solver.Cursor{}, false, nil
	}
	c.loaded = true
	return cursor, true, nil
}

// Save implements solver.Checkpoint. It writes a new file and then gives it the
// place of the old one.
func (c *checkpointFile) Save(cursor solver.Cursor, cells []byte) error {
	if err := store.CheckSpace(c.dir, uint64(len(cells))); err != nil {
		return err
	}
	return store.Replace(c.path(), true, func(file *os.File) error {
		if _, err := file.Write(c.header(cursor, cells)); err != nil {
			return err
		}
		_, err := file.Write(cells)
		return err
	})
}

// remove deletes the file, unless it is of another layer.
func (c *checkpointFile) remove() error {
	if key, ok := checkpointKey(c.dir); ok && key != c.key {
		return nil
	}
	return store.Discard(c.path())
}

// tidyCheckpoints deletes what earlier builds have left that serves no later one: a
// half-written file, and one that is damaged or of a layer that has been finished. The
// state of a layer that is missing stays, whatever else is built meanwhile.
func tidyCheckpoints(db *tablebase.DB) error {
	dir := db.Dir()
	path := filepath.Join(dir, checkpointName)
	if err := store.Discard(path + store.FreshSuffix); err != nil {
		return err
	}
	if key, ok := checkpointKey(dir); ok {
		if _, err := db.Manifest(key); errors.Is(err, format.ErrNoLayer) {
			return nil
		}
	}
	return store.Discard(path)
}

// checkpointKey returns the layer of which the file in a directory keeps the state, if
// there is a file that begins as it should.
func checkpointKey(dir string) (format.Key, bool) {
	file, err := os.Open(filepath.Join(dir, checkpointName))
	if err != nil {
		return format.Key{}, false
	}
	defer file.Close() //nolint:errcheck // it was only read
	header := make([]byte, checkpointIdentity)
	if _, err := io.ReadFull(file, header); err != nil {
		return format.Key{}, false
	}
	k := format.Key{Rules: game.Rules(header[5]), Width: int(header[6]), Beans: int(header[7])}
	return k, bytes.HasPrefix(header, []byte(checkpointMagic)) && header[4] == format.Version && k.Valid()
}
