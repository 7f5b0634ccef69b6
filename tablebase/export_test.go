package tablebase

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/cespare/xxhash/v2"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/memory"
)

// What follows opens the inside of the package to its tests.

// BlockID names a block.
type BlockID = blockID

// NewBlockID returns the name of a block with so many positions, in rows of so many
// columns.
func NewBlockID(k Key, kind solver.Kind, number, positions, columns int) BlockID {
	return BlockID{Key: k, kind: kind, number: uint32(number), positions: positions, columns: columns}
}

// BlockOf returns the name of a block of a table.
func BlockOf(k Key, kind solver.Kind, number int) BlockID {
	return newTiling(index.New(k.Width, k.Beans), k.Beans).id(k, kind, number)
}

// PositionsIn returns the number of positions of a block.
func PositionsIn(id BlockID) int { return id.positions }

// Codec encodes and decodes blocks.
type Codec struct{ codec *codec }

// NewCodec returns a codec.
func NewCodec() Codec { return Codec{newCodec()} }

// Encode returns the value of a block. Where free is set, it may hold lower scores.
func (c Codec) Encode(id BlockID, scores []game.Score, free []bool) []byte {
	return c.codec.encode(id, scores, free)
}

// Decode returns the scores of a block.
func (c Codec) Decode(id BlockID, value []byte) ([]game.Score, error) {
	scores := make([]game.Score, id.positions)
	err := c.codec.decode(id, value, scores)
	return scores, err
}

// CodecOf returns the codec that a value names, one of the following.
func CodecOf(value []byte) int { return int(value[5]) }

// The codecs.
const (
	CodecConstant  = int(codecConstant)
	CodecPredicted = int(codecPredicted)
)

// Sizes of headers.
const (
	BlockHeaderSize    = blockHeaderSize
	ManifestHeaderSize = manifestHeaderSize
)

// SealBlock puts the right checksum into the value of a block.
func SealBlock(value []byte) { seal(value, blockChecksumAt) }

// SealManifest puts the right checksum into the value of a manifest.
func SealManifest(value []byte) { seal(value, manifestChecksumAt) }

// Impersonate makes a value, if it is long enough, begin as the value of a block
// does, with the right checksum. Codec, lattice and payload stay.
func Impersonate(value []byte, id BlockID) {
	if len(value) < blockHeaderSize {
		return
	}
	header := blockHeader{
		codec: codecTag(value[5]), base: game.Score(value[6]), shift: value[7], top: value[8], id: id,
	}
	copy(value, header.append(nil))
	seal(value, blockChecksumAt)
}

// EncodeManifest returns the value of a manifest.
func EncodeManifest(m Manifest) ([]byte, error) { return m.encode() }

// DecodeManifest returns the manifest of layer k that a value holds.
func DecodeManifest(k Key, value []byte) (Manifest, error) { return decodeManifest(k, value) }

// BlockKey returns the key of a block in the database.
func BlockKey(id BlockID) []byte { return id.key() }

// ManifestKey returns the key of a manifest in the database.
func ManifestKey(k Key) []byte { return layerKey(manifestPrefix, k) }

// Value returns a copy of the value of a key.
func (db *DB) Value(key []byte) (value []byte, err error) {
	err = db.Values().view(key, func(v []byte) error {
		value = append(value, v...)
		return nil
	})
	return value, err
}

// SetValue writes the value of a key.
func (db *DB) SetValue(key, value []byte) error {
	return db.Values().(writer).write([]entry{{key, value}})
}

// DropKeys deletes the keys with a prefix.
func (db *DB) DropKeys(prefix []byte) error { return db.Values().(writer).drop(prefix) }

// BlockKeys returns the keys of all blocks.
func (db *DB) BlockKeys() ([][]byte, error) { return db.Values().keys([]byte{blockPrefix}, 0) }

// CheckSpace returns an error unless the disk of a directory has room for so many
// bytes.
func CheckSpace(dir string, need uint64) error { return checkSpace(dir, need) }

// InOrder is inOrder with results that are numbers.
func InOrder(ctx context.Context, workers, n int, compute, take func(number int, result *int) error) error {
	return inOrder(ctx, workers, n, compute, take)
}

