package solver

import (
	"context"
	"runtime"

	"bohnenspiel/solver/game"
)

// Settled tells, for the positions of one rectangle of a layer, where the best
// conversion gives the score. There a table may hold any score up to that one, if
// whoever reads it looks at the conversions as well: the score is the larger of what
// the table holds and what the best conversion gives.
type Settled struct {
	words   []uint64 // by row and strip; bit i is column i of the strip
	strips  int      // words a row
	rows    int
	columns int
}

// Has reports whether the best conversion gives the score of the position with the
// given ranks of the mover's and the opponent's row.
func (s *Settled) Has(row, column int) bool {
	return s.words[row*s.strips+column/stripWidth]>>(column%stripWidth)&1 == 1
}

// Row sets dst, which has one element a rank of the opponent's row, to what Has reports
// for the mover's row with the given rank.
func (s *Settled) Row(row int, dst []bool) {
	words := s.words[row*s.strips:][:s.strips]
	for i := range dst[:s.columns] {
		dst[i] = words[i/stripWidth]>>(i%stripWidth)&1 == 1
	}
}

// reset makes room for a rectangle without any settled position.
func (s *Settled) reset(rows, columns int) {
	s.rows, s.columns, s.strips = rows, columns, (columns+stripWidth-1)/stripWidth
	if words := rows * s.strips; cap(s.words) < words {
		s.words = make([]uint64, words)
	} else {
		s.words = s.words[:words]
		clear(s.words)
	}
}

// Settle finds the settled positions of the rectangle where the mover's row has so
// many beans, and sets s to them. It looks at all conversions anew, so it needs the
// lower layers that Solve had. s may have been used for another rectangle; its
// memory is used again.
//
// It is for layers that do not lean on rule 8, nor the layers below.
func (l *Layer) Settle(ctx context.Context, mover int, s *Settled) error {
	x := l.problem.Index
	s.reset(int(x.Rows(mover)), int(x.Rows(l.problem.Beans-mover)))
	return eachBest(ctx, l.problem, mover, func(t *tile, best []int8) {
		l.scores.settle(t, best, s)
	})
}

// Resolve raises each of the scores of the rectangle of a layer where the mover's row
// has so many beans to what the best conversion gives, if it is lower. Scores has one
// score a position of the rectangle, in the order of package index. Together with
// Settle it lets a table hold any lower score where that settles the score: Resolve
// brings back the true ones. It reads lower layers as Solve does, and for a whole layer
// takes about a fifth of its time.
func Resolve(ctx context.Context, p Problem, mover int, scores []game.Score) error {
	rows, columns := int(p.Index.Rows(mover)), int(p.Index.Rows(p.Beans-mover))
	return eachBest(ctx, p, mover, func(t *tile, best []int8) {
		for row := range rows {
			for column, place := 0, row*columns+t.first; column < t.count; column, place = column+1, place+1 {
				scores[place] = max(scores[place], game.Score(best[column*rows+row]))
			}
		}
	})
}

// eachBest finds the best conversions of a rectangle, tile by tile, on all workers,
// and hands them to work: by column of the tile, then by rank of the mover's row.
func eachBest(ctx context.Context, p Problem, mover int, work func(t *tile, best []int8)) error {
	type worker struct {
		conversions
		best []int8
	}
	p.Report = nil
	if p.Workers <= 0 {
		p.Workers = runtime.GOMAXPROCS(0)
	}
	rows, columns := int(p.Index.Rows(mover)), int(p.Index.Rows(p.Beans-mover))
	workers := make([]worker, p.Workers)
	for i := range workers {
		workers[i].conversions = newConversions(p)
	}
	return newCrew(p, 1).rectangle(ctx, mover, func(i int, t *tile) (bool, error) {
		w := &workers[i]
		if w.best == nil {
			w.best = make([]int8, rows*min(stripWidth, columns))
		}
		opponent := p.Index.UnrankRow(p.Beans-mover, uint64(t.first))
		for column := range t.count {
			if column > 0 {
				opponent = p.Index.NextRow(opponent)
			}
			if err := w.find(Scores, mover, opponent, w.best[column*rows:(column+1)*rows]); err != nil {
				return false, err
			}
		}
		work(t, w.best)
		return false, nil
	})
}
