package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
)

// Purpose. A database holds the scores of many layers so that one position costs
// a few short reads, a whole layer can be streamed, damage never goes unnoticed, and a
// build may be killed at any moment.
//
// Structure. A directory is one Badger database. Its keys, whose numbers are
// big-endian so that they sort in order:
//
//	'm' rules width beans               manifest of a layer, 4 bytes
//	'b' rules width beans kind number   block, 9 bytes, the number in the last 4
//	'd' rules width beans               manifest of the depths of a layer
//	'p' rules width beans kind number   block of depths: plies
//	'k' rules width beans rows          bounds of a position above the tables, see bounds.go
//
// Rules are 0 for Bohnenspiel and 1 for Mangala, kinds 0 for scores, 1 for lows, 2
// for highs, 3 for depths. Type tiling says which positions a block holds. Lows and highs are there
// only when some position of the layer leans on rule 8.
//
// Form. Where nothing leans on rule 8, neither in the layer nor below, its blocks
// hold lower bounds: the score of a position is the larger of what the block holds and
// of what its best conversion gives, and −beans where play is over. The manifest
// says so. Elsewhere blocks hold the scores themselves.
//
// While a layer that takes long is in work there is a file of our own beside Badger's,
// see checkpointFile.
//
// Versions. Bytes 4 and 5 of Badger's own file MANIFEST are a number for the
// program that made the database: 0xB0 and the format version here. So the
// version is known before anything is opened. Manifests and blocks repeat it.
//
//	1	blocks of 65,536 scores in index order, compressed by huff0 or zstd
//	2	blocks are parts of rectangles, hold lower bounds, and are predicted
//
// docs/format.md says the same for people who want to read a database with another
// program, and names what a new version must keep.

// Version is the version of databases, manifests and blocks that this program
// writes, and the only one it reads.
const Version = 2

// Numbers that mark a database. DatabaseMagic says that it is one of this package,
// whatever its version; ExternalMagic is the number in MANIFEST.
const (
	DatabaseMagic = 0xB0
	ExternalMagic = DatabaseMagic<<8 | Version
)

// First bytes of keys.
const (
	ManifestPrefix = 'm'
	BlockPrefix    = 'b'

	DepthManifestPrefix = 'd'
	DepthBlockPrefix    = 'p'
)

// LayerKey returns the key of a layer's manifest, or what the keys of its blocks
// begin with.
func LayerKey(prefix byte, k Key) []byte {
	return []byte{prefix, byte(k.Rules), byte(k.Width), byte(k.Beans)}
}

// ParseLayerKey is the inverse of LayerKey. It takes any bytes.
func ParseLayerKey(prefix byte, key []byte) (Key, bool) {
	if len(key) != 4 || key[0] != prefix {
		return Key{}, false
	}
	k := KeyOfLayer(key)
	return k, k.Valid()
}

// KeyOfLayer returns the layer that a key of at least four bytes names.
func KeyOfLayer(key []byte) Key {
	return Key{Rules: game.Rules(key[1]), Width: int(key[2]), Beans: int(key[3])}
}

// Valid reports whether there is such a layer.
func (k Key) Valid() bool {
	return k.Rules <= game.Mangala &&
		k.Width >= game.MinWidth && k.Width <= game.MaxWidth &&
		k.Beans >= 0 && k.Beans <= game.MaxBeans(k.Width)
}

// BlockID names a block and says how many positions it holds.
type BlockID struct {
	Key
	Kind      solver.Kind
	Number    uint32
	Positions int // 1 to BlockPositions
	Columns   int // opponent's rows in the block; it has whole rows of so many positions
}

// StoreKey returns the block's key in the database.
func (id BlockID) StoreKey() []byte {
	prefix := byte(BlockPrefix)
	if id.Kind == solver.Depths {
		prefix = DepthBlockPrefix
	}
	key := append(LayerKey(prefix, id.Key), byte(id.Kind))
	return binary.BigEndian.AppendUint32(key, id.Number)
}

// Corrupt returns the error for a block whose value is wrong.
func (id BlockID) Corrupt(reason string) error {
	return &CorruptError{Key: id.Key, Kind: id.Kind, Block: int(id.Number), Reason: reason}
}

// blockHeader is the first 32 bytes of a block. Numbers are big-endian.
//
//	offset size
//	0      4    "BnsB"
//	4      1    format version
//	5      1    codec: 0 constant, 1 predicted, 2 split
//	6      1    base, signed: the lowest score
//	7      1    shift: score = base + symbol·2^shift
//	8      1    top: the largest symbol
//	9      1    kind
//	10     1    rules
//	11     1    width
//	12     1    beans
//	13     1    zero
//	14     2    columns
//	16     4    number of the block
//	20     4    positions
//	24     8    checksum: xxHash64 of bytes 0 to 23 and of all bytes after 31
//
// The payload follows: see codec. Blocks of depths use bytes 6 and 7 otherwise, see
// EncodeDepths.
type blockHeader struct {
	codec codecTag
	base  game.Score
	shift uint8
	top   uint8
	id    BlockID
}

