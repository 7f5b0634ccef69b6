package game

// Perft returns the number of ways to play exactly this many plies from p. Two ways
// that lead to the same position count twice, a pass is a ply, and a position where
// play is Over has no moves. For 0 plies it is 1. From the traditional start of
// Bohnenspiel it is 6, 36, 206, 1166, … for 1, 2, 3, 4, … plies.
//
// The time grows with the number for one ply less. Two versions of the rules that
// agree on these numbers most likely agree on all moves.
func Perft(g Game, p Position, plies int) uint64 {
	if plies <= 0 {
		return 1
	}
	if g.Passes(p) {
		return Perft(g, p.Swap(), plies-1)
	}
	var ways uint64
	for pit := range g.width {
		switch {
		case p.Mover.Pit(pit) == 0:
		case plies == 1:
			ways++
		default:
			next, _ := g.Play(p, pit)
			ways += Perft(g, next, plies-1)
		}
	}
	return ways
}
