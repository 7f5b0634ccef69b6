package game

// Widths of a board: the number of pits a side (rule 1).
const (
	MinWidth = 1
	MaxWidth = 9
	// StandardWidth is the width of the traditional board.
	StandardWidth = 6
)

// laneBits is the width of the field that holds the beans of one pit.
const laneBits = 7

// laneMask is the largest number of beans that a lane can hold: 127. No board
// has more beans than that (see MaxBeans), so lanes never overflow.
const laneMask = 1<<laneBits - 1

// everyLane has a 1 in each of the nine lanes.
const everyLane Row = 0x0102040810204081

// Row is the pits of one side, seen by their owner: pit i, counted from 0 in
// sowing order, is bits 7i to 7i+6. The row 0 2 1 1 1 1 is
//
//	pit       5       4       3       2       1       0
//	bits  0000001 0000001 0000001 0000001 0000010 0000000  = 0x810204100
//
// Pits at and above the width of the board are zero. Rows are comparable and
// may be map keys.
type Row uint64

// RowOf packs pits, at most MaxWidth of them, each with 0 to 127 beans.
// It panics if there are more pits than that, or a count is out of range.
func RowOf(pits ...int) Row {
	if len(pits) > MaxWidth {
		panic("game: a row has at most nine pits")
	}
	var row Row
	for i, beans := range pits {
		if beans < 0 || beans > laneMask {
			panic("game: a pit holds 0 to 127 beans")
		}
		row |= Row(beans) << shift(i)
	}
	return row
}

// shift returns the place of the lowest bit of pit i, 0 ≤ i ≤ MaxWidth. The mask
// changes nothing: it tells the compiler that no shift by it is negative or too long.
func shift(i int) uint { return uint(laneBits*i) & 63 }

// Pit returns the beans in pit i, counted from 0 in sowing order, 0 ≤ i < MaxWidth.
func (r Row) Pit(i int) int {
	return int(r>>shift(i)) & laneMask
}

// Pits returns the beans of the first width pits.
func (r Row) Pits(width int) []int {
	pits := make([]int, width)
	for i := range pits {
		pits[i] = r.Pit(i)
	}
	return pits
}

// Beans returns the number of beans in the row.
func (r Row) Beans() int {
	// Lane 8 of the product is the sum of all lanes.
	return int(r*everyLane>>(laneBits*(MaxWidth-1))) & laneMask
}

// PrefixSums returns a row whose pit i holds the beans of pits 0 to i.
func (r Row) PrefixSums() Row {
	return r * everyLane
}

// Ones returns the row that has one bean in each of count pits from pit first on.
// A sowing adds such rows; it needs 0 ≤ first, 0 ≤ count, first+count ≤ MaxWidth.
func Ones(first, count int) Row {
	return everyLane & (1<<shift(count) - 1) << shift(first)
}

// Captures reports whether a pit with this number of beans is captured (rule 4).
func Captures(beans int) bool {
	return beans == 2 || beans == 4 || beans == 6
}
