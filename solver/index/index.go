package index

import (
	"fmt"
	"math/bits"

	"bohnenspiel/solver/game"
)

// Index ranks and unranks the positions of all layers of a board. It is safe for
// concurrent use.
type Index struct {
	width    int
	maxBeans int
	// terms[i][s] = C(s+i, i+1) is the share of pit i in the rank of a row whose
	// pits 0 to i hold s beans.
	terms [game.MaxWidth][]uint64
	// rows[x] is R(x), the number of rows with x beans.
	rows []uint64
	// offsets[n][a] is where the rectangle of a starts in layer n; offsets[n][n+1]
	// is the size of the layer, or more than MaxSize where that is too large.
	offsets [][]uint64
	// rowMoves[x] computes the moves of the rows with x beans, once.
	rowMoves []func() *RowMoves
	// mirrored[x] computes the ranks of the rows with x beans by mirrored rank, once.
	mirrored []func() []uint32
}

// MaxSize is the largest layer that an index numbers: 2^40 positions, a terabyte.
const MaxSize = 1 << 40

// New returns the index of the boards of the given width, for layers 0 to
// maxBeans. It takes time and memory in proportion to maxBeans². It panics if
// width or maxBeans (0 to game.MaxBeans) is out of range.
func New(width, maxBeans int) *Index {
	if width < game.MinWidth || width > game.MaxWidth || maxBeans < 0 || maxBeans > game.MaxBeans(width) {
		panic(fmt.Sprintf("index: no index for width %d with %d beans", width, maxBeans))
	}
	x := &Index{width: width, maxBeans: maxBeans}
	// C(s+i, i+1) = C(s−1+i, i+1) + C(s−1+i, i), as in Pascal's triangle.
	for i := range width {
		x.terms[i] = make([]uint64, maxBeans+2)
		for s := 1; s < len(x.terms[i]); s++ {
			before := uint64(1)
			if i > 0 {
				before = x.terms[i-1][s]
			}
			x.terms[i][s] = x.terms[i][s-1] + before
		}
	}
	x.rows = make([]uint64, maxBeans+1)
	for beans := range x.rows {
		// R(x) = C(x+w−1, w−1) = C(x+1+(w−2), w−1)
		x.rows[beans] = 1
		if width > 1 {
			x.rows[beans] = x.terms[width-2][beans+1]
		}
	}
	x.offsets = make([][]uint64, maxBeans+1)
	for n := range x.offsets {
		x.offsets[n] = make([]uint64, n+2)
		for a := range n + 1 {
			over, size := bits.Mul64(x.rows[a], x.rows[n-a])
			sum := x.offsets[n][a] + size
			if over > 0 || size > MaxSize || sum > MaxSize {
				sum = MaxSize + 1
			}
			x.offsets[n][a+1] = sum
		}
	}
	x.rowMoves = once(x.maxBeans, x.computeRowMoves)
	x.mirrored = once(x.maxBeans, x.computeMirrored)
	return x
}

// Width returns the number of pits a side.
func (x *Index) Width() int { return x.width }

// MaxBeans returns the largest layer that the index numbers.
func (x *Index) MaxBeans() int { return x.maxBeans }

// Rows returns R(beans), the number of rows with the given number of beans.
func (x *Index) Rows(beans int) uint64 { return x.rows[beans] }

// Size returns the number of positions of layer beans. Where a layer has more
// than MaxSize positions, Size is MaxSize+1 and the layer can't be ranked.
func (x *Index) Size(beans int) uint64 { return x.offsets[beans][beans+1] }

// Offset returns the index of the first position of layer beans whose mover's
// row has mover beans, 0 to beans+1; for beans+1 it is the size of the layer.
func (x *Index) Offset(beans, mover int) uint64 { return x.offsets[beans][mover] }

// RankRow returns the rank of a row among the rows with as many beans, from 0 to
// Rows−1.
func (x *Index) RankRow(row game.Row) uint64 {
	sums := row.PrefixSums()
	var rank uint64
	for i := range x.width - 1 {
		rank += x.terms[i][sums.Pit(i)]
	}
	return rank
}

// UnrankRow returns the row with the given number of beans that has the given rank, which
// must be below Rows(beans).
func (x *Index) UnrankRow(beans int, rank uint64) game.Row {
	var row game.Row
	rest := beans // in pits 0 to i+1
	for i := x.width - 2; i >= 0; i-- {
		sum := rest
		for x.terms[i][sum] > rank {
			sum--
		}
		rank -= x.terms[i][sum]
		row |= game.RowOf(rest-sum) << (7 * (i + 1))
		rest = sum
	}
	return row | game.RowOf(rest)
}

// Rank returns the layer of a position and its index there, from 0 to Size−1.
// The layer must be at most MaxBeans.
func (x *Index) Rank(p game.Position) (beans int, index uint64) {
	mover, opponent := p.Mover.Beans(), p.Opponent.Beans()
	beans = mover + opponent
	return beans, x.offsets[beans][mover] + x.RankRow(p.Mover)*x.rows[opponent] + x.RankRow(p.Opponent)
}

// Unrank returns the position of layer beans with the given index, which must be
// below Size(beans).
func (x *Index) Unrank(beans int, index uint64) game.Position {
	offsets := x.offsets[beans]
	mover := 0
	for offsets[mover+1] <= index {
		mover++
	}
	index -= offsets[mover]
	columns := x.rows[beans-mover]
	return game.Position{
		Mover:    x.UnrankRow(mover, index/columns),
		Opponent: x.UnrankRow(beans-mover, index%columns),
	}
}
