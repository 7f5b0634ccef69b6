package tablebase

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// BuildOptions say what to build.
type BuildOptions struct {
	Game   game.Game
	Beans  int    // the last layer
	Parity Parity // which of the layers up to it
	// Workers is the number of goroutines that compute; 0 means one a processor.
	// What is stored does not depend on it.
	Workers int
	// CacheBytes is the budget of decoded blocks of the layers below; 0 means no
	// limit, so that all of them stay in memory.
	CacheBytes int64
	// Report, if not nil, is called from time to time, never by two goroutines at
	// once, with how far the build is.
	Report func(Progress)
}

// Phase is a part of the work on a layer.
type Phase uint8

// The phases, in their order.
const (
	// Converting is the first look at each position: its captures and endings.
	Converting Phase = iota
	// Sweeping is narrowing the scores over moves that take nothing.
	Sweeping
	// Storing is compressing blocks and writing them.
	Storing
)

// String returns "convert", "sweep" or "store".
func (p Phase) String() string {
	return [...]string{"convert", "sweep", "store"}[p]
}

// Progress is how far a build is.
type Progress struct {
	Beans int    // the layer
	Phase Phase  // what is being done
	Sweep int    // the sweep, counted from 1; 0 in other phases
	Done  uint64 // positions passed in this phase or sweep
	Total uint64 // positions of this phase or sweep
	Open  uint64 // positions not solved after the last whole sweep
	// RunDone and RunTotal count the positions of whole layers: those finished in
	// this run, and those to be built in it.
	RunDone, RunTotal uint64
}

