package tablebase

import (
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
)

// tables are the tables of one layer, by kind. Where nothing leans on rule 8, all
// three are the same.
type tables [3]*table

// newTables returns the tables of a layer in a cache.
func (c *cache) newTables(m Manifest) *tables {
	var t tables
	for kind := range t {
		t[kind] = t[solver.Scores]
		if kind == int(solver.Scores) || m.Endless > 0 {
			t[kind] = c.newTable(m.Key(), solver.Kind(kind), m.Positions)
		}
	}
	return &t
}

// lean reports whether any position leans on rule 8.
func (t *tables) lean() bool { return t[solver.Lows] != t[solver.Scores] }

// source gives the stored layers of one game to package solver. It is safe for
// concurrent use as long as no layer is added.
type source struct {
	game   game.Game
	cache  *cache
	layers []*tables // by beans; nil where there is none
}

// newSource returns a source without layers, for those up to beans.
func newSource(g game.Game, beans int, c *cache) *source {
	return &source{game: g, cache: c, layers: make([]*tables, beans+1)}
}

// add makes a layer readable.
func (s *source) add(m Manifest) {
	s.layers[m.Beans] = s.cache.newTables(m)
}

// Read implements solver.Source. The error wraps ErrNoLayer, or is that of the
// store.
func (s *source) Read(kind solver.Kind, beans int, first uint64, count int, buf []game.Score) ([]game.Score, error) {
	layer := s.layers[beans]
	if layer == nil {
		return nil, fmt.Errorf("%v: %w", KeyOf(s.game, beans), ErrNoLayer)
	}
	return layer[kind].read(first, count, buf)
}

// Leans implements solver.Source. A layer that is not there leans on nothing.
func (s *source) Leans(beans int) bool {
	return s.layers[beans] != nil && s.layers[beans].lean()
}
