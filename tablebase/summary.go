package tablebase

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
)

// histogram counts values; the element of score s is uint8(s).
type histogram [256]uint64

// digest is what a block contributes to the summary of its layer. It can be
// computed for many blocks at once.
type digest struct {
	counts    histogram
	canonical []byte // the values as signed bytes
}

// of computes the digest of the values of a block. It keeps no reference to them.
func (d *digest) of(values []game.Score) {
	d.counts = histogram{}
	if cap(d.canonical) < len(values) {
		d.canonical = make([]byte, len(values))
	}
	d.canonical = d.canonical[:len(values)]
	for i, value := range values {
		d.canonical[i] = byte(value)
		d.counts[uint8(value)]++
	}
}

// summary computes the numbers of a layer that follow from its values.
type summary struct {
	hash   hash.Hash
	counts histogram // of scores
}

func newSummary() *summary { return &summary{hash: sha256.New()} }

// add adds a block. Blocks come in the order of the layer's canonical bytes: those
// of scores, then those of lows, then those of highs.
func (s *summary) add(kind solver.Kind, d *digest) {
	_, _ = s.hash.Write(d.canonical) // it never fails
	if kind != solver.Scores {
		return
	}
	for i, count := range d.counts {
		s.counts[i] += count
	}
}

// fill sets those fields of a manifest that the summary gives. Scores beyond the
// beans of the layer are left out, so that the histogram does not add up.
func (s *summary) fill(m *Manifest) {
	m.SHA256 = hex.EncodeToString(s.hash.Sum(nil))
	m.Histogram = make([]uint64, 2*m.Beans+1)
	m.Wins, m.Draws, m.Losses, m.ScoreSum = 0, 0, 0, 0
	for i := range m.Histogram {
		score := i - m.Beans
		count := s.counts[uint8(score)]
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
