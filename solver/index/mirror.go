package index

import (
	"bohnenspiel/solver/game"
)

// RankMirrored returns the rank that the row has when its pits are read from the
// other end, from 0 to Rows−1. Rows whose mirrored ranks are close differ in the
// pits that a sowing reaches last, so their scores are more alike than those of
// rows whose ranks are close.
func (x *Index) RankMirrored(row game.Row) uint64 {
	var rank uint64
	beans := 0
	for i := range x.width - 1 {
		beans += row.Pit(x.width - 1 - i)
		rank += x.terms[i][beans]
	}
	return rank
}

// Mirrored returns, for each mirrored rank of the rows with a number of beans, the rank
// of that row. The first call computes the table, of 4 bytes a row, and it is kept
// for later calls. Nobody may change it. It panics unless HasRowMoves.
func (x *Index) Mirrored(beans int) []uint32 {
	return x.mirrored[beans]()
}

func (x *Index) computeMirrored(beans int) []uint32 {
	if !x.HasRowMoves(beans) {
		panic("index: too many beans for a table of rows")
	}
	ranks := make([]uint32, x.rows[beans])
	row := x.UnrankRow(beans, 0)
	for rank := range ranks {
		if rank > 0 {
			row = x.NextRow(row)
		}
		ranks[x.RankMirrored(row)] = uint32(rank)
	}
	return ranks
}
