package index_test

import (
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

func TestMirroredRanksAreThoseOfMirroredRows(t *testing.T) {
	for width := game.MinWidth; width <= game.MaxWidth; width++ {
		beans := min(6, game.MaxBeans(width))
		x := index.New(width, beans)
		for n := range beans + 1 {
			ranks := x.Mirrored(n)
			if uint64(len(ranks)) != x.Rows(n) {
				t.Fatalf("width %d, %d beans: %d ranks, want %d", width, n, len(ranks), x.Rows(n))
			}
			for mirrored, rank := range ranks {
				row := x.UnrankRow(n, uint64(rank))
				pits := row.Pits(width)
				for i := range width / 2 {
					pits[i], pits[width-1-i] = pits[width-1-i], pits[i]
				}
				if got, want := x.RankMirrored(row), x.RankRow(game.RowOf(pits...)); got != want || got != uint64(mirrored) {
					t.Fatalf("width %d, row %v: mirrored rank %d, want %d, place in the table %d", width, row.Pits(width), got, want, mirrored)
				}
			}
		}
	}
}
