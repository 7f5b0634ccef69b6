package archive

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"

	"bohnenspiel/solver"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
)

// Progress is how far an export or an import is.
type Progress struct {
	Key         format.Key
	Done, Total uint64 // blocks of all layers
}

// Export writes a layer, and those below it that it needs, as an archive. Every block is
// verified on the way. The bytes depend on the game alone, not on who built the layers
// and how. Report, if not nil, is called from time to time.
//
// The error wraps ErrNoLayer when one of the layers has not been built, ErrCorrupt when
// a block is damaged; else it is the context's, or that of w. What has been written then
// is of no use.
func Export(ctx context.Context, db *tablebase.DB, w io.Writer, last format.Key, report func(Progress)) error {
	if !last.Valid() {
		return fmt.Errorf("%v: %w", last, format.ErrNoLayer)
	}
	var manifests []format.Manifest
	progress := Progress{}
	for _, key := range last.Chain() {
		m, err := db.Manifest(key)
		if err != nil {
			return err
		}
		manifests = append(manifests, m)
		progress.Total += m.Blocks
	}
	a := newArchiveWriter(w)
	a.write(format.ArchiveHeader(last))
	for _, m := range manifests {
		value, err := m.Timeless().Encode()
		if err != nil {
			return err
		}
		a.record(value)
		progress.Key = m.Key()
		err = exportBlocks(ctx, db, a, m, func() {
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
func exportBlocks(ctx context.Context, db *tablebase.DB, a *archiveWriter, m format.Manifest, done func()) error {
	t := format.NewBlocking(db.Index(m.Width), m.Beans)
	tally := format.NewTally()
	for kind := range m.Tables() {
		for number := range t.Blocks() {
			if err := ctx.Err(); err != nil {
				return err
			}
			id := t.ID(m.Key(), solver.Kind(kind), number)
			err := db.ViewBlock(id, func(value []byte) error {
				if err := format.VerifyBlock(value, id); err != nil {
					return err
				}
				tally.Add(format.StampOf(value))
				a.record(value)
				return a.err
			})
			if err != nil {
				return err
			}
			db.Values().Trim()
			done()
		}
	}
	if tally.Stored() != m.Stored {
		return otherBlocks(db, m.Key())
	}
	return nil
}

// otherBlocks returns the error for a layer whose blocks are sound one by one, but not
// those of its manifest.
func otherBlocks(db *tablebase.DB, k format.Key) error {
	return db.Placed(&format.CorruptError{Key: k, Block: format.ManifestBlock, Reason: "the blocks are not those that it was written for"})
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
	a.record(format.ArchiveIndex(a.offsets))
	a.write(format.ArchiveFooter(index, a.hash.Sum(nil)))
	if a.err != nil {
		return a.err
	}
	return a.out.Flush()
}
