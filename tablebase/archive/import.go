package archive

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"bohnenspiel/solver"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

// ImportOptions say how to import an archive.
type ImportOptions struct {
	// Workers is the number of goroutines that verify; 0 means one a processor.
	Workers int
	// Memory is the most bytes that layers may take while their hashes are recomputed; 0
	// means three quarters of what the machine has. See Options.
	Memory uint64
	// Report, if not nil, is called from time to time with how far reading is.
	Report func(Progress)
	// Verifying, if not nil, is called from time to time with how far the recomputing of
	// hashes is.
	Verifying func(check.Progress)
}

// Layer is a layer of an archive.
type Layer struct {
	Manifest format.Manifest
	Present  bool // whether the database had it already; then nothing was written
	Totals   bool // whether hash and totals were recomputed; false where memory is short
}

// Peek looks at the first bytes of what is to be imported, which stay to be read, and
// returns the error of Import if they are not those of an archive.
func Peek(in *bufio.Reader) error {
	header, err := in.Peek(format.ArchiveHeaderSize)
	switch {
	case len(header) > 0:
		_, err = format.ParseArchiveHeader(header)
		return err
	case errors.Is(err, io.EOF):
		return format.BadArchive("end", format.ErrCut)
	default:
		return store.FileFailure("read", err)
	}
}

// Import reads an archive and adds those of its layers that the database does not have.
// Before any of them is there for others it verifies each block, that the blocks are
// those of their manifests, and the hash of the whole archive; and, from what it has
// written, hash and totals of the scores, except for layers that memory is too short for.
// That scores follow from each other is for Check to find out. Reading is in one go.
//
// If there is an error, nothing is added, and what was written is deleted, at the latest
// by the next Build or Import. The error wraps ErrNotDatabase, ErrVersion or ErrCorrupt
// when the archive is not as it should be or contradicts the database or what is
// published (see [Published]), ErrStorage when it can't be read or the disk has no room;
// or it is the context's.
func Import(ctx context.Context, db *tablebase.DB, r io.Reader, o ImportOptions) ([]Layer, error) {
	w, err := db.Writer()
	if err != nil {
		return nil, err
	}
	defer w.Release()
	im := &importer{db: db, out: w, options: o, in: newArchiveReader(r)}
	layers, err := im.layers(ctx)
	if err == nil {
		err = im.verify(ctx, layers)
	}
	if err == nil {
		err = im.show(layers)
	}
	if err != nil {
		im.undo()
		return nil, err
	}
	return layers, nil
}

// theFile stands for the name of an archive that is imported, which Import does not know.
const theFile = "the file"

// importer is a run of Import.
type importer struct {
	db       *tablebase.DB
	out      *tablebase.Writer
	options  ImportOptions
	in       *archiveReader
	written  []format.Key // layers that have blocks, but no manifest yet
	progress Progress
}

// layers reads the archive and writes blocks.
func (im *importer) layers(ctx context.Context) ([]Layer, error) {
	header, err := im.in.next(format.ArchiveHeaderSize)
	if err != nil && len(header) == 0 {
		return nil, err
	}
	last, err := format.ParseArchiveHeader(header)
	if err != nil {
		return nil, err
	}
	for _, key := range last.Chain() { // as far as is known: each layer has one table or three
		im.progress.Total += uint64(im.tiling(key).Blocks())
	}
	var layers []Layer
	for _, key := range last.Chain() {
		layer, err := im.layer(ctx, key)
		if err != nil {
			return nil, err
		}
		layers = append(layers, layer)
	}
	return layers, im.in.end()
}

// tiling returns the tiling of a layer.
func (im *importer) tiling(k format.Key) *format.Blocking {
	return format.NewBlocking(im.db.Index(k.Width), k.Beans)
}

// layer reads one layer and writes its blocks, unless the database has it.
func (im *importer) layer(ctx context.Context, key format.Key) (Layer, error) {
	value, err := im.in.record(format.MaxManifestSize)
	if err != nil {
		return Layer{}, err
	}
	m, err := format.DecodeManifest(key, value)
	if err != nil {
		return Layer{}, format.InArchive(err, theFile)
	}
	layer := Layer{Manifest: m}
	have, err := im.db.Manifest(key)
	switch {
	case err == nil && have.SHA256 != m.SHA256:
		return layer, fmt.Errorf("%w: %v of the file has SHA-256 %s, that of the database %s; check both", format.ErrCorrupt, key, m.SHA256, have.SHA256)
	case err == nil:
		layer.Present = true
	case !errors.Is(err, format.ErrNoLayer):
		return layer, err
	}
	if sum, ok := format.Published(key); ok && sum != m.SHA256 {
		return layer, fmt.Errorf("%w: %v of the file has SHA-256 %s, but %s is published; don't use it", format.ErrCorrupt, key, m.SHA256, sum)
	}
	if !layer.Present {
		if err := im.out.Room(m.Bytes); err != nil {
			return layer, err
		}
		left, err := im.out.Keys(format.LayerKey(format.BlockPrefix, key), 1)
		if err == nil && len(left) > 0 { // of a build or an import that was stopped
			err = im.out.Drop(format.LayerKey(format.BlockPrefix, key))
		}
		if err != nil {
			return layer, err
		}
		im.written = append(im.written, key)
	}
	return layer, im.blocks(ctx, m, layer.Present)
}

