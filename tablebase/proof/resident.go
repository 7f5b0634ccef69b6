package proof

import (
	"cmp"
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

// ResidentOptions say which layers to bring into memory.
type ResidentOptions struct {
	Game game.Game
	// Parity says which layers; Even and Odd alone make sense, since a search needs one
	// of them.
	Parity format.Parity
	// Beans is the largest layer that is wanted.
	Beans int
	// Memory is what the layers may take, in bytes; 0 means three quarters of what the
	// machine has.
	Memory uint64
	// Time, if not 0, is how long loading may take: it ends before the first layer that, at
	// the speed so far, would not be there in time.
	Time time.Duration
	// Workers is the number of goroutines that decode blocks; 0 means one a processor.
	Workers int
	// Report, if not nil, is called now and then with the layer that is being loaded,
	// and how much of it is.
	Report func(beans int, done, total uint64)
}

// Resident is the scores of some layers of a game in memory: a byte a position, or half
// a byte in even layers that lean on nothing. It looks them up in a fraction of a
// microsecond, and is safe for concurrent use until it is freed.
type Resident struct {
	index  *index.Index
	layers *held.Layers
	top    int
}

// NewResident reads layers into memory, from the lowest one up, as long as they have been
// built, are wanted, and fit. It needs no layer to be there. The time it takes grows
// with the positions; it ends early, with the error of ctx, when ctx ends. Other errors
// are those of reading blocks and ErrMemory.
func NewResident(ctx context.Context, db *tablebase.DB, o ResidentOptions) (*Resident, error) {
	o.Workers, o.Memory = solver.Workers(o.Workers), cmp.Or(o.Memory, held.MostMemory())
	x := db.Index(o.Game.Width())
	r := &Resident{index: x, layers: held.NewLayers(o.Game, o.Beans), top: -1}
	var scratch memory.Block
	defer scratch.Free()
	began, loaded := time.Now(), uint64(0)
	for beans := range o.Beans + 1 {
		if !o.Parity.Has(beans) {
			continue
		}
		m, err := db.Manifest(format.KeyOf(o.Game, beans))
		if errors.Is(err, format.ErrNoLayer) || err == nil && (!r.fits(m, o.Memory) || o.Time > 0 && late(time.Since(began), o.Time, loaded, m.Positions)) {
			break
		}
		if err == nil {
			err = r.load(ctx, db, m, &scratch, o)
		}
		if err != nil {
			r.Free()
			return nil, fmt.Errorf("load %v: %w", format.KeyOf(o.Game, beans), err)
		}
		loaded += m.Positions
	}
	return r, nil
}

// late reports whether loading this many more positions would end after the time there is,
// where those that are loaded took took.
func late(took, most time.Duration, loaded, more uint64) bool {
	const enough = 1 << 16 // positions that tell a speed
	return took > most || loaded > enough && took.Seconds()*float64(loaded+more)/float64(loaded) > most.Seconds()
}

// fits reports whether a layer fits in memory beside those that are there. While it is
// being loaded, a packed one needs room for its largest rectangle besides; a leaning one
// brings two more tables.
func (r *Resident) fits(m format.Manifest, most uint64) bool {
	form, more := held.Squeezed, uint64(0)
	if m.Endless > 0 {
		form, more = held.Bytewise, 2*m.Positions
	} else if held.Squeezable(m.Beans) {
		more = held.Listed(m) * held.ListedBytes
		largest := uint64(0)
		for mover := range m.Beans + 1 {
			largest = max(largest, r.index.Rows(mover)*r.index.Rows(m.Beans-mover))
		}
		more += largest
	}
	return r.Size()+held.TableBytes(m.Beans, m.Positions, form)+more <= most && r.index.HasRowMoves(m.Beans)
}

// load brings one layer into memory. Only its scores stay.
func (r *Resident) load(ctx context.Context, db *tablebase.DB, m format.Manifest, scratch *memory.Block, o ResidentOptions) error {
	l := &held.Loader{From: db, Index: r.index, Workers: o.Workers, Scratch: scratch, Lower: r.layers}
	if o.Report != nil {
		l.Report = func(done, total uint64) { o.Report(m.Beans, done, total) }
	}
	if err := l.Load(ctx, m, held.Squeezed); err != nil {
		return err
	}
	layer := r.layers.Layers[m.Beans]
	scores := layer[solver.Scores]
	for kind, table := range layer {
		if table != scores {
			table.Free()
		}
		layer[kind] = scores
	}
	r.top = m.Beans
	return nil
}

// Top returns the largest layer that is in memory, or −1.
func (r *Resident) Top() int { return r.top }

// Size returns the bytes that the layers take.
func (r *Resident) Size() uint64 {
	size, _ := r.layers.Size()
	return size
}

// Probe returns the score of a position of the board with this many beans, and whether
// its layer is there. It implements search.Prober.
func (r *Resident) Probe(p game.Position, beans int) (game.Score, bool) {
	if beans > r.top || r.layers.Layers[beans] == nil {
		return 0, false
	}
	_, at := r.index.Rank(p)
	return r.layers.Layers[beans][solver.Scores].At(at), true
}

// Free gives the memory back. Nothing may be probed afterwards.
func (r *Resident) Free() {
	r.layers.Free()
	r.top = -1
}
