package format

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"time"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// DepthManifest describes the depth table of a layer: the DTC of each position. It is
// stored beside the blocks of the table and written after them.
type DepthManifest struct {
	Format    int        `json:"format"` // version of the format, see Version
	Rules     game.Rules `json:"rules"`
	Width     int        `json:"width"`
	Beans     int        `json:"beans"`
	Positions uint64     `json:"positions"`
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
	// Blocks, Bytes and Seal are those of Manifest.
	Blocks uint64 `json:"blocks"`
	Bytes  uint64 `json:"bytes"`
	Seal   string `json:"seal"`
	// Built is when the table was finished, Seconds how long it took.
	Built   time.Time `json:"built"`
	Seconds float64   `json:"seconds"`
}

// Key returns the name of the layer.
func (m DepthManifest) Key() Key {
	return Key{Rules: m.Rules, Width: m.Width, Beans: m.Beans}
}

// Encode returns the value of the manifest in the database, in the form of Manifest with
// another magic.
func (m DepthManifest) Encode() ([]byte, error) { return encodeManifest(depthMagic, m.Key(), m) }

// DecodeDepthManifest verifies the value of a manifest and returns it. It takes any
// bytes. The error is a *CorruptError or wraps ErrVersion.
func DecodeDepthManifest(k Key, value []byte) (DepthManifest, error) {
	var m DepthManifest
	reason, err := openManifest(depthMagic, k, value, &m)
	if err != nil {
		return DepthManifest{}, err
	}
	if reason == "" {
		reason = m.contradiction(k)
	}
	if reason != "" {
		return DepthManifest{}, &CorruptError{Key: k, Kind: solver.Depths, Block: ManifestBlock, Reason: reason}
	}
	return m, nil
}

// contradiction says in what respect a manifest is none of the depths of layer k, or "".
func (m DepthManifest) contradiction(k Key) string {
	x := index.New(k.Width, k.Beans)
	counted := m.Endless
	for _, count := range m.Histogram {
		counted += count
	}
	hash, err := hex.DecodeString(m.SHA256)
	switch {
	case m.Format != Version:
		return "it contradicts its own version"
	case m.Key() != k:
		return "it is of another layer"
	case m.Positions != x.Size(k.Beans) || m.Positions > index.MaxSize:
		return "its number of positions is wrong"
	case m.Blocks != uint64(NewBlocking(x, k.Beans).Blocks()):
		return "its number of blocks is wrong"
	case counted != m.Positions || m.Endless > m.Positions:
		return "its counts do not add up"
	case m.Longest > solver.MaxDTC || len(m.Histogram) != int(m.Longest)+1 || m.LongestIndex >= m.Positions:
		return "its histogram does not fit its longest"
	case err != nil || len(hash) != sha256.Size:
		return "it has no SHA-256"
	}
	return ""
}

// depthSummary computes the numbers of a layer that follow from its DTCs.
type depthSummary struct {
	hash   hash.Hash
	counts [1 << 16]uint64 // by DTC
	first  [1 << 16]uint64 // index of the first position, by DTC
}

// DepthSummaryBytes is the heap that a summary takes, with its buffers.
const DepthSummaryBytes = 2*8<<16 + 4*SummaryChunk/4

func NewDepthSummary() *depthSummary { return &depthSummary{hash: sha256.New()} }

// Add adds all DTCs of a layer. read fills dst with those from index first on.
func (s *depthSummary) Add(ctx context.Context, positions uint64, read func(first uint64, dst []game.DTC)) error {
	const chunk = SummaryChunk / 4
	buffer := make([]game.DTC, min(positions, chunk))
	bytes := make([]byte, 0, 2*len(buffer))
	for first := uint64(0); first < positions; first += chunk {
		if err := ctx.Err(); err != nil {
			return err
		}
		dtcs := buffer[:min(positions-first, chunk)]
		read(first, dtcs)
		bytes = bytes[:0]
		for i, dtc := range dtcs {
			bytes = binary.BigEndian.AppendUint16(bytes, uint16(dtc))
			if s.counts[dtc] == 0 {
				s.first[dtc] = first + uint64(i)
			}
			s.counts[dtc]++
		}
		_, _ = s.hash.Write(bytes) // it never fails
	}
	return nil
}

// Fill sets those fields of a manifest that the summary gives.
func (s *depthSummary) Fill(m *DepthManifest) {
	m.SHA256 = hex.EncodeToString(s.hash.Sum(nil))
	m.Endless = s.counts[game.Endless]
	m.Longest = 0
	for dtc := range game.Endless {
		if s.counts[dtc] > 0 {
			m.Longest = dtc
		}
	}
	m.LongestIndex = s.first[m.Longest]
	m.Histogram = append([]uint64(nil), s.counts[:m.Longest+1]...)
}