// Build builds the layers up to o.Beans that are missing, the smaller first, and
// returns the manifests of those it built, also when it ends early. Each layer is
// on the disk before the next begins. Time and memory are those of [EstimateBuild].
//
// When the context ends, Build returns its error; the layers finished so far stay.
// It returns ErrReadOnly on a database from Open, ErrTooManyBeans when a layer is
// too large for any database, and ErrCorrupt when a layer below is damaged.
func (db *DB) Build(ctx context.Context, o BuildOptions) ([]Manifest, error) {
	db.building.Lock()
	defer db.building.Unlock()
	if db.store.readOnly {
		return nil, fmt.Errorf("%w: %s is open for reading", ErrReadOnly, db.store.dir)
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	b := &builder{
		db:      db,
		options: o,
		index:   index.New(o.Game.Width(), o.Beans),
		lower:   newSource(o.Game, o.Beans, newCache(budgetOr(o.CacheBytes, math.MaxInt64), db.decodeBlock)),
	}
	missing, err := b.plan()
	if err != nil {
		return nil, err
	}
	var built []Manifest
	for _, beans := range missing {
		m, err := b.layer(ctx, beans)
		if err != nil {
			return built, fmt.Errorf("build %v: %w", KeyOf(o.Game, beans), err)
		}
		built = append(built, m)
	}
	return built, nil
}

// check returns an error unless all layers can be built.
func (o BuildOptions) check() error {
	if !(Key{Rules: o.Game.Rules(), Width: o.Game.Width()}).valid() {
		return fmt.Errorf("%w %d: make the game with game.New", game.ErrWidth, o.Game.Width())
	}
	if most := game.MaxBeans(o.Game.Width()); o.Beans < 0 || o.Beans > most {
		return fmt.Errorf("%w: %d, but a board of width %d has 0 to %d", ErrTooManyBeans, o.Beans, o.Game.Width(), most)
	}
	// A layer below is smaller.
	if x := index.New(o.Game.Width(), o.Beans); x.Size(o.Beans) > index.MaxSize || !x.HasRowMoves(o.Beans) {
		return fmt.Errorf("%w: %v has too many positions for any database", ErrTooManyBeans, KeyOf(o.Game, o.Beans))
	}
	return nil
}

// builder is a run of Build.
type builder struct {
	db       *DB
	options  BuildOptions
	index    *index.Index
	lower    *source
	progress Progress
}

// plan returns the layers that are missing, in the order in which to build them, and
// opens the others for reading.
func (b *builder) plan() ([]int, error) {
	var missing []int
	for beans := range b.options.Beans + 1 {
		if !b.options.Parity.Has(beans) {
			continue
		}
		m, err := b.db.Manifest(KeyOf(b.options.Game, beans))
		switch {
		case errors.Is(err, ErrNoLayer):
			missing = append(missing, beans)
			b.progress.RunTotal += b.index.Size(beans)
		case err != nil:
			return nil, err
		default:
			b.lower.add(m)
		}
	}
	return missing, nil
}

// layer builds one layer and makes it readable.
func (b *builder) layer(ctx context.Context, beans int) (Manifest, error) {
	began := time.Now()
	key := KeyOf(b.options.Game, beans)
	if err := ctx.Err(); err != nil {
		return Manifest{}, err
	}
	if err := b.db.dropBlocks(key); err != nil {
		return Manifest{}, err
	}
	b.progress.Beans = beans
	solved, err := solver.Solve(ctx, solver.Problem{
		Game: b.options.Game, Index: b.index, Beans: beans, Lower: b.lower, Workers: b.options.Workers,
		Report: func(p solver.Progress) {
			phase := Converting
			if p.Phase == solver.Sweeping {
				phase = Sweeping
			}
			b.report(phase, p.Sweep, p.Done, p.Total, p.Open)
		},
	})
	if err != nil {
		return Manifest{}, err
	}
	m, err := b.store(ctx, key, solved)
	if err != nil {
		return Manifest{}, err
	}
	m.Built = time.Now().UTC().Truncate(time.Second)
	m.Seconds = time.Since(began).Seconds()
	if err := b.db.putManifest(m); err != nil {
		return Manifest{}, err
	}
	b.db.addLayer(key, m, nil)
	b.lower.add(m)
	b.progress.RunDone += m.Positions
	b.report(Storing, 0, uint64(m.tables())*m.Positions, uint64(m.tables())*m.Positions, 0)
	return m, nil
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

// encodedBlock is a block on its way from the solver to the disk.
type encodedBlock struct {
	id     blockID
	scores []game.Score
	digest digest
	value  []byte
}

// store writes the blocks of a solved layer and returns its manifest but for the
// time.
func (b *builder) store(ctx context.Context, key Key, solved *solver.Layer) (Manifest, error) {
	m := Manifest{
		Format: FormatVersion,
		Rules:  key.Rules, Width: key.Width, Beans: key.Beans,
		Positions:      solved.Size(),
		Endless:        solved.Leaning(),
		BlockPositions: BlockPositions,
		Sweeps:         solved.Sweeps(),
	}
	perTable := blocksOf(m.Positions)
	m.Blocks = uint64(m.tables() * perTable)
	total := newSummary()
	writer := &batch{store: b.db.store}
	encode := func(number int, block *encodedBlock) error {
		first := uint64(number%perTable) * BlockPositions
		block.id = blockID{
			Key: key, kind: solver.Kind(number / perTable), number: uint32(number % perTable),
			positions: int(min(m.Positions-first, BlockPositions)),
		}
		if block.scores == nil {
			block.scores = make([]game.Score, min(m.Positions, BlockPositions))
		}
		block.scores = block.scores[:block.id.positions]
		solved.Copy(block.id.kind, first, block.scores)
		block.digest.of(block.scores)
		block.value = b.db.codec.encode(block.id, block.scores, &block.digest.counts)
		return nil
	}
	done := uint64(0)
	write := func(_ int, block *encodedBlock) error {
		total.add(block.id.kind, &block.digest)
		m.Bytes += uint64(len(block.value))
		done += uint64(block.id.positions)
		b.report(Storing, 0, done, uint64(m.tables())*m.Positions, 0)
		return writer.put(block.id.key(), block.value)
	}
	if err := inOrder(ctx, b.options.Workers, int(m.Blocks), encode, write); err != nil {
		return Manifest{}, err
	}
	if err := writer.flush(); err != nil {
		return Manifest{}, err
	}
	total.fill(&m)
	// Blocks are on the disk before a manifest says so.
	return m, b.db.store.sync()
}

// putManifest writes a manifest, which makes its layer exist.
func (db *DB) putManifest(m Manifest) error {
	value, err := m.encode()
	if err != nil {
		return err
	}
	writer := &batch{store: db.store}
	if err := writer.put(layerKey(manifestPrefix, m.Key()), value); err != nil {
		return err
	}
	if err := writer.flush(); err != nil {
		return err
	}
	return db.store.sync()
}

// dropBlocks deletes the blocks that an earlier build of a layer has left. They are
// never overwritten, since Badger would keep the disk that they take.
func (db *DB) dropBlocks(k Key) error {
	prefix := layerKey(blockPrefix, k)
	left, err := db.store.keys(prefix, 1)
	if err != nil || len(left) == 0 {
		return err
	}
	return db.store.drop(prefix)
}
