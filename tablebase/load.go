package tablebase

import (
	"context"
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/memory"
)

// loader reads stored layers into memory, where they can serve the solver.
type loader struct {
	db      *DB
	index   *index.Index
	workers int
	packed  bool
	// scratch holds a layer while it is brought into its packed form. It may be nil
	// where packed is not set. Solving uses the same memory.
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

// load reads all tables of a layer. The layers below have to be in lower if the
// manifest says that the layer holds lower bounds.
func (l *loader) load(ctx context.Context, m Manifest) (*flatLayer, error) {
	layer := new(flatLayer)
	for kind := range layer {
		if kind >= m.tables() {
			layer[kind] = layer[solver.Scores]
			continue
		}
		table, err := l.table(ctx, m, solver.Kind(kind))
		if err != nil {
			layer.free()
			return nil, err
		}
		layer[kind] = table
	}
	return layer, nil
}

// table reads one table of a layer.
func (l *loader) table(ctx context.Context, m Manifest, kind solver.Kind) (*flat, error) {
	f, err := newFlat(m.Beans, m.Positions, l.packed && m.Endless == 0)
	if err != nil {
		return nil, err
	}
	scores := f.scores
	if f.packed != nil {
		bytes, err := l.scratch.Bytes(int(m.Positions))
		if err != nil {
			f.block.Free()
			return nil, fmt.Errorf("%w: %w", ErrMemory, err)
		}
		scores = asScores(bytes)
	}
	if err := l.fill(ctx, m, kind, scores); err != nil {
		f.block.Free()
		return nil, err
	}
	if f.packed != nil {
		f.write(0, scores)
	}
	return f, nil
}

// fill sets the scores of a layer, in index order, from the blocks of a table.
func (l *loader) fill(ctx context.Context, m Manifest, kind solver.Kind, scores []game.Score) error {
	g, err := game.New(m.Rules, m.Width)
	if err != nil {
		return err
	}
	t := newTiling(l.index, m.Beans)
	read := func(number int, b *loadedBlock) error {
		b.id = t.id(m.Key(), kind, number)
		if b.scores == nil {
			b.scores = make([]game.Score, BlockPositions)
		}
		decoded := b.scores[:b.id.positions]
		if b.stamp, b.err = l.db.readBlock(b.id, decoded); b.err != nil {
			return nil
		}
		a := t.area(number)
		rank := l.index.Mirrored(m.Beans - a.mover)[a.column:][:a.columns]
		columns := l.index.Rows(m.Beans - a.mover)
		for row := range a.rows {
			into := scores[l.index.Offset(m.Beans, a.mover)+uint64(a.row+row)*columns:][:columns]
			for column, score := range decoded[row*a.columns:][:a.columns] {
				into[rank[column]] = score
			}
		}
		return nil
	}
	if err := inOrder(ctx, l.workers, t.blocks(), read, l.take(m)); err != nil {
		return err
	}
	if !m.Settled {
		return nil
	}
	return solver.Resolve(ctx, solver.Problem{
		Game: g, Index: l.index, Beans: m.Beans, Lower: l.lower, Workers: l.workers,
	}, scores)
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
			b.stamp, b.err = l.db.readBlock(b.id, b.scores[:b.id.positions])
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
		l.db.store.trim()
		if l.report != nil {
			l.report(done, m.Positions)
		}
		if l.block == nil || b.err != nil && ClassOf(b.err) != ClassBadData {
			return b.err
		}
		l.block(b.id, b.stamp, b.err)
		return nil
	}
}
