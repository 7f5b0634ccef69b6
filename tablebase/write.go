package tablebase

import (
	"context"
	"encoding/binary"
	"fmt"

	"bohnenspiel/tablebase/fault"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sync/errgroup"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
)

// store writes the blocks of a solved layer and returns its manifest but for the
// time. Blocks that a build has left which was stopped while it stored the layer are
// verified and kept, unless one is damaged; but only if the layer has been solved from
// the state that the same build has kept. Nothing is known of other blocks.
func (b *builder) store(ctx context.Context, key Key, solved *solver.Layer, resumed bool) (Manifest, error) {
	left, err := b.out.keys(layerKey(blockPrefix, key), 1)
	if err != nil {
		return Manifest{}, err
	}
	if len(left) == 0 {
		return b.storeBeside(ctx, key, solved, false)
	}
	if resumed {
		m, err := b.storeBeside(ctx, key, solved, true)
		if err == nil {
			// There may be blocks that the layer does not have.
			all, err := b.out.keys(layerKey(blockPrefix, key), int(m.Blocks)+1)
			if err != nil || uint64(len(all)) == m.Blocks {
				return m, err
			}
		} else if fault.ClassOf(err) != fault.BadData {
			return Manifest{}, err
		}
	}
	if err := b.out.drop(layerKey(blockPrefix, key)); err != nil {
		return Manifest{}, err
	}
	return b.storeBeside(ctx, key, solved, false)
}

