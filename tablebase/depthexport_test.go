package tablebase

import (
	"slices"

	"bohnenspiel/solver/game"
)

// EncodeDepths returns the value of a block of depths.
func (c Codec) EncodeDepths(id BlockID, dtcs []game.DTC) []byte {
	return c.codec.encodeDepths(id, dtcs)
}

// DecodeDepths returns the DTCs of a block.
func (c Codec) DecodeDepths(id BlockID, value []byte) ([]game.DTC, error) {
	dtcs := make([]game.DTC, id.positions)
	err := c.codec.decodeDepths(id, value, dtcs)
	return dtcs, err
}

// CodecSplit is the codec of wide blocks of depths.
const CodecSplit = int(codecSplit)

// DepthManifestKey returns the key of the manifest of a depth table.
func DepthManifestKey(k Key) []byte { return layerKey(depthManifestPrefix, k) }

// EncodeDepthManifest returns the value of a manifest.
func EncodeDepthManifest(m DepthManifest) ([]byte, error) { return m.encode() }

// DecodeDepthManifest returns the manifest of a value.
func DecodeDepthManifest(k Key, value []byte) (DepthManifest, error) {
	return decodeDepthManifest(k, value)
}

// DepthKeys returns the keys of the blocks and manifests of all depth tables.
func (db *DB) DepthKeys() ([][]byte, error) {
	blocks, err := db.Values().keys([]byte{depthBlockPrefix}, 0)
	if err != nil {
		return nil, err
	}
	manifests, err := db.Values().keys([]byte{depthManifestPrefix}, 0)
	return slices.Concat(blocks, manifests), err
}
