package solver

import (
	"encoding/binary"
	"fmt"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// depthWorker finds DTCs, tile by tile. It holds the buffers of one worker.
type depthWorker struct {
	conversions
	depths *depthGrid
	best   []uint8 // worth of the best conversion by rank of the mover's row
	scores []game.Score
	runs   runs
	moves  [game.MaxWidth]quietMove
}

func newDepthWorker(p Problem, d *depthGrid) *depthWorker {
	return &depthWorker{
		conversions: newConversions(p),
		depths:      d,
		best:        make([]uint8, p.Index.Rows(p.Beans)),
		scores:      make([]game.Score, stripWidth),
	}
}

// convert sets the marks of a tile and finds the positions where play is over, and those
// where a conversion ends the wait: where it keeps the score and the mover does not
// delay. It counts the others.
func (w *depthWorker) convert(t *tile) error {
	d, x, n := w.depths, w.problem.Index, w.problem.Beans
	rows, columns := int(x.Rows(t.mover)), int(x.Rows(n-t.mover))
	over := t.mover == 0 && (n == 0 || w.problem.Game.Rules() == game.Bohnenspiel)
	stride := d.stride[n-t.mover]
	first := d.start[t.mover] + t.first
	for row := range rows {
		at := x.Offset(n, t.mover) + uint64(row*columns+t.first)
		scores, err := w.problem.Lower.Read(Scores, n, at, t.count, w.scores[:t.count])
		if err != nil {
			return fmt.Errorf("read layer %d: %w", n, err)
		}
		cell := first + row*stride
		for column, score := range scores {
			d.marks[cell+column] = uint8(int(score) + n)
			if over {
				d.marks[cell+column] |= known
				d.plies[cell+column] = 1
			}
		}
		for column := t.count; column < stripWidth; column++ {
			d.plies[cell+column] = 1
		}
	}
	t.open, t.fresh = 0, 0
	if over {
		return nil
	}
	best := w.best[:rows]
	opponent := x.UnrankRow(n-t.mover, uint64(t.first))
	for column := range t.count {
		if column > 0 {
			opponent = x.NextRow(opponent)
		}
		if err := w.find(Scores, t.mover, opponent, best); err != nil {
			return err
		}
		cell := first + column
		for row := range best {
			if score := int(d.marks[cell]) - n; score >= 0 && int(best[row]) == zeroWorth+score {
				d.plies[cell] = 2
				t.fresh++
			}
			cell += stride
		}
	}
	t.open = rows*t.count - t.fresh
	return nil
}

// sweep looks once at each open position of a tile, and closes those that have a DTC of
// plies−1.
func (w *depthWorker) sweep(t *tile, plies uint8) {
	d, width := w.depths, w.problem.Game.Width()
	moves := movesOf(w.problem, t.mover)
	d.locate(&w.runs, width, t, 1<<t.count-1, moves.Used, d.start[t.mover])
	stride := d.stride[d.beans-t.mover]
	cell := d.start[t.mover] + t.first
	for row := range int(w.problem.Index.Rows(t.mover)) {
		closed := w.row(d.plies[cell:cell+stripWidth], d.marks[cell:cell+stripWidth], moves.Quiet[row*width:(row+1)*width], plies)
		t.open -= closed
		t.fresh += closed
		cell += stride
	}
}

// row looks at the open positions with one mover's row in a strip. It returns how many
// it has closed.
func (w *depthWorker) row(own, marks []uint8, quiet []index.Entry, plies uint8) (closed int) {
	const eight = 8
	n := uint8(w.depths.beans)
	all := w.depths.marks
	var moves []quietMove
	for first := 0; first < stripWidth; first += eight {
		if !anyOpen(own[first : first+eight]) {
			continue
		}
		if moves == nil {
			moves = w.runs.list(&w.moves, quiet)
		}
		for column := first; column < first+eight; column++ {
			if own[column] != 0 {
				continue
			}
			// Where the successor of a move that keeps the score would have this mark.
			keeps := 2*n - marks[column]
			waits, ready := false, false // successors not known before the sweep, and known
			for i := range moves {
				mark := all[moves[i].runs[column%stripWidth]+moves[i].rank]
				waits = waits || mark == keeps
				ready = ready || mark == keeps|known
			}
			if marks[column] < n { // the mover delays
				ready = !waits
			}
			if ready {
				own[column] = plies
				closed++
			}
		}
	}
	return closed
}

// anyOpen reports whether any of eight cells is 0.
func anyOpen(cells []uint8) bool {
	word := binary.LittleEndian.Uint64(cells)
	return (word-onesInBytes)&^word&topsOfBytes != 0
}