// Sizes and offsets of a block and of a manifest.
const (
	BlockHeaderSize    = 32
	BlockChecksumAt    = 24
	ManifestHeaderSize = 16
	ManifestChecksumAt = 8
	ChecksumSize       = 8
)

// The first bytes of a block and of a manifest.
const (
	BlockMagic    = "BnsB"
	ManifestMagic = "BnsM"
	depthMagic    = "BnsD" // of the manifest of a depth table
)

// append appends the header to dst, its checksum still zero.
func (h blockHeader) append(dst []byte) []byte {
	dst = append(dst, BlockMagic...)
	dst = append(dst, Version, byte(h.codec), byte(h.base), h.shift, h.top,
		byte(h.id.Kind), byte(h.id.Rules), byte(h.id.Width), byte(h.id.Beans), 0)
	dst = binary.BigEndian.AppendUint16(dst, uint16(h.id.Columns))
	dst = binary.BigEndian.AppendUint32(dst, h.id.Number)
	dst = binary.BigEndian.AppendUint32(dst, uint32(h.id.Positions))
	return append(dst, make([]byte, ChecksumSize)...)
}

// VerifyBlock returns an error unless a value is that of a block, as far as can be told without
// decoding it: a *CorruptError, or one that wraps ErrVersion.
func VerifyBlock(value []byte, want BlockID) error {
	_, _, err := parseBlock(value, want)
	return err
}

// parseBlock splits the value of a block into header and payload after it has
// verified everything but the payload's form. It returns an *CorruptError or, for a
// block of another version, an error that wraps ErrVersion.
func parseBlock(value []byte, want BlockID) (blockHeader, []byte, error) {
	if err := Verify(value, BlockMagic, BlockHeaderSize, BlockChecksumAt); err != nil {
		if errors.Is(err, ErrVersion) {
			return blockHeader{}, nil, fmt.Errorf("block %d of the %v of %v: %w", want.Number, want.Kind, want.Key, err)
		}
		return blockHeader{}, nil, want.Corrupt(err.Error())
	}
	h := blockHeader{
		codec: codecTag(value[5]),
		base:  game.Score(value[6]),
		shift: value[7],
		top:   value[8],
		id: BlockID{
			Key:       Key{Rules: game.Rules(value[10]), Width: int(value[11]), Beans: int(value[12])},
			Kind:      solver.Kind(value[9]),
			Number:    binary.BigEndian.Uint32(value[16:]),
			Positions: int(binary.BigEndian.Uint32(value[20:])),
			Columns:   int(binary.BigEndian.Uint16(value[14:])),
		},
	}
	if h.id != want {
		return blockHeader{}, nil, want.Corrupt("it is another block")
	}
	return h, value[BlockHeaderSize:], nil
}

// WriteChecksum writes the checksum of a value into it.
func WriteChecksum(value []byte, checksumAt int) {
	binary.BigEndian.PutUint64(value[checksumAt:], checksum(value, checksumAt))
}

// checksum returns the xxHash64 of all bytes of a value but the checksum itself.
func checksum(value []byte, at int) uint64 {
	var digest xxhash.Digest
	digest.Reset()
	_, _ = digest.Write(value[:at]) // it never fails
	_, _ = digest.Write(value[at+ChecksumSize:])
	return digest.Sum64()
}

// Stamp is what the manifest of a layer attests of each block.
type Stamp struct {
	Bytes    int    // of the value
	Checksum uint64 // in its header
}

// StampOf returns the stamp of a verified value.
func StampOf(value []byte) Stamp {
	return Stamp{Bytes: len(value), Checksum: binary.BigEndian.Uint64(value[BlockChecksumAt:])}
}

// Reasons why a value is corrupt.
var (
	errEmpty    = errors.New("it is empty")
	ErrShort    = errors.New("it is too short")
	errMagic    = errors.New("it does not begin as it should")
	ErrChecksum = errors.New("its checksum is wrong")
	ErrCut      = errors.New("it is cut off")
	ErrTooLong  = errors.New("it is too long")

	ErrNoSuchLayer = errors.New("it names no layer")
)

// Verify verifies magic, checksum and version of a value. Every version keeps magic,
// version and checksum where they are, so a damaged value is told from one of
// another version.
func Verify(value []byte, magic string, headerSize, checksumAt int) error {
	return verifyAs(value, magic, headerSize, checksumAt, Version)
}

// verifyAs is unseal for values that have versions of their own.
func verifyAs(value []byte, magic string, headerSize, checksumAt int, version byte) error {
	switch {
	case len(value) == 0:
		return errEmpty // Badger's answer when it can't read a value
	case len(value) < headerSize:
		return ErrShort
	case !bytes.HasPrefix(value, []byte(magic)):
		return errMagic
	case binary.BigEndian.Uint64(value[checksumAt:]) != checksum(value, checksumAt):
		return ErrChecksum
	case value[len(magic)] != version:
		return VersionError(int(value[len(magic)]), int(version))
	}
	return nil
}

// VersionError returns the error for data of another version than the one that is read.
func VersionError(version, read int) error {
	return fmt.Errorf("%w %d: this program reads version %d", ErrVersion, version, read)
}
