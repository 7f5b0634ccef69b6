package tablebase

import (
	"context"
	"fmt"

	"bohnenspiel/tablebase/fault"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/memory"
)

// source is an open database, as far as a loader needs it.
type source interface {
	// ReadBlock reads a block and decodes it into scores, which have its length.
	ReadBlock(id blockID, scores []game.Score) (blockStamp, error)
	// SpillDir returns the directory for files that come and go, or "".
	SpillDir() string
	Values() values
}

// loader reads stored layers and brings them into a form that can serve the solver.
type loader struct {
	from    source
	index   *index.Index
	workers int
	// scratch holds a rectangle of a layer on its way to a form that is not bytewise.
	scratch *memory.Block
	lower   *flats // the layers below those to be loaded
	report  func(done, total uint64)
	// block, if not nil, is told of each block in order. Where one is bad data it is told
	// the error, and reading goes on; what is loaded is of no use then.
	block func(id blockID, stamp blockStamp, err error)
}

// loadedBlock is a block on its way from the disk to the memory of its layer.
type loadedBlock struct {
	id     blockID
	scores []game.Score
	stamp  blockStamp
	err    error
}

// load reads all tables of a layer and brings them into a form. The layers below have
// to be in lower if the manifest says that the layer holds lower bounds.
func (l *loader) load(ctx context.Context, m Manifest, as form) (*flatLayer, error) {
	layer := new(flatLayer)
	for kind := range layer {
		if kind >= m.tables() {
			layer[kind] = layer[solver.Scores]
			continue
		}
		table, err := l.table(ctx, m, solver.Kind(kind), as)
		if err != nil {
			layer.free()
			return nil, err
		}
		layer[kind] = table
	}
	return layer, nil
}

// table reads one table of a layer.
func (l *loader) table(ctx context.Context, m Manifest, kind solver.Kind, as form) (*flat, error) {
	if (as == packed || as == squeezed) && m.Endless > 0 {
		as = bytewise
	}
	f, err := newFlat(m.Beans, m.Positions, as, l.from.SpillDir())
	if err != nil {
		return nil, err
	}
	if can(m.Beans, as) == squeezed {
		f.lowest = make([]uint64, 0, listed(m))
	}
	if err := l.fill(ctx, m, kind, f); err != nil {
		f.free()
		return nil, err
	}
	return f, nil
}

// fill sets a table from its blocks, rectangle by rectangle.
func (l *loader) fill(ctx context.Context, m Manifest, kind solver.Kind, f *flat) error {
	g, err := game.New(m.Rules, m.Width)
	if err != nil {
		return err
	}
	t := newTiling(l.index, m.Beans)
	take := l.take(m)
	for mover := range m.Beans + 1 {
		first := l.index.Offset(m.Beans, mover)
		size := l.index.Rows(mover) * l.index.Rows(m.Beans-mover)
		var scores []game.Score
		if f.scores != nil {
			scores = f.scores[first:][:size]
		} else {
			bytes, err := l.scratch.Bytes(int(size))
			if err != nil {
				return fmt.Errorf("%w: %w", ErrMemory, err)
			}
			scores = asScores(bytes)
		}
		if err := l.rectangle(ctx, t, m.Key(), kind, mover, scores, take); err != nil {
			return err
		}
		if m.Settled {
			err := solver.Resolve(ctx, solver.Problem{
				Game: g, Index: l.index, Beans: m.Beans, Lower: l.lower, Workers: l.workers,
			}, mover, scores)
			if err != nil {
				return err
			}
		}
		if f.scores != nil {
			continue
		}
		if err := f.write(first, scores); err != nil {
			return err
		}
	}
	return nil
}

// rectangle sets the scores of one rectangle, in index order, from the blocks of a
// table.
func (l *loader) rectangle(ctx context.Context, t *tiling, key Key, kind solver.Kind, mover int, scores []game.Score, take func(int, *loadedBlock) error) error {
	mirrored, columns := l.index.Mirrored(key.Beans-mover), int(l.index.Rows(key.Beans-mover))
	read := func(number int, b *loadedBlock) error {
		number += t.first[mover]
		b.id = t.id(key, kind, number)
		if b.scores == nil {
			b.scores = make([]game.Score, BlockPositions)
		}
		decoded := b.scores[:b.id.positions]
		if b.stamp, b.err = l.from.ReadBlock(b.id, decoded); b.err != nil {
			return nil
		}
		a := t.area(number)
		rank := mirrored[a.column:][:a.columns]
		for row := range a.rows {
			into := scores[(a.row+row)*columns:][:columns]
			for column, score := range decoded[row*a.columns:][:a.columns] {
				into[rank[column]] = score
			}
		}
		return nil
	}
	return inOrder(ctx, l.workers, t.first[mover+1]-t.first[mover], read, take)
}

// skim reads all blocks of a layer and keeps nothing.
func (l *loader) skim(ctx context.Context, m Manifest) error {
	t := newTiling(l.index, m.Beans)
	for kind := range m.tables() {
		read := func(number int, b *loadedBlock) error {
			b.id = t.id(m.Key(), solver.Kind(kind), number)
			if b.scores == nil {
				b.scores = make([]game.Score, BlockPositions)
			}
			b.stamp, b.err = l.from.ReadBlock(b.id, b.scores[:b.id.positions])
			return nil
		}
		if err := inOrder(ctx, l.workers, t.blocks(), read, l.take(m)); err != nil {
			return err
		}
	}
	return nil
}

// take returns what takes loaded blocks in their order.
func (l *loader) take(m Manifest) func(int, *loadedBlock) error {
	done := uint64(0)
	return func(_ int, b *loadedBlock) error {
		done += uint64(b.id.positions)
		l.from.Values().trim()
		if l.report != nil {
			l.report(done, m.Positions)
		}
		if l.block == nil || b.err != nil && fault.ClassOf(b.err) != fault.BadData {
			return b.err
		}
		l.block(b.id, b.stamp, b.err)
		return nil
	}
}
