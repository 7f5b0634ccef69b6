package search_test

import (
	"context"
	"testing"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// solved holds the scores of layers of a game, by beans; nil where there are none.
type solved struct {
	game   game.Game
	index  *index.Index
	layers []*solver.Layer
	scores [][]game.Score
}

// Read implements solver.Source.
func (s *solved) Read(kind solver.Kind, beans int, first uint64, count int, buf []game.Score) ([]game.Score, error) {
	s.layers[beans].Copy(kind, first, buf[:count])
	return buf[:count], nil
}

// Leans implements solver.Source.
func (s *solved) Leans(beans int) bool { return s.layers[beans].Leaning() > 0 }

// solveLayers solves the layers of a game up to beans, of the parity of beans alone
// where that is wanted.
func solveLayers(tb testing.TB, g game.Game, beans int, both bool) *solved {
	tb.Helper()
	s := &solved{
		game: g, index: index.New(g.Width(), beans),
		layers: make([]*solver.Layer, beans+1), scores: make([][]game.Score, beans+1),
	}
	for n := range beans + 1 {
		if !both && (beans-n)%2 != 0 {
			continue
		}
		layer, err := solver.Solve(context.Background(), solver.Problem{Game: g, Index: s.index, Beans: n, Lower: s})
		if err != nil {
			tb.Fatal(err)
		}
		s.layers[n] = layer
		s.scores[n] = make([]game.Score, layer.Size())
		layer.Copy(solver.Scores, 0, s.scores[n])
	}
	return s
}

// score returns the score of a position.
func (s *solved) score(p game.Position) game.Score {
	beans, at := s.index.Rank(p)
	return s.scores[beans][at]
}

// upTo probes layers up to some number of beans.
type upTo struct {
	*solved
	beans int
}

// Probe implements search.Prober.
func (u upTo) Probe(p game.Position, beans int) (game.Score, bool) {
	if beans > u.beans {
		return 0, false
	}
	return u.score(p), true
}

// Top implements search.Prober.
func (u upTo) Top() int { return u.beans }

func newGame(tb testing.TB, rules game.Rules, width int) game.Game {
	tb.Helper()
	g, err := game.New(rules, width)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}