// Cache is a cache with one table.
type Cache struct {
	cache *cache
	table *table
}

// NewCache returns a cache with a table of a layer of the traditional board, whose
// blocks come from decode.
func NewCache(budget int64, beans int, decode func(number, positions int) ([]game.Score, error)) Cache {
	c := newCache(budget, func(id blockID) ([]game.Score, error) { return decode(int(id.number), id.positions) })
	t := newTiling(index.New(game.StandardWidth, beans), beans)
	return Cache{c, c.newTable(Key{Width: game.StandardWidth, Beans: beans}, solver.Scores, t)}
}

// Blocks returns the number of blocks of the table.
func (c Cache) Blocks() int { return c.table.tiling.blocks() }

// Block returns a block of the table.
func (c Cache) Block(number int) ([]game.Score, error) { return c.table.block(number) }

// At returns what the table holds for a position.
func (c Cache) At(p game.Position) (game.Score, error) { return c.table.at(p) }

// Bytes returns the bytes of scores in the cache, as it counts them and as they are.
func (c Cache) Bytes() (counted, actual int64) {
	for i := range c.table.slots {
		if b := c.table.slots[i].Load(); b != nil {
			actual += int64(len(b.scores))
		}
	}
	return c.cache.bytes, actual
}

// Tiling cuts a layer into blocks.
type Tiling struct{ tiling *tiling }

// NewTiling returns the tiling of a layer.
func NewTiling(x *index.Index, beans int) Tiling { return Tiling{newTiling(x, beans)} }

// Blocks returns the number of blocks.
func (t Tiling) Blocks() int { return t.tiling.blocks() }

// Area is what is in a block.
type Area struct {
	Mover, Row, Rows, Column, Columns, Positions int
}

// Area returns what is in a block.
func (t Tiling) Area(number int) Area {
	a := t.tiling.area(number)
	return Area{a.mover, a.row, a.rows, a.column, a.columns, a.positions()}
}

// Locate returns where a position is.
func (t Tiling) Locate(p game.Position) (number, at int) { return t.tiling.locate(p) }

// Flat is a table in memory.
type Flat struct{ flat *flat }

// Form is how a table is kept.
type Form = form

// The forms.
const (
	Bytewise = bytewise
	Packed   = packed
	Squeezed = squeezed
	Spilled  = spilled
)

// What a spilled table keeps in memory.
const (
	WindowPositions = windowPositions
	WindowSlots     = windowSlots
)

// NewFlat returns an empty table.
func NewFlat(beans int, positions uint64, as Form, dir string) (Flat, error) {
	f, err := newFlat(beans, positions, as, dir)
	return Flat{f}, err
}

// FlatBytes returns the memory that a table takes.
func FlatBytes(beans int, positions uint64, as Form) uint64 {
	return flatBytes(beans, positions, as)
}

// Packed reports whether two scores share a byte.
func (f Flat) Packed() bool { return f.flat.packed != nil }

// Spilled reports whether the scores are in a file.
func (f Flat) Spilled() bool { return f.flat.spill != nil }

// Write sets scores.
func (f Flat) Write(first uint64, scores []game.Score) error { return f.flat.write(first, scores) }

// Read returns scores.
func (f Flat) Read(first uint64, count int, buf []game.Score) ([]game.Score, error) {
	return f.flat.read(first, count, buf)
}

// At returns one score of a table that is not spilled.
func (f Flat) At(index uint64) game.Score { return f.flat.at(index) }

// Free gives memory and file back.
func (f Flat) Free() { f.flat.free() }

// Spilling returns options that keep layers of so many beans and more in files.
func Spilling(o BuildOptions, from int) BuildOptions {
	o.spillFrom = from
	return o
}

// Layers are the layers of a game in memory. They are a solver.Source.
type Layers struct{ *flats }

