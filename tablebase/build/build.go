package build

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/memory"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
)

// Options say what to build.
type Options struct {
	Game   game.Game
	Beans  int           // the last layer
	Parity format.Parity // which of the layers up to it
	// Workers is the number of goroutines that compute; 0 means one a processor.
	// What is stored does not depend on it.
	Workers int
	// Memory is the most bytes that the process may take; 0 means seven eighths of what
	// the machine has. The rest is for the system, which keeps parts of files there.
	// What is stored does not depend on it.
	Memory uint64
	// CheckpointEvery is how long a layer may be in work before its state is kept on
	// the disk, and again after that; 0 means DefaultCheckpointEvery.
	CheckpointEvery time.Duration
	// Report, if not nil, is called from time to time, never by two goroutines at
	// once, with how far the build is.
	Report func(Progress)

	spillFrom int // if not 0, layers of so many beans are spilled even where there is memory
}

// DefaultCheckpointEvery is one minute. A layer that takes longer than twice that
// loses no more than two minutes of work when the process is killed.
const DefaultCheckpointEvery = time.Minute

// Phase is a part of the work on a layer.
type Phase uint8

// The phases, in their order.
const (
	// Loading is reading a layer below that was built earlier.
	Loading Phase = iota
	// Converting is the first look at each position: its captures and endings.
	Converting
	// Sweeping is narrowing the scores over moves that take nothing. Of depths, a sweep
	// finds the positions whose DTC is its number.
	Sweeping
	// Storing is compressing blocks and writing them.
	Storing
)

// String returns "load", "convert", "sweep" or "store".
func (p Phase) String() string {
	return [...]string{"load", "convert", "sweep", "store"}[p]
}

// Progress is how far a build is.
type Progress struct {
	Beans int    // the layer
	DTC   bool   // whether its depths are being built, not its scores
	Phase Phase  // what is being done
	Sweep int    // the sweep, counted from 1; 0 in other phases
	Done  uint64 // positions passed in this phase or sweep
	Total uint64 // positions of this phase or sweep
	Open  uint64 // positions not solved after the last whole sweep
	// Resumed tells that the layer began from a state that an earlier build had kept.
	Resumed bool
	// RunDone and RunTotal count the positions of whole layers: those finished in
	// this run, and those to be built in it.
	RunDone, RunTotal uint64
}

