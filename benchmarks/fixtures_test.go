package benchmarks_test

import (
	"math/rand/v2"
	"testing"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// standard returns the game that is measured.
func standard(b *testing.B) game.Game {
	b.Helper()
	g, err := game.New(game.Bohnenspiel, game.StandardWidth)
	if err != nil {
		b.Fatal(err)
	}
	return g
}

// sampleSize is the number of positions in a sample.
const sampleSize = 1 << 12

// sample returns positions of a layer in random order, the same at each call.
func sample(beans int) []game.Position {
	x := index.New(game.StandardWidth, beans)
	random := rand.New(rand.NewPCG(1, uint64(beans)))
	positions := make([]game.Position, sampleSize)
	for i := range positions {
		positions[i] = x.Unrank(beans, random.Uint64N(x.Size(beans)))
	}
	return positions
}

// report adds how many things were done a second, when each round does count.
func report(b *testing.B, count int, unit string) {
	b.Helper()
	b.ReportMetric(float64(count)*float64(b.N)/b.Elapsed().Seconds(), unit)
}

// totals sums up a layer.
type totals struct {
	positions, wins, draws, losses, scoreSum int
}

// totalsOf returns the totals of a solved layer.
func totalsOf(l *solver.Layer) totals {
	scores := make([]game.Score, l.Size())
	l.Copy(solver.Scores, 0, scores)
	t := totals{positions: len(scores)}
	for _, score := range scores {
		switch game.OutcomeOf(int(score)) {
		case game.Win:
			t.wins++
		case game.Draw:
			t.draws++
		case game.Loss:
			t.losses++
		}
		t.scoreSum += int(score)
	}
	return t
}

// expected returns the totals of some layers of Bohnenspiel, by beans, as
// baseline/naive.cpp computes them.
func expected() map[int]totals {
	return map[int]totals{
		10: {positions: 352716, wins: 194303, draws: 0, losses: 158413, scoreSum: 238932},
		12: {positions: 1352078, wins: 581303, draws: 347897, losses: 422878, scoreSum: 1234944},
		14: {positions: 4457400, wins: 2551333, draws: 0, losses: 1906067, scoreSum: 5222888},
	}
}
