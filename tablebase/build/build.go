package build

import (
	"context"
	"errors"
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/memory"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/store"
)

// trade is one kind of tables to build, where scores and depths differ.
type trade[M any] struct {
	name string // in errors
	plan func(o Options, have func(format.Key) bool) Plan
	// stored returns the manifest of a table, or an error that wraps absent if it has not
	// been built.
	stored func(k format.Key) (M, error)
	absent error
	// footprint returns the bytes of a layer's cells while it is solved.
	footprint func(beans int) uint64
	// layer solves one layer, stores it and makes it readable.
	layer func(ctx context.Context, cost LayerCost) (M, error)
}

// builder is a run of Scores or of Depths.
type builder struct {
	db       *tablebase.DB
	out      *tablebase.Writer
	codec    *format.Codec
	options  Options
	index    *index.Index
	plan     Plan
	cells    memory.Block // of the layer in work
	first    memory.Block // first looks at it, where there is memory for them
	lower    *held.Layers
	next     *held.Layer // where the layer that is being stored will serve those above; nil if there are none
	progress Progress
}

// run builds the tables of a trade that are missing, and returns the manifests of those it
// built, also when it ends early.
func run[M any](ctx context.Context, db *tablebase.DB, o Options, tradeOf func(b *builder) trade[M]) ([]M, error) {
	w, err := db.Writer()
	if err != nil {
		return nil, err
	}
	defer w.Release()
	if err := o.check(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	b := &builder{
		db: db, out: w, codec: format.NewCodec(), options: o, index: index.New(o.Game.Width(), o.Beans),
		lower: held.NewLayers(o.Game, o.Beans),
	}
	defer b.free()
	t := tradeOf(b)
	if err := prepare(b, t); err != nil {
		return nil, err
	}
	if err := errors.Join(tidyCheckpoints(db), held.RemoveSpills(db.Dir())); err != nil {
		return nil, err
	}
	var built []M
	for _, cost := range b.plan.Layers {
		if err := ctx.Err(); err != nil {
			return built, fmt.Errorf("%s %v: %w", t.name, cost.Key, err)
		}
		m, err := t.layer(ctx, cost)
		if err != nil {
			return built, fmt.Errorf("%s %v: %w", t.name, cost.Key, err)
		}
		built = append(built, m)
	}
	return built, nil
}

// prepare finds out which tables are missing and how lower layers are kept, and takes the
// memory for the largest layer.
func prepare[M any](b *builder, t trade[M]) error {
	var failed error
	b.plan = t.plan(b.options, func(k format.Key) bool {
		_, err := t.stored(k)
		if failed == nil && !errors.Is(err, t.absent) {
			failed = err
		}
		return err == nil
	})
	if failed != nil {
		return failed
	}
	if err := b.plan.CheckMemory(); err != nil {
		return err
	}
	cells := uint64(0)
	for _, layer := range b.plan.Layers {
		b.progress.RunTotal += layer.Positions
		cells = max(cells, t.footprint(layer.Key.Beans))
	}
	if _, err := b.cells.Bytes(int(cells)); err != nil {
		return fmt.Errorf("%w: %w", held.ErrMemory, err)
	}
	return nil
}

// free gives all memory back.
func (b *builder) free() {
	b.lower.Free()
	if b.next != nil {
		b.next.Free()
	}
	b.cells.Free()
	b.first.Free()
}

// loadBelow brings the layers below one into their forms, and only those.
func (b *builder) loadBelow(ctx context.Context, beans int) error {
	for other, layer := range b.lower.Layers {
		if layer != nil && (other > beans || (beans-other)%2 != 0) {
			b.lower.Drop(other)
		}
	}
	for lower := beans % 2; lower < beans; lower += 2 {
		m, err := b.db.Manifest(format.KeyOf(b.options.Game, lower))
		if err == nil {
			err = b.load(ctx, m, b.plan.form(lower))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// load brings the scores of a layer into a form, unless they are there.
func (b *builder) load(ctx context.Context, m format.Manifest, as held.Form) error {
	if b.lower.Layers[m.Beans] != nil {
		return nil
	}
	b.progress.Beans, b.progress.Resumed = m.Beans, false
	l := &held.Loader{
		From: b.db, Index: b.index, Workers: b.options.Workers, Scratch: &b.cells, Lower: b.lower,
		Report: func(done, total uint64) { b.report(Loading, 0, done, total, 0) },
	}
	return l.Load(ctx, m, as)
}

// solving returns what tells the caller how far solving is.
func (b *builder) solving(resumed *bool) func(p solver.Progress) {
	return func(p solver.Progress) {
		phase := Converting
		if p.Phase == solver.Sweeping {
			phase = Sweeping
		}
		b.progress.Resumed = *resumed
		b.report(phase, p.Sweep, p.Done, p.Total, p.Open)
	}
}

// report tells the caller how far the build is.
func (b *builder) report(phase Phase, sweep int, done, total, open uint64) {
	if b.options.Report == nil {
		return
	}
	p := &b.progress
	p.Phase, p.Sweep, p.Done, p.Total, p.Open = phase, sweep, done, total, open
	b.options.Report(*p)
}

// sink writes the blocks of a layer in their order, and takes account of them.
type sink struct {
	builder     *builder
	batch       *store.Batch
	tally       *format.Tally
	done, total uint64 // positions
}

// newSink returns a sink for blocks of this many positions in all.
func (b *builder) newSink(total uint64) sink {
	return sink{builder: b, batch: &store.Batch{To: b.out}, tally: format.NewTally(), total: total}
}

// put writes the next block.
func (s *sink) put(id format.BlockID, value []byte) error {
	s.count(id, format.StampOf(value))
	return s.batch.Put(id.StoreKey(), value)
}

// count takes account of the next block, which is in the database or on its way there.
func (s *sink) count(id format.BlockID, stamp format.Stamp) {
	s.tally.Add(stamp)
	s.done += uint64(id.Positions)
	s.builder.report(Storing, 0, s.done, s.total, 0)
}
