package format

import (
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
//	'k' rules width beans rows          bounds of a position above the tables, see package proof
//
// Rules are 0 for Bohnenspiel and 1 for Mangala, kinds 0 for scores, 1 for lows, 2
// for highs, 3 for depths. Type Blocking says which positions a block holds. Lows and highs are there
// only when some position of the layer leans on rule 8.
//
// Form. Where nothing leans on rule 8, neither in the layer nor below, its blocks
// hold lower bounds: the score of a position is the larger of what the block holds and
// of what its best conversion gives, and −beans where play is over. The manifest
// says so. Elsewhere blocks hold the scores themselves.
//
// While a layer that takes long is in work there is a file of our own beside Badger's,
// see package build.
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