// Load brings the layers of a game up to beans that there are into a form, by parity in
// ascending order.
func (db *DB) Load(ctx context.Context, g game.Game, beans, workers int, as Form) (Layers, error) {
	var scratch memory.Block
	defer scratch.Free()
	l := &loader{
		from: db, index: index.New(g.Width(), beans), workers: workers, scratch: &scratch, lower: newFlats(g, beans),
	}
	for n := range beans + 1 {
		m, err := db.Manifest(KeyOf(g, n))
		if errors.Is(err, ErrNoLayer) {
			continue
		}
		if err == nil {
			l.lower.layers[n], err = l.load(ctx, m, as)
		}
		if err != nil {
			l.lower.free()
			return Layers{}, err
		}
	}
	return Layers{l.lower}, nil
}

// Free gives the memory back.
func (l Layers) Free() { l.free() }

// Packed returns the number of layers of which two scores share a byte.
func (l Layers) Packed() int {
	packed := 0
	for _, layer := range l.layers {
		if layer != nil && layer[solver.Scores].packed != nil {
			packed++
		}
	}
	return packed
}

// SealCheckpoint puts the right checksum into a checkpoint file that has a whole
// header.
func SealCheckpoint(state []byte) {
	var digest xxhash.Digest
	digest.Reset()
	_, _ = digest.Write(state[:checkpointChecksumAt])
	_, _ = digest.Write(state[checkpointHeaderSize:])
	binary.BigEndian.PutUint64(state[checkpointChecksumAt:], digest.Sum64())
}

// Lists returns the lists of symbols from 0 to top that every block begins with.
func Lists(top uint8) [][]byte {
	var p prediction
	p.reset(top, 1)
	lists := make([][]byte, 0, int(top)+2)
	for above := range int(top) + 2 {
		lists = append(lists, p.list(byte(above)))
	}
	return lists
}

// Follow returns the symbols that have these places, in rows of so many columns.
func Follow(places []byte, top uint8, columns int) ([]byte, bool) {
	var p prediction
	var large []byte
	places = slices.Clone(places)
	for i, place := range places {
		if place >= largePlace {
			places[i], large = largePlace, append(large, place-largePlace)
		}
	}
	symbols := make([]byte, len(places))
	ok := p.follow(places, large, symbols, top, columns)
	return symbols, ok
}

// Seal returns the seal that the blocks of a layer give.
func (db *DB) Seal(m Manifest) (string, error) {
	t := newTiling(db.Index(m.Width), m.Beans)
	seal := newSealHash()
	for kind := range m.tables() {
		for number := range t.blocks() {
			id := t.id(m.Key(), solver.Kind(kind), number)
			err := db.ViewBlock(id, func(value []byte) error {
				seal.add(stampOf(value))
				return nil
			})
			if err != nil {
				return "", err
			}
		}
	}
	return seal.text(), nil
}

// FailWrites has fail asked before each write to the database, with its number, from 0
// on; what it returns is what the system says.
func (db *DB) FailWrites(fail func(n int) error) {
	if faulty, ok := db.Values().(*faultyWriter); ok {
		db.values = faulty.writer
	}
	if fail != nil {
		db.values = &faultyWriter{db.Values().(writer), fail, -1}
	}
}

// faultyWriter is a writer whose writes fail when fail says so.
type faultyWriter struct {
	writer
	fail func(n int) error
	n    int
}

func (w *faultyWriter) next() error {
	w.n++
	return storageError("write", w.name(), w.fail(w.n))
}

func (w *faultyWriter) write(entries []entry) error {
	if err := w.next(); err != nil {
		return err
	}
	return w.writer.write(entries)
}

func (w *faultyWriter) drop(prefix []byte) error {
	if err := w.next(); err != nil {
		return err
	}
	return w.writer.drop(prefix)
}

func (w *faultyWriter) remove(keys [][]byte) error {
	if err := w.next(); err != nil {
		return err
	}
	return w.writer.remove(keys)
}

func (w *faultyWriter) sync() error {
	if err := w.next(); err != nil {
		return err
	}
	return w.writer.sync()
}

// ParseLayerKey returns the layer whose manifest has a key.
func ParseLayerKey(key []byte) (Key, bool) { return parseLayerKey(key) }

// CheckpointHeaderSize is the size of the header of a checkpoint.
const CheckpointHeaderSize = checkpointHeaderSize