// storeBeside writes those blocks of a solved layer that are not there yet, and copies the
// layer to where it serves the next ones. If left is not set, no block is there.
func (b *builder) storeBeside(ctx context.Context, key Key, solved *solver.Layer, left bool) (Manifest, error) {
	m := Manifest{
		Format: FormatVersion,
		Rules:  key.Rules, Width: key.Width, Beans: key.Beans,
		Positions: solved.Size(),
		Endless:   solved.Leaning(),
		Sweeps:    solved.Sweeps(),
		Settled:   solved.Leaning() == 0 && !b.leansBelow(key.Beans),
	}
	total := newSummary()
	w := &layerWriter{
		builder: b, solved: solved, key: key, left: left,
		tiling: newTiling(b.index, key.Beans), batch: &batch{to: b.out}, seal: newSealHash(),
	}
	w.total = uint64(m.tables()) * m.Positions
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		for kind := range m.tables() {
			err := total.addTable(ctx, solver.Kind(kind), m.Positions, func(first uint64, dst []game.Score) ([]game.Score, error) {
				if b.next != nil {
					return b.next[kind].copyFrom(solved, solver.Kind(kind), first, dst)
				}
				solved.Copy(solver.Kind(kind), first, dst)
				return dst, nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	group.Go(func() error {
		for kind := range m.tables() {
			if err := w.table(ctx, solver.Kind(kind), m.Settled); err != nil {
				return err
			}
		}
		return w.batch.flush()
	})
	if err := group.Wait(); err != nil {
		return Manifest{}, err
	}
	m.Blocks, m.Bytes, m.Seal = w.blocks, w.bytes, w.seal.text()
	total.fill(&m)
	// Blocks are on the disk before a manifest says so.
	return m, b.out.sync()
}

// leansBelow reports whether any layer below one leans on rule 8.
func (b *builder) leansBelow(beans int) bool {
	for lower := beans - 2; lower >= 0; lower -= 2 {
		if b.lower.Leans(lower) {
			return true
		}
	}
	return false
}

// sealHash is the hash of the checksums of the blocks of a layer.
type sealHash struct{ digest *xxhash.Digest }

func newSealHash() sealHash { return sealHash{xxhash.New()} }

// add adds a block. Blocks come in their order.
func (s sealHash) add(stamp blockStamp) {
	var bytes [checksumSize]byte
	binary.BigEndian.PutUint64(bytes[:], stamp.checksum)
	_, _ = s.digest.Write(bytes[:]) // it never fails
}

// text returns the seal in hexadecimal.
func (s sealHash) text() string { return fmt.Sprintf("%016x", s.digest.Sum64()) }

// layerWriter encodes and writes the blocks of a layer.
type layerWriter struct {
	*builder
	solved  *solver.Layer
	key     Key
	tiling  *tiling
	batch   *batch
	settled solver.Settled
	left    bool // whether the next blocks may be in the database already
	present int  // number of the first block of the table that is not there, as far as is known

	done, total uint64 // positions
	blocks      uint64
	bytes       uint64
	seal        sealHash
}

// stripsAtOnce is the number of strips of a band that are cut from its rows at a
// time: about two million positions.
const stripsAtOnce = 64

// cut is some neighbouring blocks of one band on their way to the disk.
type cut struct {
	// One mover's row, in index order: marks of settled layers, else scores.
	rowMarks  []byte
	rowScores []game.Score
	// The same of all blocks, by strip of the cut, then row by row.
	marks  [][]byte
	scores [][]game.Score
	values [][]byte
}

// grow makes room for rows of so many columns and so many strips.
func (c *cut) grow(columns, strips int, settled bool) {
	if settled {
		c.rowMarks = sized(c.rowMarks, columns)
		for len(c.marks) < strips {
			c.marks = append(c.marks, make([]byte, BlockPositions+marksMargin))
		}
		return
	}
	if len(c.rowScores) < columns {
		c.rowScores = make([]game.Score, columns)
	}
	for len(c.scores) < strips {
		c.scores = append(c.scores, make([]game.Score, BlockPositions))
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
		first, end := w.tiling.first[mover], w.tiling.first[mover+1]
		if len(kept) > 0 {
			w.present = first + len(kept)
		}
		if first+len(kept) == end {
			for i, stamp := range kept {
				w.count(w.tiling.id(w.key, kind, first+i), stamp)
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
		s := w.tiling.shape(mover)
		for band := range s.bands {
			for strip := 0; strip < s.strips; strip += stripsAtOnce {
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
		return w.write(kind, w.tiling.first[p.mover]+p.band*w.tiling.shape(p.mover).strips+p.strip, c)
	}
	return inOrder(ctx, w.options.Workers, len(pieces), encode, write)
}

// kept returns the stamps of those blocks of a rectangle that are in the database
// already. Blocks are written in order, so they are the first. The error wraps
// ErrCorrupt if one is damaged.
func (w *layerWriter) kept(ctx context.Context, kind solver.Kind, mover int) ([]blockStamp, error) {
	if !w.left {
		return nil, nil
	}
	first := w.tiling.first[mover]
	stamps := make([]blockStamp, 0, w.tiling.first[mover+1]-first)
	type block struct {
		scores  []game.Score
		present bool
		stamp   blockStamp
	}
	read := func(number int, b *block) (err error) {
		id := w.tiling.id(w.key, kind, first+number)
		if b.scores == nil {
			b.scores = make([]game.Score, BlockPositions)
		}
		if b.present, err = has(w.out, id.key()); err == nil && b.present {
			b.stamp, err = w.db.ReadBlock(id, b.scores[:id.positions])
		}
		return err
	}
	take := func(number int, b *block) error {
		if b.present && len(stamps) == number {
			stamps = append(stamps, b.stamp)
		}
		return nil
	}
	if err := inOrder(ctx, w.options.Workers, cap(stamps), read, take); err != nil {
		return nil, err
	}
	w.left = len(stamps) == cap(stamps)
	return stamps, nil
}

// encode cuts the blocks of a piece out of the layer and encodes them.
func (w *layerWriter) encode(kind solver.Kind, p piece, c *cut) {
	s := w.tiling.shape(p.mover)
	strips := min(s.strips-p.strip, stripsAtOnce)
	first := w.tiling.first[p.mover] + p.band*s.strips + p.strip
	rows := w.tiling.area(first).rows
	rank := w.index.Mirrored(w.key.Beans - p.mover)
	settled := p.settled != nil
	c.grow(s.columns, strips, settled)
	for row := range rows {
		at := p.band*s.bandRows + row
		if settled {
			p.settled.Row(at, c.rowMarks)
			from, column := c.rowMarks, p.strip*s.stripColumn
			for _, into := range c.marks[:strips] {
				ranks := rank[column:][:min(s.stripColumn, s.columns-column)]
				into = into[row*len(ranks):][:len(ranks)]
				for i, r := range ranks {
					into[i] = from[r]
				}
				column += len(ranks)
			}
			continue
		}
		w.solved.Copy(kind, w.index.Offset(w.key.Beans, p.mover)+uint64(at)*uint64(s.columns), c.rowScores[:s.columns])
		for i := range strips {
			a := w.tiling.area(first + i)
			into := c.scores[i][row*a.columns:][:a.columns]
			for column, r := range rank[a.column:][:a.columns] {
				into[column] = c.rowScores[r]
			}
		}
	}
	c.values = c.values[:0]
	for i := range strips {
		id := w.tiling.id(w.key, kind, first+i)
		if settled {
			c.values = append(c.values, w.codec.encodeMarked(id, marks{bytes: c.marks[i], count: id.positions}, w.solved.Step()))
		} else {
			c.values = append(c.values, w.codec.encode(id, c.scores[i][:id.positions], nil))
		}
	}
}

// write writes the blocks of a cut, of which the first has the given number, but for
// those that are in the database.
func (w *layerWriter) write(kind solver.Kind, first int, c *cut) error {
	for i, value := range c.values {
		id := w.tiling.id(w.key, kind, first+i)
		w.count(id, stampOf(value))
		if first+i < w.present {
			continue
		}
		if err := w.batch.put(id.key(), value); err != nil {
			return err
		}
	}
	return nil
}

// count takes account of a block that is in the database or on its way there. Blocks
// come in order.
func (w *layerWriter) count(id blockID, stamp blockStamp) {
	w.seal.add(stamp)
	w.blocks++
	w.bytes += uint64(stamp.bytes)
	w.done += uint64(id.positions)
	w.report(Storing, 0, w.done, w.total, 0)
}
