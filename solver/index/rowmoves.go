package index

import (
	"slices"
	"sync"

	"bohnenspiel/solver/game"
)

// Sowing says what a move does to the opponent's row: Lap beans fall into each of
// its pits, and one more into the first Pits of them. Where Pits is 0 the last
// bean falls into the mover's own row, otherwise into the opponent's pit Pits−1.
type Sowing struct {
	Lap, Pits int
}

// Spill returns the number of beans that fall into the opponent's row.
func (s Sowing) Spill(width int) int { return s.Lap*width + s.Pits }

// ID numbers the sowings on a board of the given width without holes:
// Lap·(width+1) + Pits.
func (s Sowing) ID(width int) int { return s.Lap*(width+1) + s.Pits }

// SowingOf returns the sowing with the given ID.
func SowingOf(id, width int) Sowing {
	lap := 0
	for ; id > width; id -= width + 1 { // quicker than a division: laps are few
		lap++
	}
	return Sowing{Lap: lap, Pits: id}
}

// Sow returns the opponent's row after the sowing.
func (s Sowing) Sow(opponent game.Row, width int) game.Row {
	return opponent + game.Row(s.Lap)*game.Ones(0, width) + game.Ones(0, s.Pits)
}

// MaxSowings bounds the IDs of sowings that RowMoves can hold, so that they fit
// in the six bits of an Entry. NoSowing is the ID of a move that does not exist.
const (
	MaxSowings = 1<<entryBits - 1
	NoSowing   = MaxSowings
	entryBits  = 6
)

// Entry is a move that takes nothing from the mover's own row: the ID of its
// sowing in the low 6 bits, and above it the rank of the mover's row after it,
// among the rows with as many beans.
type Entry uint32

// Sowing returns the ID of the sowing, or NoSowing if there is no such move.
func (e Entry) Sowing() int { return int(e & (1<<entryBits - 1)) }

// Rank returns the rank of the mover's row after the move.
func (e Entry) Rank() int { return int(e >> entryBits) }

// NewEntry returns the entry of a move with the given ID of its sowing and rank
// of the mover's row after it.
func NewEntry(sowing int, rank uint64) Entry {
	return Entry(sowing) | Entry(rank)<<entryBits
}

// Pair is a move of a Group: the ranks of the mover's row before and after it.
type Pair struct {
	From, To uint32
}

// Group is all moves of the rows with the same number of beans that do the same to
// the opponent's row and capture the same in the mover's own before the chain
// (rule 4) reaches the opponent's row, if it does.
type Group struct {
	Sowing   Sowing
	Captured int  // beans captured in the mover's own row; 0 where Sowing.Pits > 0
	Over     bool // the chain leaves the mover's row at pit 0, for the opponent's last
	Moves    []Pair
}

// Tail is what a capture chain does that enters the mover's row at its last pit,
// coming from the opponent's: the beans captured in the low 6 bits, and above
// them the rank of the row after it.
type Tail uint32

// Through is the Tail of a chain that captures the whole row and runs on.
const Through Tail = 1<<entryBits - 1

// Captured returns the beans captured.
func (t Tail) Captured() int { return int(t & (1<<entryBits - 1)) }

// Rank returns the rank of the row after the chain.
func (t Tail) Rank() int { return int(t >> entryBits) }

// RowMoves is all that the mover's row alone says about the moves from it, for
// the rows with the same number of beans. With the opponent's row held fixed,
// the successors by moves of one sowing lie in one run of the index, and RowMoves
// says at which places of the run.
type RowMoves struct {
	// Quiet has width entries a row, one a pit: the moves that capture nothing in
	// the mover's own row. Those that end in the opponent's row may capture there.
	Quiet []Entry
	// Sowings has one word a row: bit i is set if Quiet has the sowing with ID i.
	Sowings []uint64
	// Used is the union of Sowings.
	Used uint64
	// Groups are the moves that capture in the mover's own row or end in the
	// opponent's.
	Groups []Group
	// Tails has one tail a row.
	Tails []Tail
	// TailCaptures are the different Captured of Tails, Through aside, ascending.
	TailCaptures []int
}

// HasRowMoves reports whether RowMoves can hold the moves of rows with up to so
// many beans: their sowings and ranks have to fit in an Entry. They do for every
// layer of up to 2^36 positions.
func (x *Index) HasRowMoves(beans int) bool {
	laps := beans/(2*x.width) + 1
	return Sowing{Lap: laps, Pits: x.width}.ID(x.width) < MaxSowings && x.rows[beans] < 1<<(32-entryBits)
}

// TableBytes returns the most memory that RowMoves and Mirrored can take for the rows
// with up to the given number of beans.
func (x *Index) TableBytes(beans int) uint64 {
	rows := uint64(0)
	for b := range beans + 1 {
		rows += x.rows[b]
	}
	// An entry and a pair a move, a word of sowings, a tail and a rank.
	return rows * uint64(x.width*(4+8)+8+4+4)
}

