package build

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/store"
)

// Depths builds the depth tables of the layers up to o.Beans that are missing, in
// the order of Build. The scores of these layers and of those below have to be there;
// CheckpointEvery is not used. It returns the manifests of those it built, also when it
// ends early. Each table is on the disk before the next begins. Time and memory are those
// of [PlanDepths].
//
// When the context ends, Depths returns its error; the tables finished so far stay.
// Other errors are those of Build, and ErrNoLayer where scores are missing. It
// fails with solver.ErrTooDeep at a layer with DTCs above solver.MaxDTC, if there is any.
func Depths(ctx context.Context, db *tablebase.DB, o Options) ([]format.DepthManifest, error) {
	w, err := db.Writer()
	if err != nil {
		return nil, err
	}
	defer w.Release()
	if err := o.check(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	b := &depthBuilder{builder: builder{
		db: db, out: w, codec: format.NewCodec(), options: o, index: index.New(o.Game.Width(), o.Beans), lower: held.NewLayers(o.Game, o.Beans),
	}}
	defer b.free()
	if err := b.prepareDepths(); err != nil {
		return nil, err
	}
	if err := held.RemoveSpills(db.Dir()); err != nil {
		return nil, err
	}
	b.progress.DTC = true
	var built []format.DepthManifest
	for _, cost := range b.plan.Layers {
		m, err := b.layer(ctx, cost)
		if err != nil {
			return built, fmt.Errorf("build depths of %v: %w", cost.Key, err)
		}
		built = append(built, m)
	}
	return built, nil
}

// depthBuilder is a run of Depths.
type depthBuilder struct{ builder }

// prepareDepths prepares to build depth tables.
func (b *depthBuilder) prepareDepths() error {
	return b.prepare(PlanDepths, func(k format.Key) error {
		_, err := b.db.DepthManifest(k)
		return err
	}, format.ErrNoDepths, func(beans int) uint64 {
		cells, _ := solver.DepthFootprint(b.index, beans, b.options.Workers)
		return cells
	})
}

// layer builds the depth table of one layer and makes it readable.
func (b *depthBuilder) layer(ctx context.Context, cost LayerCost) (format.DepthManifest, error) {
	if err := ctx.Err(); err != nil {
		return format.DepthManifest{}, err
	}
	scores, err := b.db.Manifest(cost.Key)
	if err != nil {
		return format.DepthManifest{}, err
	}
	_, files := b.lower.Size()
	if err := b.out.Room(cost.Bytes + cost.Kept - min(cost.Kept, files)); err != nil {
		return format.DepthManifest{}, err
	}
	if err := b.load(ctx, scores); err != nil {
		return format.DepthManifest{}, err
	}
	began := time.Now()
	b.progress.Beans = cost.Key.Beans
	solved, err := b.solve(ctx, cost.Key.Beans)
	if err != nil {
		return format.DepthManifest{}, err
	}
	m, err := b.storeDepths(ctx, scores, solved)
	if err != nil {
		return format.DepthManifest{}, err
	}
	m.Built = time.Now().UTC().Truncate(time.Second)
	m.Seconds = time.Since(began).Seconds()
	if err := b.out.PutDepths(m); err != nil {
		return format.DepthManifest{}, err
	}
	b.progress.RunDone += m.Positions
	b.report(Storing, 0, m.Positions, m.Positions, 0)
	return m, nil
}

// load brings the scores of a layer and of those below it into their forms.
func (b *depthBuilder) load(ctx context.Context, scores format.Manifest) error {
	beans := scores.Beans
	for other, layer := range b.lower.Layers {
		// Scores that are not kept in the form for layers above are loaded anew.
		if layer != nil && other < beans && b.plan.form(other) != ownForm(b.plan.form(other)) && layer[solver.Scores].Spill == nil {
			layer.Free()
			b.lower.Layers[other] = nil
		}
	}
	if err := b.loadBelow(ctx, beans); err != nil {
		return err
	}
	if b.lower.Layers[beans] != nil {
		return nil
	}
	b.progress.Beans = beans
	l := &held.Loader{
		From: b.db, Index: b.index, Workers: b.options.Workers, Scratch: &b.cells, Lower: b.lower,
		Report: func(done, total uint64) { b.report(Loading, 0, done, total, 0) },
	}
	layer, err := l.Load(ctx, scores, ownForm(b.plan.form(beans)))
	if err != nil {
		return err
	}
	b.lower.Layers[beans] = layer
	return nil
}

// solve finds the DTCs of a layer.
func (b *depthBuilder) solve(ctx context.Context, beans int) (*solver.DepthLayer, error) {
	return solver.SolveDepths(ctx, solver.DepthProblem{
		Game: b.options.Game, Index: b.index, Beans: beans, Tables: b.lower, Workers: b.options.Workers, Memory: &b.cells,
		Report: func(p solver.Progress) {
			phase := Converting
			if p.Phase == solver.Sweeping {
				phase = Sweeping
			}
			b.report(phase, p.Sweep, p.Done, p.Total, p.Open)
		},
	})
}

// encodedDepths is a block of depths on its way to the disk.
type encodedDepths struct {
	id    format.BlockID
	dtcs  []game.DTC
	value []byte
}

// storeDepths writes the blocks of a depth table and returns its manifest but for the
// time. Blocks that a build has left which was stopped are deleted first.
func (b *depthBuilder) storeDepths(ctx context.Context, scores format.Manifest, solved *solver.DepthLayer) (format.DepthManifest, error) {
	key := scores.Key()
	left, err := b.out.Keys(format.LayerKey(format.DepthBlockPrefix, key), 1)
	if err == nil && len(left) > 0 {
		err = b.out.Drop(format.LayerKey(format.DepthBlockPrefix, key))
	}
	if err != nil {
		return format.DepthManifest{}, err
	}
	m := format.DepthManifest{
		Format: format.Version,
		Rules:  key.Rules, Width: key.Width, Beans: key.Beans,
		Positions: solved.Size(), Scores: scores.SHA256,
	}
	total := format.NewDepthSummary()
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return total.Add(ctx, m.Positions, solved.Copy) })
	group.Go(func() error { return b.writeDepths(ctx, solved, &m) })
	if err := group.Wait(); err != nil {
		return format.DepthManifest{}, err
	}
	total.Fill(&m)
	// Blocks are on the disk before a manifest says so.
	return m, b.out.Sync()
}

// writeDepths encodes and writes all blocks, and counts them in a manifest.
func (b *depthBuilder) writeDepths(ctx context.Context, solved *solver.DepthLayer, m *format.DepthManifest) error {
	key, t := m.Key(), format.NewBlocking(b.index, m.Beans)
	writer, seal, done := &store.Batch{To: b.out}, format.NewSeal(), uint64(0)
	encode := func(number int, e *encodedDepths) error {
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
	write := func(_ int, e *encodedDepths) error {
		stamp := format.StampOf(e.value)
		seal.Add(stamp)
		m.Blocks++
		m.Bytes += uint64(stamp.Bytes)
		done += uint64(e.id.Positions)
		b.report(Storing, 0, done, m.Positions, 0)
		return writer.Put(e.id.StoreKey(), e.value)
	}
	if err := held.InOrder(ctx, b.options.Workers, t.Blocks(), encode, write); err != nil {
		return err
	}
	m.Seal = seal.Text()
	return writer.Flush()
}
