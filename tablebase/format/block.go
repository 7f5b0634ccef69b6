package format

import (
	"encoding/binary"
	"errors"
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
)

// BlockID names a block and says how many positions it holds.
type BlockID struct {
	Key
	Kind      solver.Kind
	Number    uint32
	Positions int // 1 to BlockPositions
	Columns   int // opponent's rows in the block; it has whole rows of this many positions
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

// Stamp is what the manifest of a layer attests of each block.
type Stamp struct {
	Bytes    int    // of the value
	Checksum uint64 // in its header
}

// StampOf returns the stamp of a verified value.
func StampOf(value []byte) Stamp {
	return Stamp{Bytes: len(value), Checksum: binary.BigEndian.Uint64(value[BlockChecksumAt:])}
}

// codecTag says how the payload of a block is coded.
type codecTag uint8
