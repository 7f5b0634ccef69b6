package search

import "bohnenspiel/solver/game"

// Of returns what a position is worth to the mover, in beans.
func (w *Worth) Of(p game.Position) float64 {
	return float64(w.of(p, p.Beans())) / oneBean
}