// CheckpointOf returns the file that keeps these cells of a layer above nothing.
func CheckpointOf(dir string, k Key, cells []byte) []byte {
	return append(newCheckpointFile(dir, k, nil).header(solver.Mark{Sweep: 1}, cells), cells...)
}

// LoadCheckpoint returns the cells that the file in a directory keeps of a layer above
// nothing, if it does.
func LoadCheckpoint(dir string, k Key, size int) (cells []byte, ok bool, err error) {
	cells = make([]byte, size)
	_, ok, err = newCheckpointFile(dir, k, nil).Load(cells)
	return cells, ok, err
}

// SealArchive puts right checksums, as far as there are places for them, into what may be
// an archive.
func SealArchive(file []byte) {
	if len(file) < archiveHeaderSize+archiveFooterSize {
		return
	}
	seal(file[:archiveHeaderSize], archiveChecksumAt)
	body, footer := file[:len(file)-archiveFooterSize], file[len(file)-archiveFooterSize:]
	for at := archiveHeaderSize; at+recordLengthSize < len(body); {
		size := int(binary.BigEndian.Uint32(body[at:]))
		at += recordLengthSize
		if size > len(body)-at {
			break
		}
		value := body[at:][:size]
		switch {
		case bytes.HasPrefix(value, []byte(blockMagic)) && size >= blockHeaderSize:
			seal(value, blockChecksumAt)
		case bytes.HasPrefix(value, []byte(manifestMagic)) && size >= manifestHeaderSize:
			seal(value, manifestChecksumAt)
		case bytes.HasPrefix(value, []byte(archiveIndexMagic)) && size >= archiveIndexHeaderSize:
			seal(value, archiveIndexChecksumAt)
		}
		at += size
	}
	sum := sha256.Sum256(body)
	copy(footer[archiveFooterHashAt:], sum[:])
	seal(footer, archiveFooterChecksumAt)
}

// EncodeMarked returns the value of a block with the scores −beans + place·step, where a
// mark is twice the place, and 1 more where the block may hold lower scores.
func (c Codec) EncodeMarked(id BlockID, bytes []byte, step int) []byte {
	m := marks{bytes: make([]byte, len(bytes)+marksMargin), count: len(bytes)}
	copy(m.bytes, bytes)
	return c.codec.encodeMarked(id, m, step)
}

// TellPlainly returns the packed places and large ones of symbols, as prediction has them.
func TellPlainly(symbols []byte, top uint8, columns int, free []bool) (packed, large []byte) {
	var p prediction
	places := make([]byte, len(symbols))
	p.tell(slices.Clone(symbols), places, top, columns, free)
	return packPlaces(nil, nil, places)
}

// TellFew returns the same as shortlists have them. A mark is twice the place, and 1 more
// if it is free; symbol = (2·place − lowest) / 2^shift.
func TellFew(bytes []byte, lowest, shift, top uint8, columns int) (packed, large []byte) {
	m := marks{bytes: make([]byte, len(bytes)+marksMargin), count: len(bytes), lowest: lowest, shift: shift}
	copy(m.bytes, bytes)
	m.span() // sets the margin
	return new(shortlists).tell(nil, nil, m, top, columns)
}

// MostFew is the largest number of symbols that shortlists hold.
const MostFew = mostFew

// ReadFew returns the symbols of a payload, and whether there are any, as shortlists read
// them, and ReadPlainly as prediction does.
func ReadFew(payload []byte, count int, top uint8, columns int) ([]byte, bool) {
	s := newCodec().scratches.New().(*scratch) //nolint:errcheck // nothing else is made
	symbols := s.symbols[:count]
	ok := s.readPredicted(payload, symbols, top, columns)
	return symbols, ok
}

// ReadPlainly is described at ReadFew.
func ReadPlainly(payload []byte, count int, top uint8, columns int) ([]byte, bool) {
	s := newCodec().scratches.New().(*scratch) //nolint:errcheck // nothing else is made
	symbols, places := s.symbols[:count], s.places[:count]
	large, ok := s.readPlaces(payload, places)
	return symbols, ok && s.prediction.follow(places, large, symbols, top, columns)
}
