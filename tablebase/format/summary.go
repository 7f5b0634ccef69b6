package format

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
)

// Summary computes the numbers of a layer that follow from its values.
type Summary struct {
	hash hash.Hash
	// counts are of scores; the elements of score s are uint8(s). There are four of each, to
	// be added up, since counting up one number again and again takes longer.
	counts [4][256]uint64
}

// NewSummary returns a summary of nothing.
func NewSummary() *Summary { return &Summary{hash: sha256.New()} }

// SummaryChunk is the number of values that a summary takes at a time.
const SummaryChunk = 1 << 20

// AddTable adds all values of one kind: those of scores first, then those of lows
// and of highs. read fills dst with the values from index first on.
func (s *Summary) AddTable(ctx context.Context, kind solver.Kind, positions uint64, read func(first uint64, dst []game.Score) ([]game.Score, error)) error {
	buffer := make([]game.Score, min(positions, SummaryChunk))
	for first := uint64(0); first < positions; first += SummaryChunk {
		if err := ctx.Err(); err != nil {
			return err
		}
		values, err := read(first, buffer[:min(positions-first, SummaryChunk)])
		if err != nil {
			return err
		}
		_, _ = s.hash.Write(Bytes(values)) // it never fails
		if kind != solver.Scores {
			continue
		}
		for ; len(values) >= 4; values = values[4:] {
			s.counts[0][uint8(values[0])]++
			s.counts[1][uint8(values[1])]++
			s.counts[2][uint8(values[2])]++
			s.counts[3][uint8(values[3])]++
		}
		for _, value := range values {
			s.counts[0][uint8(value)]++
		}
	}
	return nil
}

// Fill sets those fields of a manifest that the summary gives. Scores beyond the
// beans of the layer are left out, so that the histogram does not add up.
func (s *Summary) Fill(m *Manifest) {
	m.SHA256 = hex.EncodeToString(s.hash.Sum(nil))
	m.Histogram = make([]uint64, 2*m.Beans+1)
	m.Wins, m.Draws, m.Losses, m.ScoreSum = 0, 0, 0, 0
	for i := range m.Histogram {
		score := i - m.Beans
		count := uint64(0)
		for four := range s.counts {
			count += s.counts[four][uint8(score)]
		}
		m.Histogram[i] = count
		m.ScoreSum += int64(score) * int64(count)
		switch {
		case score > 0:
			m.Wins += count
		case score < 0:
			m.Losses += count
		default:
			m.Draws += count
		}
	}
}

// DepthSummary computes the numbers of a layer that follow from its DTCs.
type DepthSummary struct {
	hash   hash.Hash
	counts [1 << 16]uint64 // by DTC
	first  [1 << 16]uint64 // index of the first position, by DTC
}

// DepthSummaryBytes is the heap that a summary takes, with its buffers.
const DepthSummaryBytes = 2*8<<16 + 4*SummaryChunk/4

// NewDepthSummary returns a summary of nothing.
func NewDepthSummary() *DepthSummary { return &DepthSummary{hash: sha256.New()} }

// Add adds all DTCs of a layer. read fills dst with those from index first on.
func (s *DepthSummary) Add(ctx context.Context, positions uint64, read func(first uint64, dst []game.DTC)) error {
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
func (s *DepthSummary) Fill(m *DepthManifest) {
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
