package build

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
)

// Depths builds the depth tables of the layers up to o.Beans that are missing, in
// the order of Scores. The scores of these layers and of those below have to be there;
// CheckpointEvery is not used. It returns the manifests of those it built, also when it
// ends early. Each table is on the disk before the next begins. Time and memory are those
// of [PlanDepths].
//
// When the context ends, Depths returns its error; the tables finished so far stay.
// Other errors are those of Scores, and ErrNoLayer where scores are missing. It
// fails with solver.ErrTooDeep at a layer with DTCs above solver.MaxDTC, if there is any.
func Depths(ctx context.Context, db *tablebase.DB, o Options) ([]format.DepthManifest, error) {
	return run(ctx, db, o, func(b *builder) trade[format.DepthManifest] {
		b.progress.DTC = true
		return trade[format.DepthManifest]{
			name: "build depths of", plan: PlanDepths, stored: db.DepthManifest, absent: format.ErrNoDepths, layer: b.depths,
			footprint: func(beans int) uint64 {
				cells, _ := solver.DepthFootprint(b.index, beans, b.options.Workers)
				return cells
			},
		}
	})
}

// depths builds the depth table of one layer and makes it readable.
func (b *builder) depths(ctx context.Context, cost LayerCost) (format.DepthManifest, error) {
	beans := cost.Key.Beans
	scores, err := b.db.Manifest(cost.Key)
	if err != nil {
		return format.DepthManifest{}, err
	}
	_, files := b.lower.Size()
	if err := b.out.Room(cost.Bytes + cost.Kept - min(cost.Kept, files)); err != nil {
		return format.DepthManifest{}, err
	}
	for lower, layer := range b.lower.Layers {
		// Scores that are not kept in the form for layers above are loaded anew.
		if layer != nil && lower < beans && b.plan.form(lower) == held.Spilled && !layer.Spilled() {
			b.lower.Drop(lower)
		}
	}
	if err := b.loadBelow(ctx, beans); err != nil {
		return format.DepthManifest{}, err
	}
	if err := b.load(ctx, scores, ownForm(b.plan.form(beans))); err != nil {
		return format.DepthManifest{}, err
	}
	began := time.Now()
	b.progress.Beans = beans
	solved, err := solver.SolveDepths(ctx, solver.DepthProblem{
		Game: b.options.Game, Index: b.index, Beans: beans, Tables: b.lower, Workers: b.options.Workers, Memory: &b.cells,
		Report: b.solving(new(bool)),
	})
	if err != nil {
		return format.DepthManifest{}, err
	}
	m, err := b.storeDepths(ctx, scores, solved)
	if err != nil {
		return format.DepthManifest{}, err
	}
	m.Made = format.MadeSince(began)
	if err := b.out.PutDepths(m); err != nil {
		return format.DepthManifest{}, err
	}
	b.progress.RunDone += m.Positions
	b.report(Storing, 0, m.Positions, m.Positions, 0)
	return m, nil
}

// storeDepths writes the blocks of a depth table and returns its manifest, except for its
// making. Blocks that a build has left which was stopped are deleted first.
func (b *builder) storeDepths(ctx context.Context, scores format.Manifest, solved *solver.DepthLayer) (format.DepthManifest, error) {
	prefix := format.LayerKey(format.DepthBlockPrefix, scores.Key())
	left, err := b.out.Keys(prefix, 1)
	if err == nil && len(left) > 0 {
		err = b.out.Drop(prefix)
	}
	if err != nil {
		return format.DepthManifest{}, err
	}
	m := format.DepthManifest{Head: format.HeadOf(scores.Key(), solved.Size()), Scores: scores.SHA256}
	total := format.NewDepthSummary()
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return total.Add(ctx, m.Positions, solved.Copy) })
	group.Go(func() (err error) {
		m.Stored, err = b.writeDepths(ctx, m.Key(), solved)
		return err
	})
	if err := group.Wait(); err != nil {
		return format.DepthManifest{}, err
	}
	total.Fill(&m)
	// Blocks are on the disk before a manifest says so.
	return m, b.out.Sync()
}

// writeDepths encodes and writes all blocks of a depth table.
func (b *builder) writeDepths(ctx context.Context, key format.Key, solved *solver.DepthLayer) (format.Stored, error) {
	type encoded struct {
		id    format.BlockID
		dtcs  []game.DTC
		value []byte
	}
	t, sink := format.NewBlocking(b.index, key.Beans), b.newSink(solved.Size())
	encode := func(number int, e *encoded) error {
		if e.dtcs == nil {
			e.dtcs = make([]game.DTC, format.BlockPositions)
		}
		a := t.Area(number)
		e.id = t.ID(key, solver.Depths, number)
		ranks := b.index.Mirrored(key.Beans - a.Mover)[a.Column:][:a.Columns]
		for row := range a.Rows {
			solved.Gather(a.Mover, a.Row+row, ranks, e.dtcs[row*a.Columns:][:a.Columns])
		}
		e.value = b.codec.EncodeDepths(e.id, e.dtcs[:a.Positions()])
		return nil
	}
	write := func(_ int, e *encoded) error { return sink.put(e.id, e.value) }
	if err := held.InOrder(ctx, b.options.Workers, t.Blocks(), encode, write); err != nil {
		return format.Stored{}, err
	}
	return sink.tally.Stored(), sink.batch.Flush()
}
