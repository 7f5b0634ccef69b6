package tabletest

import (
	"context"
	"errors"
	"slices"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/memory"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/store"
)

// DepthManifestKey returns the key of the manifest of a depth table.
func DepthManifestKey(k format.Key) []byte { return format.LayerKey(format.DepthManifestPrefix, k) }

// EncodeDepthManifest returns the value of a manifest.
func EncodeDepthManifest(m format.DepthManifest) ([]byte, error) { return m.Encode() }

// DecodeDepthManifest returns the manifest of a value.
func DecodeDepthManifest(k format.Key, value []byte) (format.DepthManifest, error) {
	return format.DecodeDepthManifest(k, value)
}

// DepthKeys returns the keys of the blocks and manifests of all depth tables.
func DepthKeys(db *tablebase.DB) ([][]byte, error) {
	blocks, err := db.Values().Keys([]byte{format.DepthBlockPrefix}, 0)
	if err != nil {
		return nil, err
	}
	manifests, err := db.Values().Keys([]byte{format.DepthManifestPrefix}, 0)
	return slices.Concat(blocks, manifests), err
}

// NewBlockID returns the name of a block with so many positions, in rows of so many
// columns.
func NewBlockID(k format.Key, kind solver.Kind, number, positions, columns int) format.BlockID {
	return format.BlockID{Key: k, Kind: kind, Number: uint32(number), Positions: positions, Columns: columns}
}

// BlockOf returns the name of a block of a table.
func BlockOf(k format.Key, kind solver.Kind, number int) format.BlockID {
	return format.NewBlocking(index.New(k.Width, k.Beans), k.Beans).ID(k, kind, number)
}

// SealBlock puts the right checksum into the value of a block.
func SealBlock(value []byte) { format.WriteChecksum(value, format.BlockChecksumAt) }

// SealManifest puts the right checksum into the value of a manifest.
func SealManifest(value []byte) { format.WriteChecksum(value, format.ManifestChecksumAt) }

// SealBounds puts the right checksum into kept bounds.
func SealBounds(value []byte) {
	const boundsChecksumAt = 24
	format.WriteChecksum(value, boundsChecksumAt)
}

// EncodeManifest returns the value of a manifest.
func EncodeManifest(m format.Manifest) ([]byte, error) { return m.Encode() }

// DecodeManifest returns the manifest of layer k that a value holds.
func DecodeManifest(k format.Key, value []byte) (format.Manifest, error) {
	return format.DecodeManifest(k, value)
}

// BlockKey returns the key of a block in the database.
func BlockKey(id format.BlockID) []byte { return id.StoreKey() }

// ManifestKey returns the key of a manifest in the database.
func ManifestKey(k format.Key) []byte { return format.LayerKey(format.ManifestPrefix, k) }

// Value returns a copy of the value of a key.
func Value(db *tablebase.DB, key []byte) (value []byte, err error) {
	err = db.Values().View(key, func(v []byte) error {
		value = append(value, v...)
		return nil
	})
	return value, err
}

// writer returns the directory of a database that is open for writing.
func writer(db *tablebase.DB) store.Writer {
	return db.Values().(store.Writer) //nolint:errcheck // tests open what they change for writing
}

// SetValue writes the value of a key.
func SetValue(db *tablebase.DB, key, value []byte) error {
	return writer(db).Write([]store.Entry{{Key: key, Value: value}})
}

// DropKeys deletes the keys with a prefix.
func DropKeys(db *tablebase.DB, prefix []byte) error { return writer(db).Drop(prefix) }

// BlockKeys returns the keys of all blocks.
func BlockKeys(db *tablebase.DB) ([][]byte, error) {
	return db.Values().Keys([]byte{format.BlockPrefix}, 0)
}

// Load brings the layers of a game up to beans that there are into a form, by parity in
// ascending order.
func Load(ctx context.Context, db *tablebase.DB, g game.Game, beans, workers int, as held.Form) (*held.Layers, error) {
	var scratch memory.Block
	defer scratch.Free()
	l := &held.Loader{
		From: db, Index: index.New(g.Width(), beans), Workers: workers, Scratch: &scratch, Lower: held.NewLayers(g, beans),
	}
	for n := range beans + 1 {
		m, err := db.Manifest(format.KeyOf(g, n))
		if errors.Is(err, format.ErrNoLayer) {
			continue
		}
		if err == nil {
			err = l.Load(ctx, m, as)
		}
		if err != nil {
			l.Lower.Free()
			return nil, err
		}
	}
	return l.Lower, nil
}

// Seal returns the seal that the blocks of a layer give.
func Seal(db *tablebase.DB, m format.Manifest) (string, error) {
	t := format.NewBlocking(db.Index(m.Width), m.Beans)
	tally := format.NewTally()
	for kind := range m.Tables() {
		for number := range t.Blocks() {
			id := t.ID(m.Key(), solver.Kind(kind), number)
			err := db.ViewBlock(id, func(value []byte) error {
				tally.Add(format.StampOf(value))
				return nil
			})
			if err != nil {
				return "", err
			}
		}
	}
	return tally.Stored().Seal, nil
}
