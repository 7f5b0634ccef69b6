package build

import (
	"context"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/store"
)

// layerWriter encodes and writes the blocks of a layer.
type layerWriter struct {
	*builder
	sink
	solved  *solver.Layer
	key     format.Key
	tiling  *format.Blocking
	settled solver.Settled
	left    bool // whether the next blocks may be in the database already
	present int  // number of the first block of the table that is not there, as far as is known
}

// cut is some neighbouring blocks of one band on their way to the disk.
type cut struct {
	// One mover's row, in index order: placed scores of settled layers, else scores.
	rowMarks  []solver.PlacedScore
	rowScores []game.Score
	// The same of all blocks, placed scores as marks, by strip of the cut, then row by row.
	marks  [][]byte
	scores [][]game.Score
	values [][]byte
}

// grow makes room for rows of this many columns and this many strips.
func (c *cut) grow(columns, strips int, settled bool) {
	if settled {
		c.rowMarks = format.Sized(c.rowMarks, columns)
		for len(c.marks) < strips {
			c.marks = append(c.marks, make([]byte, format.BlockPositions+format.MarksMargin))
		}
		return
	}
	if len(c.rowScores) < columns {
		c.rowScores = make([]game.Score, columns)
	}
	for len(c.scores) < strips {
		c.scores = append(c.scores, make([]game.Score, format.BlockPositions))
	}
}

// piece is what is cut out of a layer at a time: strips of a band, from one on.
type piece struct {
	mover, band, strip int
	settled            *solver.Settled // of the rectangle; nil where scores are encoded as they are
}

// table writes one table of the layer.
func (w *layerWriter) table(ctx context.Context, kind solver.Kind, settled bool) error {
	// Workers are busiest where all rectangles are written in one go.
	atOnce := !settled || w.solved.KeepsFirstLooks()
	var pieces []piece
	w.present = 0
	for mover := range w.key.Beans + 1 {
		kept, err := w.kept(ctx, kind, mover)
		if err != nil {
			return err
		}
		first, end := w.tiling.First[mover], w.tiling.First[mover+1]
		if len(kept) > 0 {
			w.present = first + len(kept)
		}
		if first+len(kept) == end {
			for i, stamp := range kept {
				w.count(w.tiling.ID(w.key, kind, first+i), stamp)
			}
			continue
		}
		var rectangle *solver.Settled
		if settled {
			rectangle = &w.settled
			if atOnce {
				rectangle = new(solver.Settled)
			}
			if err := w.solved.Settle(ctx, mover, rectangle); err != nil {
				return err
			}
		}
		s := w.tiling.Shape(mover)
		for band := range s.Bands {
			for strip := 0; strip < s.Strips; strip += stripsAtOnce {
				pieces = append(pieces, piece{mover, band, strip, rectangle})
			}
		}
		if !atOnce {
			if err := w.pieces(ctx, kind, pieces); err != nil {
				return err
			}
			pieces = pieces[:0]
		}
	}
	return w.pieces(ctx, kind, pieces)
}

// pieces encodes and writes the blocks of some pieces, which follow each other.
func (w *layerWriter) pieces(ctx context.Context, kind solver.Kind, pieces []piece) error {
	encode := func(number int, c *cut) error {
		w.encode(kind, pieces[number], c)
		return nil
	}
	write := func(number int, c *cut) error {
		p := pieces[number]
		return w.write(kind, w.tiling.First[p.mover]+p.band*w.tiling.Shape(p.mover).Strips+p.strip, c)
	}
	return held.InOrder(ctx, w.options.Workers, len(pieces), encode, write)
}

// kept returns the stamps of those blocks of a rectangle that are in the database
// already. Blocks are written in order, so they are the first. The error wraps
// ErrCorrupt if one is damaged.
func (w *layerWriter) kept(ctx context.Context, kind solver.Kind, mover int) ([]format.Stamp, error) {
	if !w.left {
		return nil, nil
	}
	first := w.tiling.First[mover]
	stamps := make([]format.Stamp, 0, w.tiling.First[mover+1]-first)
	type block struct {
		scores  []game.Score
		present bool
		stamp   format.Stamp
	}
	read := func(number int, b *block) (err error) {
		id := w.tiling.ID(w.key, kind, first+number)
		if b.scores == nil {
			b.scores = make([]game.Score, format.BlockPositions)
		}
		if b.present, err = store.Has(w.out, id.StoreKey()); err == nil && b.present {
			b.stamp, err = w.db.ReadBlock(id, b.scores[:id.Positions])
		}
		return err
	}
	take := func(number int, b *block) error {
		if b.present && len(stamps) == number {
			stamps = append(stamps, b.stamp)
		}
		return nil
	}
	if err := held.InOrder(ctx, w.options.Workers, cap(stamps), read, take); err != nil {
		return nil, err
	}
	w.left = len(stamps) == cap(stamps)
	return stamps, nil
}

// encode cuts the blocks of a piece out of the layer and encodes them.
func (w *layerWriter) encode(kind solver.Kind, p piece, c *cut) {
	s := w.tiling.Shape(p.mover)
	strips := min(s.Strips-p.strip, stripsAtOnce)
	first := w.tiling.First[p.mover] + p.band*s.Strips + p.strip
	rows := w.tiling.Area(first).Rows
	rank := w.index.Mirrored(w.key.Beans - p.mover)
	settled := p.settled != nil
	c.grow(s.Columns, strips, settled)
	for row := range rows {
		at := p.band*s.BandRows + row
		if settled {
			p.settled.Row(at, c.rowMarks)
			from, column := c.rowMarks, p.strip*s.StripColumn
			for _, into := range c.marks[:strips] {
				ranks := rank[column:][:min(s.StripColumn, s.Columns-column)]
				into = into[row*len(ranks):][:len(ranks)]
				for i, r := range ranks {
					into[i] = byte(from[r]) // see marks
				}
				column += len(ranks)
			}
			continue
		}
		w.solved.Copy(kind, w.index.Offset(w.key.Beans, p.mover)+uint64(at)*uint64(s.Columns), c.rowScores[:s.Columns])
		for i := range strips {
			a := w.tiling.Area(first + i)
			into := c.scores[i][row*a.Columns:][:a.Columns]
			for column, r := range rank[a.Column:][:a.Columns] {
				into[column] = c.rowScores[r]
			}
		}
	}
	c.values = c.values[:0]
	for i := range strips {
		id := w.tiling.ID(w.key, kind, first+i)
		if settled {
			c.values = append(c.values, w.codec.EncodeMarked(id, format.Marks{Bytes: c.marks[i], Count: id.Positions}, w.solved.Step()))
		} else {
			c.values = append(c.values, w.codec.Encode(id, c.scores[i][:id.Positions], nil))
		}
	}
}

// write writes the blocks of a cut, of which the first has the given number, except for
// those that are in the database.
func (w *layerWriter) write(kind solver.Kind, first int, c *cut) error {
	for i, value := range c.values {
		id := w.tiling.ID(w.key, kind, first+i)
		if first+i < w.present {
			w.count(id, format.StampOf(value))
		} else if err := w.put(id, value); err != nil {
			return err
		}
	}
	return nil
}