// blocks reads the blocks of a layer and writes them unless they are present.
func (im *importer) blocks(ctx context.Context, m format.Manifest, present bool) error {
	t := im.tiling(m.Key())
	out := &store.Batch{To: im.out}
	tally := format.NewTally()
	im.progress.Key, im.progress.Total = m.Key(), im.progress.Total+m.Blocks-uint64(t.Blocks())
	for kind := range m.Tables() {
		for number := range t.Blocks() {
			if err := ctx.Err(); err != nil {
				return err
			}
			value, err := im.in.record(format.MaxBlockSize)
			if err != nil {
				return err
			}
			id := t.ID(m.Key(), solver.Kind(kind), number)
			if err := format.VerifyBlock(value, id); err != nil {
				return format.InArchive(err, theFile)
			}
			tally.Add(format.StampOf(value))
			if !present {
				if err := out.Put(id.StoreKey(), bytes.Clone(value)); err != nil {
					return err
				}
			}
			if im.progress.Done++; im.options.Report != nil {
				im.options.Report(im.progress)
			}
		}
	}
	if tally.Stored() != m.Stored {
		return format.InArchive(&format.CorruptError{Key: m.Key(), Block: format.ManifestBlock, Reason: "the blocks are not those that it was written for"}, theFile)
	}
	return out.Flush()
}

// verify recomputes hash and totals of the layers that were written, in a view of the
// database of its own, as nobody else may see them yet.
func (im *importer) verify(ctx context.Context, layers []Layer) error {
	if err := im.out.Sync(); err != nil {
		return err
	}
	options := check.Options{Level: check.Totals, Keys: []format.Key{}, Workers: im.options.Workers, Memory: im.options.Memory, Report: im.options.Verifying}
	var written []format.Manifest
	for _, layer := range layers {
		if !layer.Present {
			written = append(written, layer.Manifest)
			options.Keys = append(options.Keys, layer.Manifest.Key())
		}
	}
	trial, err := tablebase.New(im.db.Values(), tablebase.Options{CacheBytes: format.BlockPositions, Unlisted: written})
	if err != nil {
		return err
	}
	report, err := check.Run(ctx, trial, options)
	if err != nil {
		return err
	}
	for _, checked := range report.Layers {
		if len(checked.Faults) > 0 {
			return format.FaultInArchive(checked.Faults[0].Err, theFile)
		}
		for i := range layers {
			if layers[i].Manifest.Key() == checked.Key {
				layers[i].Totals = checked.Totals
			}
		}
	}
	return nil
}

// show writes the manifests of the layers that were written, which makes them exist, all
// at once.
func (im *importer) show(layers []Layer) error {
	var manifests []format.Manifest
	for i := range layers {
		if m := &layers[i].Manifest; !layers[i].Present {
			m.Built = time.Now().UTC().Truncate(time.Second)
			manifests = append(manifests, *m)
		}
	}
	return im.out.PutLayers(manifests...)
}

// undo deletes what was written, as far as that is possible: blocks without a manifest
// do no harm.
func (im *importer) undo() {
	for _, key := range im.written {
		if im.out.Drop(format.LayerKey(format.ManifestPrefix, key)) == nil {
			_ = im.out.Drop(format.LayerKey(format.BlockPrefix, key))
		}
	}
}

// archiveReader reads an archive in one go.
type archiveReader struct {
	in      *bufio.Reader
	hash    hash.Hash
	at      uint64
	offsets []uint64 // of records
	buffer  []byte
}

func newArchiveReader(r io.Reader) *archiveReader {
	const buffer = 1 << 20
	return &archiveReader{in: bufio.NewReaderSize(r, buffer), hash: sha256.New()}
}

// next returns the next bytes, which are valid until it is called again. The error wraps
// ErrCorrupt at the end of the archive, and ErrStorage if it can't be read.
func (a *archiveReader) next(size int) ([]byte, error) {
	if cap(a.buffer) < size {
		a.buffer = make([]byte, size)
	}
	n, err := io.ReadFull(a.in, a.buffer[:size])
	bytes := a.buffer[:n]
	_, _ = a.hash.Write(bytes) // it never fails
	a.at += uint64(n)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return bytes, format.BadArchive("end", format.ErrCut)
	case err != nil:
		return nil, store.FileFailure("read", err)
	}
	return bytes, nil
}

// record returns the value of the next record, which is valid until the next call.
func (a *archiveReader) record(most int) ([]byte, error) {
	a.offsets = append(a.offsets, a.at)
	length, err := a.next(format.RecordLengthSize)
	if err != nil {
		return nil, err
	}
	size := uint64(binary.BigEndian.Uint32(length))
	if size > uint64(most) {
		return nil, format.BadArchive("record", format.ErrTooLong)
	}
	return a.next(int(size))
}

// end reads index and footer, and verifies that nothing follows.
func (a *archiveReader) end() error {
	offsets := a.offsets
	begin := a.at
	value, err := a.record(format.ArchiveIndexHeaderSize + format.OffsetSize*len(offsets))
	if err != nil {
		return err
	}
	if !bytes.Equal(value, format.ArchiveIndex(offsets)) {
		return format.BadArchive("index", format.ErrChecksum)
	}
	sum := a.hash.Sum(nil)
	footer, err := a.next(format.ArchiveFooterSize)
	if err != nil {
		return err
	}
	index, hash, err := format.ParseArchiveFooter(footer)
	if err != nil {
		return err
	}
	if index != begin || !bytes.Equal(hash, sum) {
		return format.BadArchive("SHA-256", format.ErrChecksum)
	}
	if _, err := a.in.ReadByte(); !errors.Is(err, io.EOF) {
		return format.BadArchive("end", format.ErrTooLong)
	}
	return nil
}
