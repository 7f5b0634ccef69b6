package tablebase

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sync/errgroup"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
)

// store writes the blocks of a solved layer and returns its manifest but for the
// time.
func (b *builder) store(ctx context.Context, key Key, solved *solver.Layer) (Manifest, error) {
	m := Manifest{
		Format: FormatVersion,
		Rules:  key.Rules, Width: key.Width, Beans: key.Beans,
		Positions: solved.Size(),
		Endless:   solved.Leaning(),
		Sweeps:    solved.Sweeps(),
		Settled:   solved.Leaning() == 0 && !b.leansBelow(key.Beans),
	}
	total := newSummary()
	w := &layerWriter{builder: b, solved: solved, key: key, tiling: newTiling(b.index, key.Beans), batch: &batch{store: b.db.store}, seal: newSealHash()}
	w.total = uint64(m.tables()) * m.Positions
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		for kind := range m.tables() {
			err := total.addTable(ctx, solver.Kind(kind), m.Positions, func(first uint64, dst []game.Score) ([]game.Score, error) {
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
	return m, b.db.store.sync()
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
	row    []game.Score   // one mover's row, in index order
	scores [][]game.Score // by strip of the cut
	free   [][]bool
	values [][]byte
}

// table writes one table of the layer.
func (w *layerWriter) table(ctx context.Context, kind solver.Kind, settled bool) error {
	for mover := range w.key.Beans + 1 {
		if settled {
			if err := w.solved.Settle(ctx, mover, &w.settled); err != nil {
				return err
			}
		}
		s := w.tiling.shape(mover)
		cuts := (s.strips + stripsAtOnce - 1) / stripsAtOnce
		encode := func(number int, c *cut) error {
			w.encode(kind, settled, mover, number/cuts, number%cuts*stripsAtOnce, c)
			return nil
		}
		write := func(number int, c *cut) error {
			return w.write(kind, w.tiling.first[mover]+number/cuts*s.strips+number%cuts*stripsAtOnce, c)
		}
		if err := inOrder(ctx, w.options.Workers, s.bands*cuts, encode, write); err != nil {
			return err
		}
	}
	return nil
}

// encode cuts the blocks of a band out of the layer, from a strip on, and encodes
// them.
func (w *layerWriter) encode(kind solver.Kind, settled bool, mover, band, strip int, c *cut) {
	s := w.tiling.shape(mover)
	first := w.tiling.first[mover] + band*s.strips + strip
	strips := min(s.strips-strip, stripsAtOnce)
	c.values = c.values[:0]
	for len(c.scores) < strips {
		c.scores = append(c.scores, nil)
		c.free = append(c.free, nil)
	}
	if cap(c.row) < s.columns {
		c.row = make([]game.Score, s.columns)
	}
	c.row = c.row[:s.columns]
	rank := w.index.Mirrored(w.key.Beans - mover)
	rows := w.tiling.area(first).rows
	for i := range strips {
		c.scores[i] = c.scores[i][:0]
		c.free[i] = c.free[i][:0]
	}
	for row := band * s.bandRows; row < band*s.bandRows+rows; row++ {
		w.solved.Copy(kind, w.index.Offset(w.key.Beans, mover)+uint64(row)*uint64(s.columns), c.row)
		for i := range strips {
			a := (strip + i) * s.stripColumn
			for _, column := range rank[a:min(a+s.stripColumn, s.columns)] {
				c.scores[i] = append(c.scores[i], c.row[column])
				if settled {
					c.free[i] = append(c.free[i], w.settled.Has(row, int(column)))
				}
			}
		}
	}
	for i := range strips {
		free := c.free[i]
		if !settled {
			free = nil
		}
		c.values = append(c.values, w.db.codec.encode(w.tiling.id(w.key, kind, first+i), c.scores[i], free))
	}
}

// write writes the blocks of a cut, of which the first has the given number.
func (w *layerWriter) write(kind solver.Kind, first int, c *cut) error {
	for i, value := range c.values {
		id := w.tiling.id(w.key, kind, first+i)
		stamp := stampOf(value)
		w.seal.add(stamp)
		w.blocks++
		w.bytes += uint64(stamp.bytes)
		w.done += uint64(id.positions)
		if err := w.batch.put(id.key(), value); err != nil {
			return err
		}
	}
	w.report(Storing, 0, w.done, w.total, 0)
	return nil
}