// Scores builds the layers up to o.Beans that are missing, the smaller first, and
// even ones before odd ones. It returns the manifests of those it built, also when
// it ends early. Each layer is on the disk before the next begins. Time and memory
// are those of [PlanScores].
//
// When the context ends, Build returns its error; the layers finished so far stay, and
// the state of a layer that was kept. It returns ErrReadOnly on a database from Open,
// ErrTooManyBeans when a layer is too large for any database, ErrMemory when o.Memory
// is too little, before anything is built, ErrStorage when the disk has no room for a
// layer, before that is begun, and ErrCorrupt when a layer below is damaged.
func Scores(ctx context.Context, db *tablebase.DB, o Options) ([]format.Manifest, error) {
	w, err := db.Writer()
	if err != nil {
		return nil, err
	}
	defer w.Release()
	if err := o.check(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	b := &builder{db: db, out: w, codec: format.NewCodec(), options: o, index: index.New(o.Game.Width(), o.Beans), lower: held.NewLayers(o.Game, o.Beans)}
	defer b.free()
	if err := b.prepareScores(); err != nil {
		return nil, err
	}
	if err := tidyCheckpoints(db); err != nil {
		return nil, err
	}
	if err := held.RemoveSpills(db.Dir()); err != nil {
		return nil, err
	}
	var built []format.Manifest
	for i, cost := range b.plan.Layers {
		m, err := b.layer(ctx, cost, b.plan.firstLooks[i])
		if err != nil {
			return built, fmt.Errorf("build %v: %w", cost.Key, err)
		}
		built = append(built, m)
	}
	return built, nil
}

// check returns an error unless all layers can be built.
func (o Options) check() error {
	if !(format.Key{Rules: o.Game.Rules(), Width: o.Game.Width()}).Valid() {
		return fmt.Errorf("%w %d: make the game with game.New", game.ErrWidth, o.Game.Width())
	}
	if most := game.MaxBeans(o.Game.Width()); o.Beans < 0 || o.Beans > most {
		return fmt.Errorf("%w: %d, but a board of width %d has 0 to %d", format.ErrTooManyBeans, o.Beans, o.Game.Width(), most)
	}
	// A layer below is smaller.
	if x := index.New(o.Game.Width(), o.Beans); x.Size(o.Beans) > index.MaxSize || !x.HasRowMoves(o.Beans) {
		return fmt.Errorf("%w: %v has too many positions for any database", format.ErrTooManyBeans, format.KeyOf(o.Game, o.Beans))
	}
	return nil
}

// builder is a run of Build.
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

// free gives all memory back.
func (b *builder) free() {
	b.lower.Free()
	if b.next != nil {
		b.next.Free()
	}
	b.cells.Free()
	b.first.Free()
}

// prepareScores prepares to build scores.
func (b *builder) prepareScores() error {
	return b.prepare(PlanScores, func(k format.Key) error {
		_, err := b.db.Manifest(k)
		return err
	}, format.ErrNoLayer, func(beans int) uint64 {
		cells, _ := solver.Footprint(b.index, beans, b.options.Workers)
		return cells
	})
}

// prepare finds out which tables are missing and how lower layers are kept, and takes
// the memory for the largest layer. stored returns an error that wraps absent for a
// table that is not there, and footprint the bytes of a layer's cells.
func (b *builder) prepare(plan func(Options, func(format.Key) bool) Plan, stored func(format.Key) error, absent error, footprint func(beans int) uint64) error {
	var failed error
	b.plan = plan(b.options, func(k format.Key) bool {
		err := stored(k)
		if failed == nil && !errors.Is(err, absent) {
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
		cells = max(cells, footprint(layer.Key.Beans))
	}
	if _, err := b.cells.Bytes(int(cells)); err != nil {
		return fmt.Errorf("%w: %w", held.ErrMemory, err)
	}
	return nil
}

// layer builds one layer and makes it readable. It keeps first looks or not.
func (b *builder) layer(ctx context.Context, cost LayerCost, firstLooks bool) (format.Manifest, error) {
	key, beans := cost.Key, cost.Key.Beans
	if err := ctx.Err(); err != nil {
		return format.Manifest{}, err
	}
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
	if firstLooks {
		first = &b.first
	} else {
		b.first.Free()
	}
	solved, err := solver.Solve(ctx, solver.Problem{
		Game: b.options.Game, Index: b.index, Beans: beans, Lower: b.lower, Workers: b.options.Workers,
		Memory: &b.cells, FirstLooks: first, Checkpoint: checkpoint, CheckpointEvery: b.options.CheckpointEvery,
		Report: func(p solver.Progress) {
			phase := Converting
			if p.Phase == solver.Sweeping {
				phase = Sweeping
			}
			b.progress.Resumed = checkpoint.loaded
			b.report(phase, p.Sweep, p.Done, p.Total, p.Open)
		},
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
	m.Built = time.Now().UTC().Truncate(time.Second)
	m.Seconds = time.Since(began).Seconds()
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

// loadBelow brings the layers below one into their forms, and only those.
func (b *builder) loadBelow(ctx context.Context, beans int) error {
	for other, layer := range b.lower.Layers {
		if layer != nil && (other > beans || (beans-other)%2 != 0) {
			layer.Free()
			b.lower.Layers[other] = nil
		}
	}
	for lower := beans % 2; lower < beans; lower += 2 {
		if b.lower.Layers[lower] != nil {
			continue
		}
		m, err := b.db.Manifest(format.KeyOf(b.options.Game, lower))
		if err != nil {
			return err
		}
		b.progress.Beans, b.progress.Resumed = lower, false
		l := &held.Loader{
			From: b.db, Index: b.index, Workers: b.options.Workers, Scratch: &b.cells, Lower: b.lower,
			Report: func(done, total uint64) { b.report(Loading, 0, done, total, 0) },
		}
		if b.lower.Layers[lower], err = l.Load(ctx, m, b.plan.form(lower)); err != nil {
			return err
		}
	}
	return nil
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

// report tells the caller how far the build is.
func (b *builder) report(phase Phase, sweep int, done, total, open uint64) {
	if b.options.Report == nil {
		return
	}
	p := &b.progress
	p.Phase, p.Sweep, p.Done, p.Total, p.Open = phase, sweep, done, total, open
	b.options.Report(*p)
}
