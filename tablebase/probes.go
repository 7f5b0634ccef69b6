package tablebase

import (
	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase/format"
)

// probes is a solver.Source of single positions.
type probes struct {
	db    *DB
	game  game.Game
	index *index.Index
}

// Probes returns a solver.Source that probes one position at a time. It serves where
// layers do not fit in memory and few positions are asked for.
func (db *DB) Probes(g game.Game) solver.Source { return &probes{db, g, db.Index(g.Width())} }

// DepthProbes returns a solver.DepthSource that looks up one DTC of a layer at a time.
func (db *DB) DepthProbes(g game.Game, beans int) solver.DepthSource {
	return &depthProbes{db, g, db.Index(g.Width()), beans}
}

// Read implements solver.Source. Its errors are those of Probe.
func (s *probes) Read(kind solver.Kind, beans int, first uint64, count int, buf []game.Score) ([]game.Score, error) {
	buf = buf[:count]
	for i := range buf {
		value, err := s.db.Probe(s.game, s.index.Unrank(beans, first+uint64(i)))
		if err != nil {
			return nil, err
		}
		buf[i] = [...]game.Score{solver.Scores: value.Score, solver.Lows: value.Low, solver.Highs: value.High}[kind]
	}
	return buf, nil
}

// Leans implements solver.Source.
func (s *probes) Leans(beans int) bool {
	m, err := s.db.Manifest(format.KeyOf(s.game, beans))
	return err == nil && m.Endless > 0
}

// depthProbes is a solver.DepthSource of single positions of a layer.
type depthProbes struct {
	db    *DB
	game  game.Game
	index *index.Index
	beans int
}

// ReadDepth implements solver.DepthSource.
func (p *depthProbes) ReadDepth(i uint64) (game.DTC, error) {
	dtc, _, err := p.db.StoredDepth(p.game, p.index.Unrank(p.beans, i))
	return dtc, err
}
