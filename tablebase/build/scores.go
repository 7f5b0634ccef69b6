package build

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/memory"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/fault"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
)

// Scores builds the layers up to o.Beans that are missing, the smaller first, and
// even ones before odd ones. It returns the manifests of those it built, also when
// it ends early. Each layer is on the disk before the next begins. Time and memory
// are those of [PlanScores].
//
// When the context ends, Scores returns its error; the layers finished so far stay, and
// the state of a layer that was kept. It returns ErrReadOnly on a database from Open,
// ErrTooManyBeans when a layer is too large for any database, ErrMemory when o.Memory
// is too little, before anything is built, ErrStorage when the disk has no room for a
// layer, before that is begun, and ErrCorrupt when a layer below is damaged.
func Scores(ctx context.Context, db *tablebase.DB, o Options) ([]format.Manifest, error) {
	return run(ctx, db, o, func(b *builder) trade[format.Manifest] {
		return trade[format.Manifest]{
			name: "build", plan: PlanScores, stored: db.Manifest, absent: format.ErrNoLayer, layer: b.scores,
			footprint: func(beans int) uint64 {
				cells, _ := solver.Footprint(b.index, beans, b.options.Workers)
				return cells
			},
		}
	})
}

// scores builds the scores of one layer and makes them readable.
func (b *builder) scores(ctx context.Context, cost LayerCost) (format.Manifest, error) {
	key, beans := cost.Key, cost.Key.Beans
	checkpoint := newCheckpointFile(b.db.Dir(), key, b.below(beans))
	_, files := b.lower.Size()
	if err := b.out.Room(cost.Bytes + cost.Kept - min(cost.Kept, checkpoint.size()+files)); err != nil {
		return format.Manifest{}, err
	}
	if err := b.loadBelow(ctx, beans); err != nil {
		return format.Manifest{}, err
	}
	began := time.Now()
	b.progress.Beans, b.progress.Resumed = beans, false
	var first *memory.Block
	if cost.firstLooks {
		first = &b.first
	} else {
		b.first.Free()
	}
	solved, err := solver.Solve(ctx, solver.Problem{
		Game: b.options.Game, Index: b.index, Beans: beans, Lower: b.lower, Workers: b.options.Workers,
		Memory: &b.cells, FirstLooks: first, Checkpoint: checkpoint, CheckpointEvery: b.options.CheckpointEvery,
		Report: b.solving(&checkpoint.loaded),
	})
	if err != nil {
		return format.Manifest{}, err
	}
	b.progress.Resumed = checkpoint.loaded
	next, err := b.makeRoom(solved)
	if err != nil {
		return format.Manifest{}, err
	}
	b.next = next
	m, err := b.store(ctx, key, solved, checkpoint.loaded)
	if err != nil {
		return format.Manifest{}, err
	}
	m.Made = format.MadeSince(began)
	if err := b.out.PutLayers(m); err != nil {
		return format.Manifest{}, err
	}
	if err := checkpoint.remove(); err != nil {
		return format.Manifest{}, err
	}
	b.lower.Layers[beans], b.next = next, nil
	b.progress.RunDone += m.Positions
	b.report(Storing, 0, uint64(m.Tables())*m.Positions, uint64(m.Tables())*m.Positions, 0)
	return m, nil
}

// below returns the manifests of the layers below one, which are all there.
func (b *builder) below(beans int) []format.Manifest {
	var below []format.Manifest
	for lower := beans - 2; lower >= 0; lower -= 2 {
		if m, err := b.db.Manifest(format.KeyOf(b.options.Game, lower)); err == nil {
			below = append(below, m)
		}
	}
	return below
}

// makeRoom makes the tables in which a solved layer serves the next ones, still empty; it
// returns nil if there are none.
func (b *builder) makeRoom(solved *solver.Layer) (*held.Layer, error) {
	beans := solved.Beans()
	if beans+2 > b.options.Beans {
		return nil, nil
	}
	as := b.plan.form(beans)
	if as == held.Packed && solved.Leaning() > 0 {
		as = held.Bytewise
	}
	layer := new(held.Layer)
	for kind := range layer {
		if kind > 0 && solved.Leaning() == 0 {
			layer[kind] = layer[solver.Scores]
			continue
		}
		f, err := held.NewTable(beans, solved.Size(), as, b.db.Dir())
		if err != nil {
			layer.Free()
			return nil, err
		}
		layer[kind] = f
	}
	return layer, nil
}

// store writes the blocks of a solved layer and returns its manifest except for the
// time. Blocks that a build has left which was stopped while it stored the layer are
// verified and kept, unless one is damaged; but only if the layer has been solved from
// the state that the same build has kept. Nothing is known of other blocks.
func (b *builder) store(ctx context.Context, key format.Key, solved *solver.Layer, resumed bool) (format.Manifest, error) {
	left, err := b.out.Keys(format.LayerKey(format.BlockPrefix, key), 1)
	if err != nil {
		return format.Manifest{}, err
	}
	if len(left) == 0 {
		return b.storeBeside(ctx, key, solved, false)
	}
	if resumed {
		m, err := b.storeBeside(ctx, key, solved, true)
		if err == nil {
			// There may be blocks that the layer does not have.
			all, err := b.out.Keys(format.LayerKey(format.BlockPrefix, key), int(m.Blocks)+1)
			if err != nil || uint64(len(all)) == m.Blocks {
				return m, err
			}
		} else if fault.ClassOf(err) != fault.BadData {
			return format.Manifest{}, err
		}
	}
	if err := b.out.Drop(format.LayerKey(format.BlockPrefix, key)); err != nil {
		return format.Manifest{}, err
	}
	return b.storeBeside(ctx, key, solved, false)
}

// storeBeside writes those blocks of a solved layer that are not there yet, and copies the
// layer to where it serves the next ones. If left is not set, no block is there.
func (b *builder) storeBeside(ctx context.Context, key format.Key, solved *solver.Layer, left bool) (format.Manifest, error) {
	m := format.Manifest{
		Head:    format.HeadOf(key, solved.Size()),
		Endless: solved.Leaning(),
		Sweeps:  solved.Sweeps(),
		Settled: solved.Leaning() == 0 && !b.leansBelow(key.Beans),
	}
	total := format.NewSummary()
	w := &layerWriter{
		builder: b, sink: b.newSink(uint64(m.Tables()) * m.Positions), solved: solved, key: key, left: left,
		tiling: format.NewBlocking(b.index, key.Beans),
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		for kind := range m.Tables() {
			err := total.AddTable(ctx, solver.Kind(kind), m.Positions, func(first uint64, dst []game.Score) ([]game.Score, error) {
				if b.next != nil {
					return b.next[kind].CopyFrom(solved, solver.Kind(kind), first, dst)
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
		for kind := range m.Tables() {
			if err := w.table(ctx, solver.Kind(kind), m.Settled); err != nil {
				return err
			}
		}
		return w.batch.Flush()
	})
	if err := group.Wait(); err != nil {
		return format.Manifest{}, err
	}
	m.Stored = w.tally.Stored()
	total.Fill(&m)
	// Blocks are on the disk before a manifest says so.
	return m, b.out.Sync()
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
