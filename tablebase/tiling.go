package tablebase

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

// tiling cuts a layer into blocks. Each rectangle of package index, with R rows of
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
type tiling struct {
	index *index.Index
	beans int
	first []int // number of the first block of each rectangle, and of all blocks at the end
}

// newTiling returns the tiling of a layer of at most index.MaxSize positions.
func newTiling(x *index.Index, beans int) *tiling {
	t := &tiling{index: x, beans: beans, first: make([]int, beans+2)}
	for mover := range beans + 1 {
		s := t.shape(mover)
		t.first[mover+1] = t.first[mover] + s.bands*s.strips
	}
	return t
}

// blocks returns the number of blocks.
func (t *tiling) blocks() int { return t.first[t.beans+1] }

// shape is how a rectangle is cut.
type shape struct {
	rows, columns         int // of the rectangle
	bandRows, stripColumn int // of a block that is not the last
	bands, strips         int
}

// shape returns how the rectangle with so many beans in the mover's row is cut.
func (t *tiling) shape(mover int) shape {
	s := shape{rows: int(t.index.Rows(mover)), columns: int(t.index.Rows(t.beans - mover))}
	s.bandRows = min(s.rows, blockRows)
	s.stripColumn = BlockPositions / s.bandRows
	s.bands = (s.rows + s.bandRows - 1) / s.bandRows
	s.strips = (s.columns + s.stripColumn - 1) / s.stripColumn
	return s
}

// area is the part of a rectangle that is in a block.
type area struct {
	mover           int // beans in the mover's row
	row, rows       int // first rank of the mover's row, and number
	column, columns int // first mirrored rank of the opponent's row, and number
}

// area returns what is in the block with a number below blocks.
func (t *tiling) area(number int) area {
	mover := sort.SearchInts(t.first, number+1) - 1
	s := t.shape(mover)
	band, strip := (number-t.first[mover])/s.strips, (number-t.first[mover])%s.strips
	row, column := band*s.bandRows, strip*s.stripColumn
	return area{
		mover: mover,
		row:   row, rows: min(s.bandRows, s.rows-row),
		column: column, columns: min(s.stripColumn, s.columns-column),
	}
}

// id returns the name of a block of a layer's table.
func (t *tiling) id(key Key, kind solver.Kind, number int) blockID {
	a := t.area(number)
	return blockID{Key: key, kind: kind, number: uint32(number), positions: a.positions(), columns: a.columns}
}

// positions returns the number of positions in the area.
func (a area) positions() int { return a.rows * a.columns }

// locate returns the number of the block that holds a position of the layer, and
// the position's place there: row by row.
func (t *tiling) locate(p game.Position) (number, at int) {
	mover := p.Mover.Beans()
	if mover+p.Opponent.Beans() != t.beans {
		panic(fmt.Sprintf("tablebase: a position of another layer than %d", t.beans))
	}
	s := t.shape(mover)
	row, column := int(t.index.RankRow(p.Mover)), int(t.index.RankMirrored(p.Opponent))
	band, strip := row/s.bandRows, column/s.stripColumn
	columns := min(s.stripColumn, s.columns-strip*s.stripColumn)
	return t.first[mover] + band*s.strips + strip, row%s.bandRows*columns + column%s.stripColumn
}
