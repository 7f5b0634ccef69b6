package format_test

import (
	"fmt"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase/format"
)

// TestBlocking looks at every position of small layers: each has one place, which is
// where it should be, and blocks follow each other as they should.
func TestBlocking(t *testing.T) {
	t.Parallel()
	beans := map[int]int{1: 12, 2: 24, 3: 16, 4: 12, 5: 10, 6: 10, 7: 8, 8: 7, 9: 6}
	if testing.Short() {
		beans = map[int]int{1: 12, 2: 16, 3: 12, 6: 8, 9: 4}
	}
	for width, most := range beans {
		t.Run(fmt.Sprintf("width=%d", width), func(t *testing.T) {
			t.Parallel()
			x := index.New(width, most)
			for n := range most + 1 {
				checkBlocking(t, x, format.NewBlocking(x, n), n)
			}
		})
	}
}

func checkBlocking(t *testing.T, x *index.Index, blocking *format.Blocking, beans int) {
	t.Helper()
	var last format.Area
	taken := make([][]bool, blocking.Blocks())
	positions := 0
	for number := range taken {
		a := blocking.Area(number)
		size := a.Rows * a.Columns
		if size < 1 || size > format.BlockPositions || a.Rows > 256 || a.Positions() != size {
			t.Fatalf("layer %d, block %d has %d rows of %d columns and %d positions", beans, number, a.Rows, a.Columns, a.Positions())
		}
		// The next block begins where the last has ended: in the band, or in the
		// rectangle, or in the layer.
		begins := format.Area{Mover: last.Mover, Row: last.Row, Column: last.Column + last.Columns}
		if begins.Column == int(x.Rows(beans-begins.Mover)) {
			begins.Row, begins.Column = last.Row+last.Rows, 0
			if begins.Row == int(x.Rows(begins.Mover)) {
				begins.Mover, begins.Row = last.Mover+1, 0
			}
		}
		if number > 0 && (a.Mover != begins.Mover || a.Row != begins.Row || a.Column != begins.Column) {
			t.Fatalf("layer %d, block %d is %+v, after %+v", beans, number, a, last)
		}
		if number == 0 && (a.Mover != 0 || a.Row != 0 || a.Column != 0) {
			t.Fatalf("layer %d begins with %+v", beans, a)
		}
		taken[number] = make([]bool, size)
		positions += size
		last = a
	}
	if positions != int(x.Size(beans)) || last.Mover != beans {
		t.Fatalf("layer %d: blocks hold %d positions, the last %d beans of the mover, want %d and all", beans, positions, last.Mover, x.Size(beans))
	}
	for i := range x.Size(beans) {
		p := x.Unrank(beans, i)
		number, at := blocking.Locate(p)
		if number < 0 || number >= len(taken) || at < 0 || at >= len(taken[number]) {
			t.Fatalf("layer %d: %v is at %d of block %d", beans, p, at, number)
		}
		if taken[number][at] {
			t.Fatalf("layer %d: place %d of block %d is taken twice", beans, at, number)
		}
		taken[number][at] = true
		a := blocking.Area(number)
		row, column := int(x.RankRow(p.Mover))-a.Row, int(x.RankMirrored(p.Opponent))-a.Column
		if a.Mover != p.Mover.Beans() || row < 0 || row >= a.Rows || column < 0 || column >= a.Columns || at != row*a.Columns+column {
			t.Fatalf("layer %d: %v is at %d of block %d, which is %+v", beans, p, at, number, a)
		}
		if got := int(x.Mirrored(p.Opponent.Beans())[a.Column+column]); got != int(x.RankRow(p.Opponent)) {
			t.Fatalf("layer %d: column %d of block %d is rank %d, want that of %v", beans, column, number, got, p.Opponent)
		}
	}
}

// TestBlockingOfLargeLayers looks at the borders of layers that are too large to be
// looked at whole.
func TestBlockingOfLargeLayers(t *testing.T) {
	for _, c := range []struct{ width, beans int }{{6, 20}, {6, 36}, {9, 16}, {2, 24}, {1, 12}} {
		x := index.New(c.width, c.beans)
		blocking := format.NewBlocking(x, c.beans)
		positions := uint64(0)
		for number := range blocking.Blocks() {
			positions += uint64(blocking.Area(number).Positions())
		}
		if positions != x.Size(c.beans) {
			t.Errorf("width %d, layer %d: blocks hold %d positions, want %d", c.width, c.beans, positions, x.Size(c.beans))
		}
		for mover := range c.beans + 1 {
			for _, i := range []uint64{x.Offset(c.beans, mover), x.Offset(c.beans, mover+1) - 1} {
				p := x.Unrank(c.beans, i)
				number, at := blocking.Locate(p)
				if a := blocking.Area(number); a.Mover != mover || at < 0 || at >= a.Positions() {
					t.Errorf("width %d, layer %d: %v is at %d of block %d, which is %+v", c.width, c.beans, p, at, number, a)
				}
			}
		}
	}
}

func TestLocateRefusesOtherLayers(t *testing.T) {
	x := index.New(6, 8)
	blocking := format.NewBlocking(x, 8)
	defer func() {
		if recover() == nil {
			t.Error("a position of another layer has a place")
		}
	}()
	blocking.Locate(game.Position{Mover: game.RowOf(6)})
}
