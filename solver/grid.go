package solver

import (
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// stripWidth is the number of opponent's rows in a strip. Each strip of a
// mover's row starts a cache line, so workers never write to the same line.
const stripWidth = 64

// grid is a layer in memory, one code a position, while it is solved. It has
// the rectangles of package index, but the cells of each mover's row are padded
// to whole strips:
//
//	cell(position) = start[a] + rank(mover's row)·stride[n−a] + rank(opponent's row)
//
// Behind the last rectangle lie blank cells, which hold nothing. A look at a move
// that a position does not have reads one of them.
type grid[C code] struct {
	*coding[C]
	index  *index.Index
	beans  int
	start  []int // by the mover's beans
	stride []int // by the opponent's beans
	blank  int   // the first blank cell; there are as many as the longest run
	cells  []C
}

func newGrid[C code](x *index.Index, c *coding[C]) *grid[C] {
	n := c.beans
	g := &grid[C]{coding: c, index: x, beans: n, start: make([]int, n+1), stride: make([]int, n+1)}
	for b := range g.stride {
		g.stride[b] = (int(x.Rows(b)) + stripWidth - 1) / stripWidth * stripWidth
	}
	size := 0
	for a := range g.start {
		g.start[a] = size
		size += int(x.Rows(a)) * g.stride[n-a]
	}
	g.blank = size
	g.cells = make([]C, size+int(x.Rows(n)))
	return g
}

// tile is the unit of work: all positions of one rectangle whose opponent's row
// is in one strip.
type tile struct {
	mover int // beans in the mover's row
	first int // rank of the first opponent's row
	count int // number of opponent's rows, at most stripWidth
	open  int // positions not closed after the last sweep
}

// tiles returns the tiles of a layer.
func (g *grid[C]) tiles() []tile {
	var tiles []tile
	for a := range g.beans + 1 {
		rows := int(g.index.Rows(g.beans - a))
		for first := 0; first < rows; first += stripWidth {
			tiles = append(tiles, tile{mover: a, first: first, count: min(stripWidth, rows-first)})
		}
	}
	return tiles
}

// positions returns the number of positions of a tile.
func (g *grid[C]) positions(t *tile) int {
	return int(g.index.Rows(t.mover)) * t.count
}

// copy fills dst with the values of a kind, from index first on.
func (g *grid[C]) copy(kind Kind, first uint64, dst []game.Score) {
	values := g.values(kind)
	a := 0
	for len(dst) > 0 {
		for g.index.Offset(g.beans, a+1) <= first {
			a++
		}
		columns := g.index.Rows(g.beans - a)
		row, column := (first-g.index.Offset(g.beans, a))/columns, (first-g.index.Offset(g.beans, a))%columns
		count := min(int(columns-column), len(dst))
		cell := g.start[a] + int(row)*g.stride[g.beans-a] + int(column)
		for i, code := range g.cells[cell : cell+count] {
			dst[i] = values[code]
		}
		dst = dst[count:]
		first += uint64(count)
	}
}

// values returns the value of each code in a table of the given kind. A score is
// 0 drawn into the interval: endless play is worth 0 (rule 8).
func (g *grid[C]) values(kind Kind) []game.Score {
	values := make([]game.Score, len(g.lo))
	for code := range values {
		lo, hi := g.score(int(g.lo[code])), g.score(int(g.hi[code]))
		switch kind {
		case Lows:
			values[code] = lo
		case Highs:
			values[code] = hi
		default:
			values[code] = min(max(0, lo), hi)
		}
	}
	return values
}
