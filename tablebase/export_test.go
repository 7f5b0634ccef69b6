package tablebase

import (
	"context"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
)

// What follows opens the inside of the package to its tests.

// BlockID names a block.
type BlockID = blockID

// NewBlockID returns the name of a block with so many positions.
func NewBlockID(k Key, kind solver.Kind, number, positions int) BlockID {
	return BlockID{Key: k, kind: kind, number: uint32(number), positions: positions}
}

// Codec encodes and decodes blocks.
type Codec struct{ codec *codec }

// NewCodec returns a codec.
func NewCodec() (Codec, error) {
	c, err := newCodec()
	return Codec{c}, err
}

// Encode returns the value of a block.
func (c Codec) Encode(id BlockID, scores []game.Score) []byte {
	var d digest
	d.of(scores)
	return c.codec.encode(id, scores, &d.counts)
}

// Decode returns the scores of a block.
func (c Codec) Decode(id BlockID, value []byte) ([]game.Score, error) {
	return c.codec.decode(id, value)
}

// CodecOf returns the codec that a value names, one of the following.
func CodecOf(value []byte) int { return int(value[5]) }

// The codecs.
const (
	CodecConstant = int(codecConstant)
	CodecRaw      = int(codecRaw)
	CodecHuff0    = int(codecHuff0)
	CodecZstd     = int(codecZstd)
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
	err = db.store.view(key, func(v []byte) error {
		value = append(value, v...)
		return nil
	})
	return value, err
}

// SetValue writes the value of a key.
func (db *DB) SetValue(key, value []byte) error {
	b := &batch{store: db.store}
	if err := b.put(key, value); err != nil {
		return err
	}
	return b.flush()
}

// DropKeys deletes the keys with a prefix.
func (db *DB) DropKeys(prefix []byte) error { return db.store.drop(prefix) }

// BlockKeys returns the keys of all blocks.
func (db *DB) BlockKeys() ([][]byte, error) { return db.store.keys([]byte{blockPrefix}, 0) }

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

// NewCache returns a cache with a table of so many positions, whose blocks come from
// decode.
func NewCache(budget int64, positions uint64, decode func(number, positions int) ([]game.Score, error)) Cache {
	c := newCache(budget, func(id blockID) ([]game.Score, error) { return decode(int(id.number), id.positions) })
	return Cache{c, c.newTable(Key{Width: game.StandardWidth}, solver.Scores, positions)}
}

// Read reads from the table.
func (c Cache) Read(first uint64, count int, buf []game.Score) ([]game.Score, error) {
	return c.table.read(first, count, buf)
}

// Bytes returns the bytes of scores in the cache, as it counts them and as they are.
func (c Cache) Bytes() (counted, actual int64) {
	for i := range c.table.slots {
		if b := c.table.slots[i].Load(); b != nil {
			actual += int64(len(b.scores))
		}
	}
	return c.cache.bytes, actual
}

// PositionsIn returns the number of positions of a block.
func PositionsIn(id BlockID) int { return id.positions }

// Impersonate makes a value, if it is long enough, begin as the value of a block
// does, with the right checksum. Codec, lattice and payload stay.
func Impersonate(value []byte, id BlockID) {
	if len(value) < blockHeaderSize {
		return
	}
	header := blockHeader{
		codec: codecTag(value[5]), base: game.Score(value[6]), shift: value[7], pack: value[8], id: id,
	}
	copy(value, header.append(nil))
	seal(value, blockChecksumAt)
}
