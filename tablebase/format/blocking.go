package format

import (
	"fmt"
	"sort"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// BlockPositions is the largest number of positions in a block: 32,768. Decoded,
// that is 32 KiB.
const BlockPositions = 1 << 15

// blockRows is the largest number of mover's rows in a block.
const blockRows = 256

// Blocking cuts a layer into blocks. Each rectangle of package index, with R rows of
// the mover and C of the opponent, is cut into bands of min(R, 256) mover's rows,
// and each band into strips of opponent's rows, as many as make a block of at most
// BlockPositions. The last band and the last strip may be smaller.
//
//	           strip 0   strip 1   …
//	band 0     block 0   block 1   …
//	band 1     block s   block s+1 …     s strips a band
//
// Bands follow the ranks of mover's rows, strips the mirrored ranks of opponent's
// rows. So most positions of a block have one above them that differs little: by one
// bean between the mover's first pits. Blocks are numbered rectangle by rectangle, in
// the order of the mover's beans. It is safe for concurrent use.
type Blocking struct {
	index *index.Index
	beans int
	First []int // number of the first block of each rectangle, and of all blocks at the end
}

// NewBlocking returns the tiling of a layer of at most index.MaxSize positions.
func NewBlocking(x *index.Index, beans int) *Blocking {
	t := &Blocking{index: x, beans: beans, First: make([]int, beans+2)}
	for mover := range beans + 1 {
		s := t.Shape(mover)
		t.First[mover+1] = t.First[mover] + s.Bands*s.Strips
	}
	return t
}

// Blocks returns the number of blocks.
func (t *Blocking) Blocks() int { return t.First[t.beans+1] }

// Rectangle returns the number of the first block of the rectangle with this many beans in the
// mover's row, and that of the first block behind it.
func (t *Blocking) Rectangle(mover int) (from, to int) { return t.First[mover], t.First[mover+1] }

// Shape is how a rectangle is cut.
type Shape struct {
	rows, Columns         int // of the rectangle
	BandRows, StripColumn int // of a block that is not the last
	Bands, Strips         int
}

// Shape returns how the rectangle with this many beans in the mover's row is cut.
func (t *Blocking) Shape(mover int) Shape {
	s := Shape{rows: int(t.index.Rows(mover)), Columns: int(t.index.Rows(t.beans - mover))}
	s.BandRows = min(s.rows, blockRows)
	s.StripColumn = BlockPositions / s.BandRows
	s.Bands = (s.rows + s.BandRows - 1) / s.BandRows
	s.Strips = (s.Columns + s.StripColumn - 1) / s.StripColumn
	return s
}

// Area is the part of a rectangle that is in a block.
type Area struct {
	Mover           int // beans in the mover's row
	Row, Rows       int // first rank of the mover's row, and number
	Column, Columns int // first mirrored rank of the opponent's row, and number
}

// Area returns what is in the block with a number below blocks.
func (t *Blocking) Area(number int) Area {
	mover := sort.SearchInts(t.First, number+1) - 1
	s := t.Shape(mover)
	band, strip := (number-t.First[mover])/s.Strips, (number-t.First[mover])%s.Strips
	row, column := band*s.BandRows, strip*s.StripColumn
	return Area{
		Mover: mover,
		Row:   row, Rows: min(s.BandRows, s.rows-row),
		Column: column, Columns: min(s.StripColumn, s.Columns-column),
	}
}

// ID returns the name of a block of a layer's table.
func (t *Blocking) ID(key Key, kind solver.Kind, number int) BlockID {
	a := t.Area(number)
	return BlockID{Key: key, Kind: kind, Number: uint32(number), Positions: a.Positions(), Columns: a.Columns}
}

// Positions returns the number of positions in the area.
func (a Area) Positions() int { return a.Rows * a.Columns }

// Locate returns the number of the block that holds a position of the layer, and
// the position's place there: row by row.
func (t *Blocking) Locate(p game.Position) (number, at int) {
	mover := p.Mover.Beans()
	if mover+p.Opponent.Beans() != t.beans {
		panic(fmt.Sprintf("tablebase: a position of another layer than %d", t.beans))
	}
	s := t.Shape(mover)
	row, column := int(t.index.RankRow(p.Mover)), int(t.index.RankMirrored(p.Opponent))
	band, strip := row/s.BandRows, column/s.StripColumn
	columns := min(s.StripColumn, s.Columns-strip*s.StripColumn)
	return t.First[mover] + band*s.Strips + strip, row%s.BandRows*columns + column%s.StripColumn
}
