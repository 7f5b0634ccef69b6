package format

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// Head is what manifests of scores and of depths begin with.
type Head struct {
	Format    int        `json:"format"` // version of the format, see Version
	Rules     game.Rules `json:"rules"`
	Width     int        `json:"width"`
	Beans     int        `json:"beans"`
	Positions uint64     `json:"positions"`
}

// HeadOf returns the head of the manifests of a layer with this many positions.
func HeadOf(k Key, positions uint64) Head {
	return Head{Format: Version, Rules: k.Rules, Width: k.Width, Beans: k.Beans, Positions: positions}
}

// Key returns the name of the layer.
func (h Head) Key() Key { return Key{Rules: h.Rules, Width: h.Width, Beans: h.Beans} }

// Stored is what a manifest says of the blocks as they are stored: their number, and what
// their values take, headers included. Seal is the xxHash64, in hexadecimal, of the
// checksums of all blocks, 8 bytes each, in their order: those of scores, of lows, of highs.
type Stored struct {
	Blocks uint64 `json:"blocks"`
	Bytes  uint64 `json:"bytes"`
	Seal   string `json:"seal"`
}

// Made is when a table was finished, and how long it took.
type Made struct {
	Built   time.Time `json:"built"`
	Seconds float64   `json:"seconds"`
}

// MadeSince returns the making of a table that began at a time and is finished now.
func MadeSince(began time.Time) Made {
	return Made{Built: time.Now().UTC().Truncate(time.Second), Seconds: time.Since(began).Seconds()}
}

// Manifest describes a finished layer. It is stored beside the blocks of the layer
// and written after them.
type Manifest struct {
	Head
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
	Stored
	// Sweeps is the number of sweeps that solving took.
	Sweeps int `json:"sweeps"`
	Made
}

// DepthManifest describes the depth table of a layer: the DTC of each position. It is
// stored beside the blocks of the table and written after them.
type DepthManifest struct {
	Head
	// Scores is the SHA-256 of the layer whose scores the DTCs follow from.
	Scores string `json:"scores"`
	// Longest is the largest DTC that is not Endless, and LongestIndex the first
	// position that has it.
	Longest      game.DTC `json:"longest"`
	LongestIndex uint64   `json:"longestIndex"`
	// Endless counts the positions whose DTC is Endless.
	Endless uint64 `json:"endless"`
	// Histogram counts the other positions by DTC, from 0 to Longest.
	Histogram []uint64 `json:"histogram"`
	// SHA256 is the SHA-256, in hexadecimal, of the DTCs in index order, each two bytes,
	// big-endian. It depends on the game alone.
	SHA256 string `json:"sha256"`
	Stored
	Made
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

// Encode returns the value of the manifest in the database, in the form of Manifest with
// the magic "BnsD".
func (m DepthManifest) Encode() ([]byte, error) { return encodeManifest(depthMagic, m.Key(), m) }

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
	return decodeManifest[Manifest](ManifestMagic, solver.Scores, k, value)
}

// DecodeDepthManifest verifies the value of the manifest of a depth table and returns it,
// as DecodeManifest does.
func DecodeDepthManifest(k Key, value []byte) (DepthManifest, error) {
	return decodeManifest[DepthManifest](depthMagic, solver.Depths, k, value)
}

// decodeManifest verifies the value of a manifest with this magic and returns it.
func decodeManifest[M interface{ contradiction(k Key) string }](magic string, kind solver.Kind, k Key, value []byte) (m M, err error) {
	var none M
	var reason string
	if err := Verify(value, magic, ManifestHeaderSize, ManifestChecksumAt); err != nil {
		if errors.Is(err, ErrVersion) {
			return none, fmt.Errorf("manifest of %v: %w", k, err)
		}
		reason = err.Error()
	} else if err := json.Unmarshal(value[ManifestHeaderSize:], &m); err != nil {
		reason = "it is not JSON of a manifest"
	} else {
		reason = m.contradiction(k)
	}
	if reason != "" {
		return none, &CorruptError{Key: k, Kind: kind, Block: ManifestBlock, Reason: reason}
	}
	return m, nil
}

// ManifestBlock stands for the manifest in CorruptError.Block.
const ManifestBlock = -1

// contradiction says in what respect a manifest is none of layer k, or "".
func (m Manifest) contradiction(k Key) string {
	switch reason := m.Head.contradiction(k, m.Stored, m.Tables()); {
	case reason != "":
		return reason
	case m.Settled && m.Endless > 0:
		return "it holds lower bounds of scores that lean on rule 8"
	case m.Wins+m.Draws+m.Losses != m.Positions || m.Endless > m.Positions:
		return "its counts do not add up"
	case len(m.Histogram) != 2*k.Beans+1:
		return "its histogram does not fit its beans"
	}
	return noHash(m.SHA256)
}

// contradiction says in what respect a manifest is none of the depths of layer k, or "".
func (m DepthManifest) contradiction(k Key) string {
	counted := m.Endless
	for _, count := range m.Histogram {
		counted += count
	}
	switch reason := m.Head.contradiction(k, m.Stored, 1); {
	case reason != "":
		return reason
	case counted != m.Positions || m.Endless > m.Positions:
		return "its counts do not add up"
	case m.Longest > solver.MaxDTC || len(m.Histogram) != int(m.Longest)+1 || m.LongestIndex >= m.Positions:
		return "its histogram does not fit its longest"
	}
	return noHash(m.SHA256)
}

// contradiction says in what respect the head of a manifest is none of a number of tables of
// layer k, or "".
func (h Head) contradiction(k Key, s Stored, tables int) string {
	x := index.New(k.Width, k.Beans)
	switch {
	case h.Format != Version:
		return "it contradicts its own version"
	case h.Key() != k:
		return "it is of another layer"
	case h.Positions != x.Size(k.Beans) || h.Positions > index.MaxSize:
		return "its number of positions is wrong"
	case s.Blocks != uint64(tables)*uint64(NewBlocking(x, k.Beans).Blocks()):
		return "its number of blocks is wrong"
	}
	return ""
}

// noHash says so where a text is no SHA-256 in hexadecimal.
func noHash(text string) string {
	if hash, err := hex.DecodeString(text); err != nil || len(hash) != sha256.Size {
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
