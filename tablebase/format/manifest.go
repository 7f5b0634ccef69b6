package format

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// Manifest describes a finished layer. It is stored beside the blocks of the layer
// and written after them.
type Manifest struct {
	Format    int        `json:"format"` // version of the layer's format, see Version
	Rules     game.Rules `json:"rules"`
	Width     int        `json:"width"`
	Beans     int        `json:"beans"`
	Positions uint64     `json:"positions"`
	// Wins, Draws and Losses count the positions with a score above, at and below 0.
	Wins   uint64 `json:"wins"`
	Draws  uint64 `json:"draws"`
	Losses uint64 `json:"losses"`
	// ScoreSum is the sum of all scores.
	ScoreSum int64 `json:"scoreSum"`
	// Endless counts the positions whose score leans on rule 8. Only where there
	// are any are lows and highs stored as well.
	Endless uint64 `json:"endless"`
	// Histogram counts the positions by score: the element of score s is
	// s+Beans, from 0 to 2·Beans.
	Histogram []uint64 `json:"histogram"`
	// SHA256 is the SHA-256, in hexadecimal, of the layer's canonical bytes: the
	// scores as signed bytes in index order, and where Endless is above 0 all lows
	// and then all highs after them. It depends on the game alone.
	SHA256 string `json:"sha256"`
	// Settled tells that blocks hold lower bounds of the scores, which are exact
	// but where the best conversion gives the score.
	Settled bool `json:"settled"`
	// Blocks is the number of stored blocks, and Bytes what their values take,
	// headers included. Seal is the xxHash64, in hexadecimal, of the checksums of
	// all blocks, 8 bytes each, in their order: those of scores, of lows, of highs.
	Blocks uint64 `json:"blocks"`
	Bytes  uint64 `json:"bytes"`
	Seal   string `json:"seal"`
	// Sweeps is the number of sweeps that solving took.
	Sweeps int `json:"sweeps"`
	// Built is when the layer was finished, Seconds how long it took.
	Built   time.Time `json:"built"`
	Seconds float64   `json:"seconds"`
}

// Key returns the name of the layer.
func (m Manifest) Key() Key {
	return Key{Rules: m.Rules, Width: m.Width, Beans: m.Beans}
}

// Encode returns the value of the manifest in the database: a header of 16 bytes,
// then JSON. Numbers are big-endian.
//
//	offset size
//	0      4    "BnsM"
//	4      1    format version
//	5      3    zero
//	8      8    checksum: xxHash64 of bytes 0 to 7 and of all bytes after 15
func (m Manifest) Encode() ([]byte, error) { return encodeManifest(ManifestMagic, m.Key(), m) }

// encodeManifest returns the value of a manifest with this magic.
func encodeManifest(magic string, k Key, m any) ([]byte, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode manifest of %v: %w", k, err)
	}
	value := append([]byte(magic), Version, 0, 0, 0)
	value = append(value, make([]byte, ChecksumSize)...)
	value = append(value, text...)
	WriteChecksum(value, ManifestChecksumAt)
	return value, nil
}

// DecodeManifest verifies the value of a manifest and returns it. It takes any
// bytes. The error is a *CorruptError or wraps ErrVersion.
func DecodeManifest(k Key, value []byte) (Manifest, error) {
	var m Manifest
	reason, err := openManifest(ManifestMagic, k, value, &m)
	if err != nil {
		return Manifest{}, err
	}
	if reason == "" {
		reason = m.contradiction(k)
	}
	if reason != "" {
		return Manifest{}, &CorruptError{Key: k, Block: ManifestBlock, Reason: reason}
	}
	return m, nil
}

// openManifest verifies the value of a manifest and reads it into m. It returns what is
// wrong with it, or an error that wraps ErrVersion.
func openManifest(magic string, k Key, value []byte, m any) (reason string, err error) {
	if err := Verify(value, magic, ManifestHeaderSize, ManifestChecksumAt); err != nil {
		if errors.Is(err, ErrVersion) {
			return "", fmt.Errorf("manifest of %v: %w", k, err)
		}
		return err.Error(), nil
	}
	if err := json.Unmarshal(value[ManifestHeaderSize:], m); err != nil {
		return "it is not JSON of a manifest", nil
	}
	return "", nil
}

// ManifestBlock stands for the manifest in CorruptError.Block.
const ManifestBlock = -1

// contradiction says in what respect a manifest is none of layer k, or "".
func (m Manifest) contradiction(k Key) string {
	const sha256Size = 32
	hash, err := hex.DecodeString(m.SHA256)
	switch {
	case m.Format != Version:
		return "it contradicts its own version"
	case m.Key() != k:
		return "it is of another layer"
	case m.Positions != index.New(k.Width, k.Beans).Size(k.Beans) || m.Positions > index.MaxSize:
		return "its number of positions is wrong"
	case m.Blocks != uint64(m.Tables())*uint64(NewBlocking(index.New(k.Width, k.Beans), k.Beans).Blocks()):
		return "its number of blocks is wrong"
	case m.Settled && m.Endless > 0:
		return "it holds lower bounds of scores that lean on rule 8"
	case m.Wins+m.Draws+m.Losses != m.Positions || m.Endless > m.Positions:
		return "its counts do not add up"
	case len(m.Histogram) != 2*k.Beans+1:
		return "its histogram does not fit its beans"
	case err != nil || len(hash) != sha256Size:
		return "it has no SHA-256"
	}
	return ""
}

// Tables returns the number of tables that are stored: 1 or 3.
func (m Manifest) Tables() int {
	if m.Endless > 0 {
		return 3
	}
	return 1
}
