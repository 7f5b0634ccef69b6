package tablebase

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"

	"bohnenspiel/solver"
)

// ExportProgress is how far an export or an import is.
type ExportProgress struct {
	Key         Key
	Done, Total uint64 // blocks of all layers
}

// Export writes a layer, and those below it that it needs, as an archive. Every block is
// verified on the way. The bytes depend on the game alone, not on who built the layers
// and how. Report, if not nil, is called from time to time.
//
// The error wraps ErrNoLayer when one of the layers has not been built, ErrCorrupt when
// a block is damaged; else it is the context's, or that of w. What has been written then
// is of no use.
func (db *DB) Export(ctx context.Context, w io.Writer, last Key, report func(ExportProgress)) error {
	if !last.valid() {
		return fmt.Errorf("%v: %w", last, ErrNoLayer)
	}
	var manifests []Manifest
	progress := ExportProgress{}
	for _, key := range last.chain() {
		m, err := db.Manifest(key)
		if err != nil {
			return err
		}
		manifests = append(manifests, m)
		progress.Total += m.Blocks
	}
	a := newArchiveWriter(w)
	a.write(archiveHeader(last))
	for _, m := range manifests {
		value, err := m.timeless().encode()
		if err != nil {
			return err
		}
		a.record(value)
		progress.Key = m.Key()
		err = db.exportBlocks(ctx, a, m, func() {
			progress.Done++
			if report != nil {
				report(progress)
			}
		})
		if err != nil {
			return err
		}
	}
	return a.finish()
}

// exportBlocks writes the blocks of a layer.
func (db *DB) exportBlocks(ctx context.Context, a *archiveWriter, m Manifest, done func()) error {
	t := newTiling(db.Index(m.Width), m.Beans)
	seal := newSealHash()
	for kind := range m.tables() {
		for number := range t.blocks() {
			if err := ctx.Err(); err != nil {
				return err
			}
			id := t.id(m.Key(), solver.Kind(kind), number)
			err := db.ViewBlock(id, func(value []byte) error {
				if _, _, err := parseBlock(value, id); err != nil {
					return err
				}
				seal.add(stampOf(value))
				a.record(value)
				return a.err
			})
			if err != nil {
				return err
			}
			db.Values().trim()
			done()
		}
	}
	if seal.text() != m.Seal {
		return db.otherBlocks(m.Key())
	}
	return nil
}

// otherBlocks returns the error for a layer whose blocks are sound one by one, but not
// those of its manifest.
func (db *DB) otherBlocks(k Key) error {
	return db.placed(&CorruptError{Key: k, Block: manifestBlock, Reason: "the blocks are not those that it was written for"})
}

// archiveWriter writes an archive. After an error it does nothing.
type archiveWriter struct {
	out     *bufio.Writer
	hash    hash.Hash
	at      uint64
	offsets []uint64 // of records
	err     error
}

func newArchiveWriter(w io.Writer) *archiveWriter {
	const buffer = 1 << 20
	return &archiveWriter{out: bufio.NewWriterSize(w, buffer), hash: sha256.New()}
}

func (a *archiveWriter) write(bytes []byte) {
	if a.err != nil {
		return
	}
	_, _ = a.hash.Write(bytes) // it never fails
	_, a.err = a.out.Write(bytes)
	a.at += uint64(len(bytes))
}

// record writes a record of a value.
func (a *archiveWriter) record(value []byte) {
	a.offsets = append(a.offsets, a.at)
	a.write(binary.BigEndian.AppendUint32(nil, uint32(len(value))))
	a.write(value)
}

// finish writes index and footer.
func (a *archiveWriter) finish() error {
	index := a.at
	a.record(archiveIndex(a.offsets))
	a.write(archiveFooter(index, a.hash.Sum(nil)))
	if a.err != nil {
		return a.err
	}
	return a.out.Flush()
}