// RowMoves returns the moves of the rows with a number of beans. The first call
// computes them, in time and memory proportional to Rows(beans). They are kept for
// later calls. It panics unless HasRowMoves.
func (x *Index) RowMoves(beans int) *RowMoves {
	return x.rowMoves[beans]()
}

// once returns one function for each number of beans, which computes a table of the
// rows with that number, once.
func once[T any](maxBeans int, compute func(beans int) T) []func() T {
	all := make([]func() T, maxBeans+1)
	for beans := range all {
		all[beans] = sync.OnceValue(func() T { return compute(beans) })
	}
	return all
}

func (x *Index) computeRowMoves(beans int) *RowMoves {
	if !x.HasRowMoves(beans) {
		panic("index: too many beans for row moves")
	}
	rows := x.rows[beans]
	table := &RowMoves{
		Quiet:   make([]Entry, rows*uint64(x.width)),
		Sowings: make([]uint64, rows),
		Tails:   make([]Tail, rows),
	}
	type kind struct {
		sowing   Sowing
		captured int
		over     bool
	}
	groups := make(map[kind]int)
	tails := make(map[int]bool)
	row := x.UnrankRow(beans, 0)
	for rank := range rows {
		if rank > 0 {
			row = x.NextRow(row)
		}
		for pit := range x.width {
			quiet := &table.Quiet[rank*uint64(x.width)+uint64(pit)]
			*quiet = NewEntry(NoSowing, 0)
			if row.Pit(pit) == 0 {
				continue
			}
			after, sowing, last := x.sow(row, pit)
			captured, over := 0, false
			if sowing.Pits == 0 {
				after, captured, over = Chain(after, last)
			}
			to := x.RankRow(after)
			if captured == 0 {
				id := sowing.ID(x.width)
				*quiet = NewEntry(id, to)
				table.Sowings[rank] |= 1 << id
				if sowing.Pits == 0 {
					continue
				}
			}
			key := kind{sowing, captured, over}
			group, ok := groups[key]
			if !ok {
				group = len(table.Groups)
				groups[key] = group
				table.Groups = append(table.Groups, Group{Sowing: sowing, Captured: captured, Over: over})
			}
			table.Groups[group].Moves = append(table.Groups[group].Moves, Pair{From: uint32(rank), To: uint32(to)})
		}
		table.Used |= table.Sowings[rank]
		after, captured, through := Chain(row, x.width-1)
		if through {
			table.Tails[rank] = Through
			continue
		}
		table.Tails[rank] = Tail(captured) | Tail(x.RankRow(after))<<entryBits
		tails[captured] = true
	}
	for i := range table.Groups {
		// Appending has left room for more; these tables are kept.
		table.Groups[i].Moves = slices.Clone(table.Groups[i].Moves)
	}
	for captured := 0; captured < Through.Captured(); captured += 2 {
		if tails[captured] {
			table.TailCaptures = append(table.TailCaptures, captured)
		}
	}
	return table
}

// sow sows the beans of a pit. It returns the mover's row after that, the sowing,
// and the pit of the last bean in the row that it falls into.
func (x *Index) sow(row game.Row, pit int) (after game.Row, sowing Sowing, last int) {
	hand := row.Pit(pit)
	lap := hand / (2 * x.width)
	after = row - game.Row(hand)*game.Ones(pit, 1) + game.Row(lap)*game.Ones(0, x.width)
	hand -= lap * 2 * x.width
	ahead := x.width - 1 - pit
	if hand <= ahead {
		return after + game.Ones(pit+1, hand), Sowing{Lap: lap}, pit + hand
	}
	after += game.Ones(pit+1, ahead)
	hand -= ahead
	if hand <= x.width {
		return after, Sowing{Lap: lap, Pits: hand}, hand - 1
	}
	hand -= x.width
	return after + game.Ones(0, hand), Sowing{Lap: lap + 1}, hand - 1
}

// Chain captures in one row, from the given pit down to pit 0 (rule 4). It returns
// the row after that, the beans captured, and whether the chain went through
// pit 0, so that it goes on in the other row.
func Chain(row game.Row, from int) (after game.Row, captured int, over bool) {
	for pit := from; pit >= 0; pit-- {
		beans := row.Pit(pit)
		if !game.Captures(beans) {
			return row, captured, false
		}
		row -= game.Row(beans) * game.Ones(pit, 1)
		captured += beans
	}
	return row, captured, true
}

// NextRow returns the row whose rank is one more. It must not be the last of its
// sum, which has all beans in pit 0.
func (x *Index) NextRow(row game.Row) game.Row {
	beans := 0 // in pits 0 to i
	for i := range x.width - 1 {
		beans += row.Pit(i)
		if row.Pit(i+1) > 0 {
			// Pits 0 to i become empty except for the beans gathered in pit i.
			row &^= game.Ones(0, i+1) * 127
			return row - game.Ones(i+1, 1) + game.Row(beans+1)*game.Ones(i, 1)
		}
	}
	return row
}
