package held

import (
	"context"
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/memory"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

// Source is an open database, as far as a loader needs it.
type Source interface {
	// ReadBlock reads a block and decodes it into scores, which have its length.
	ReadBlock(id format.BlockID, scores []game.Score) (format.Stamp, error)
	// SpillDir returns the directory for files that come and go, or "".
	SpillDir() string
	Values() store.Reader
}

// Loader reads stored layers and brings them into a form that can serve the solver.
type Loader struct {
	From    Source
	Index   *index.Index
	Workers int
	// Scratch holds a rectangle of a layer on its way to a form that is not bytewise.
	Scratch *memory.Block
	Lower   *Layers // the layers that are at hand, to which loaded ones are added
	Report  func(done, total uint64)
	// Block, if not nil, is given each block in order, also those that can't be read. Where
	// it returns no error reading goes on; what is loaded is of no use then.
	Block func(b Block) error
}

// Load reads all tables of a layer, brings them into a form, and adds the layer to Lower. The
// layers below have to be there if the manifest says that the layer holds lower bounds.
func (l *Loader) Load(ctx context.Context, m format.Manifest, as Form) error {
	layer := new(Layer)
	for kind := range layer {
		if kind >= m.Tables() {
			layer[kind] = layer[solver.Scores]
			continue
		}
		table, err := l.table(ctx, m, solver.Kind(kind), as)
		if err != nil {
			layer.Free()
			return err
		}
		layer[kind] = table
	}
	l.Lower.Layers[m.Beans] = layer
	return nil
}

// table reads one table of a layer.
func (l *Loader) table(ctx context.Context, m format.Manifest, kind solver.Kind, as Form) (*Table, error) {
	if (as == Packed || as == Squeezed) && m.Endless > 0 {
		as = Bytewise
	}
	f, err := NewTable(m.Beans, m.Positions, as, l.From.SpillDir())
	if err != nil {
		return nil, err
	}
	if can(m.Beans, as) == Squeezed {
		f.lowest = make([]uint64, 0, Listed(m))
	}
	if err := l.fill(ctx, m, kind, f); err != nil {
		f.Free()
		return nil, err
	}
	return f, nil
}

// fill sets a table from its blocks, rectangle by rectangle.
func (l *Loader) fill(ctx context.Context, m format.Manifest, kind solver.Kind, f *Table) error {
	g, err := game.New(m.Rules, m.Width)
	if err != nil {
		return err
	}
	t := format.NewBlocking(l.Index, m.Beans)
	take := l.take(m)
	for mover := range m.Beans + 1 {
		first := l.Index.Offset(m.Beans, mover)
		size := l.Index.Rows(mover) * l.Index.Rows(m.Beans-mover)
		var scores []game.Score
		if f.Scores != nil {
			scores = f.Scores[first:][:size]
		} else {
			bytes, err := l.Scratch.Bytes(int(size))
			if err != nil {
				return fmt.Errorf("%w: %w", ErrMemory, err)
			}
			scores = format.Scores(bytes)
		}
		if err := l.rectangle(ctx, t, m.Key(), kind, mover, scores, take); err != nil {
			return err
		}
		if m.Settled {
			err := solver.Resolve(ctx, solver.Problem{
				Game: g, Index: l.Index, Beans: m.Beans, Lower: l.Lower, Workers: l.Workers,
			}, mover, scores)
			if err != nil {
				return err
			}
		}
		if f.Scores != nil {
			continue
		}
		if err := f.Write(first, scores); err != nil {
			return err
		}
	}
	return nil
}

// rectangle sets the scores of one rectangle, in index order, from the blocks of a
// table.
func (l *Loader) rectangle(ctx context.Context, t *format.Blocking, key format.Key, kind solver.Kind, mover int, scores []game.Score, take func(Block) error) error {
	mirrored, columns := l.Index.Mirrored(key.Beans-mover), int(l.Index.Rows(key.Beans-mover))
	place := func(a format.Area, decoded []game.Score) {
		rank := mirrored[a.Column:][:a.Columns]
		for row := range a.Rows {
			into := scores[(a.Row+row)*columns:][:columns]
			for column, score := range decoded[row*a.Columns:][:a.Columns] {
				into[rank[column]] = score
			}
		}
	}
	from, to := t.Rectangle(mover)
	return ReadBlocks(ctx, l.Workers, t, key, kind, from, to, l.From.ReadBlock, place, take)
}

// Skim reads all blocks of a layer and keeps nothing.
func (l *Loader) Skim(ctx context.Context, m format.Manifest) error {
	t := format.NewBlocking(l.Index, m.Beans)
	for kind := range m.Tables() {
		nowhere := func(format.Area, []game.Score) {}
		err := ReadBlocks(ctx, l.Workers, t, m.Key(), solver.Kind(kind), 0, t.Blocks(), l.From.ReadBlock, nowhere, l.take(m))
		if err != nil {
			return err
		}
	}
	return nil
}

// take returns what takes blocks in their order.
func (l *Loader) take(m format.Manifest) func(Block) error {
	done := uint64(0)
	return func(b Block) error {
		done += uint64(b.ID.Positions)
		l.From.Values().Trim()
		if l.Report != nil {
			l.Report(done, m.Positions)
		}
		if l.Block == nil {
			return b.Err
		}
		return l.Block(b)
	}
}
