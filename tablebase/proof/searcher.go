package proof

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/store"
)

// Options say what a search above the tables works with.
type Options struct {
	Rules   game.Rules
	Diagram game.Diagram // what is to be solved
	// Memory is what tables and transposition table may take, in bytes; 0 means three
	// quarters of what the machine has.
	Memory uint64
	// Beans is the largest layer to bring into memory; 0 means all that fit.
	Beans int
	// Workers is the number of goroutines; 0 means one a processor.
	Workers int
	// LoadTime, if not 0, is how long loading tables may take. What would take longer is
	// left out.
	LoadTime time.Duration
	// Forget keeps the state of the search to itself: no file is read or written.
	Forget bool
	// AllMoves makes Solve find out of every move whether it keeps the score, which may
	// take longer than the score.
	AllMoves bool
	// SaveEvery is the time between two times that the state is kept; 0 means a fiftieth of
	// the time so far or twice as long as keeping it takes, whichever is more, but at least
	// a quarter of a second and at most a minute.
	SaveEvery time.Duration
	// Loading, if not nil, is called now and then with the layer that is being loaded.
	Loading func(beans int, done, total uint64)
}

// Searcher solves one position above the tables of a database. It has what it needs of
// them in memory, so the database may be closed. Its methods must not be called at the
// same time.
type Searcher struct {
	options  Options
	game     game.Game
	dir      string
	position game.Position
	tables   *Resident
	search   *search.Search
	file     searchFile
	kept     Proven // what an earlier run has proved
	resumed  int    // records of an earlier run
	unsaved  error
	hashes   [][32]byte
}

// NewSearcher brings tables into memory and whatever an earlier search of the position
// has left: proven bounds, and the state of its work. Errors are those of Resident, of
// Kept, and of reading the state.
func NewSearcher(ctx context.Context, db *tablebase.DB, o Options) (*Searcher, error) {
	if db.Archived() { // there is no place for what is found
		return nil, fmt.Errorf("%w: %s is an exported file; import it to search above its layers", store.ErrReadOnly, db.Dir())
	}
	g, err := game.New(o.Rules, o.Diagram.Width)
	if err != nil {
		return nil, err
	}
	p := o.Diagram.Position()
	beans, err := tablebase.CountBeans(g.Width(), p)
	if err != nil {
		return nil, err
	}
	o.Workers = solver.Workers(o.Workers)
	// The transposition table gets what the tables leave, which is a quarter or more, except for
	// what the program takes besides. A larger one than need be only costs time, so it is no
	// more than 1 GiB unless memory is given.
	const tableShare, other, someTable = 4, 16, 1 << 30
	table, given := o.Memory/tableShare, o.Memory > 0
	if !given {
		o.Memory = held.MostMemory()
		table = min(o.Memory/tableShare, someTable)
	}
	if o.Beans == 0 {
		o.Beans = beans - 1
	}
	s := &Searcher{options: o, game: g, dir: db.Dir(), position: p}
	parity := format.Even
	if beans%2 == 1 {
		parity = format.Odd
	}
	s.tables, err = NewResident(ctx, db, ResidentOptions{
		Game: g, Parity: parity, Beans: min(o.Beans, beans-1), Memory: o.Memory - table,
		Workers: o.Workers, Time: o.LoadTime, Report: o.Loading,
	})
	if err != nil {
		return nil, err
	}
	signature, err := signature(db, g, s.tables.Top())
	if err == nil {
		s.kept, _, err = BoundsOf(db, g, p)
	}
	if err != nil {
		s.Free()
		return nil, err
	}
	if s.hashes, err = hashes(db, g, s.tables.Top()); err != nil {
		s.Free()
		return nil, err
	}
	if s.kept == (Proven{}) {
		s.kept.Bounds = search.Trivial(beans)
	}
	if given {
		table = o.Memory - o.Memory/other - s.tables.Size()
	}
	s.search = search.New(search.Options{
		Game: g, Prober: s.tables, Worth: search.Learn(g, s.tables, p), Memory: table, Workers: o.Workers,
	})
	s.file = searchFile{dir: s.dir, game: g, position: p, signature: signature}
	if o.Forget {
		return s, nil
	}
	visited, count, err := s.file.load(s.search.Restore)
	if err != nil {
		s.Free()
		return nil, err
	}
	s.kept.Visited, s.resumed = max(s.kept.Visited, visited), count
	return s, nil
}

// Top returns the largest layer that is in memory, or −1.
func (s *Searcher) Top() int { return s.tables.Top() }

// Resumed returns the number of questions of an earlier search that are remembered.
func (s *Searcher) Resumed() int { return s.resumed }

// Free gives the memory of the tables and of the transposition table back.
func (s *Searcher) Free() {
	s.tables.Free()
	if s.search != nil {
		s.search.Free()
	}
}

// Progress says how far a search is.
type Progress struct {
	Bounds  search.Bounds
	Asked   int    // the bound that is asked about now: is the score at least this?
	Decided int    // moves of the position after which that is answered
	Moves   int    // all its moves
	Visited uint64 // positions looked at so far, as in Solution
	Fill    float64
}

// reportPause is the time between two reports.
const reportPause = time.Second

// savePause returns, unless it is said otherwise, the time until the state of a search is
// kept again, where keeping it took so long and the search is so old. So a kill costs
// little of the work, and saving not much of the time.
func savePause(took, age time.Duration) time.Duration {
	const (
		share, ageShare = 2, 50
		least, most     = time.Second / 4, time.Minute
	)
	return min(max(share*took, age/ageShare, least), most)
}

// durablePause is the time after which what outlives a kill of the process is made to
// outlive one of the system as well.
const durablePause = time.Minute

// Solve narrows the bounds of the score until it is known, or ctx ends, or this many
// positions have been visited in this run, where 0 means no limit. Then it returns what
// is proved; that ctx has ended is no error. Where the score is known it says as well
// which moves keep it, as far as that has been found out on the way or AllMoves is set,
// and a line of best play as far as the tables.
//
// While it works it keeps its state beside the database once in a while, and at the end,
// until KeepBounds keeps a score. Where that fails, Unsaved says so: the solution is right
// all the same. Report, if not nil, is called once a second from another goroutine.
func (s *Searcher) Solve(ctx context.Context, limit uint64, report func(Progress)) (Solution, error) {
	before := s.search.Visited()
	stop := s.watch(report)
	bounds, _ := s.search.Solve(ctx, s.position, s.kept.Bounds, limit, func(b search.Bounds) { stop.bounds(b) })
	stop.end()
	s.kept.Bounds = bounds
	var keeps []search.Verdict
	var line []game.Successor
	if bounds.Exact() {
		effort := uint64(1)
		if s.options.AllMoves {
			effort = 0
		}
		keeps, _ = s.search.Keeps(ctx, s.position, bounds.Low, effort)
		line = s.search.Line(ctx, s.position, bounds.Low)
	}
	s.kept.Visited += s.search.Visited() - before
	solution := newSolution(s.game, s.options.Diagram, bounds, s.kept.Visited)
	s.unsaved = s.save()
	if !bounds.Exact() {
		return solution, nil
	}
	solution.keeps(s.options.Diagram, keeps)
	d := s.options.Diagram
	for _, m := range line {
		number := 0
		if m.Pit != game.Pass {
			number = d.Number(m.Pit)
		}
		solution.Line = append(solution.Line, number)
		next, _, err := d.Play(s.game, number)
		if err != nil {
			return solution, err
		}
		d = next
	}
	return solution, nil
}

// Unsaved returns why the state of the search could not be kept at the end of Solve, or
// nil if it was.
func (s *Searcher) Unsaved() error { return s.unsaved }

// leastWork is the work that a record has to stand for to be kept: it saves much of the
// file, and costs little to find again.
const leastWork = 8

// save keeps the state of the search.
func (s *Searcher) save() error {
	if s.options.Forget {
		return nil
	}
	return s.file.save(s.kept.Visited, s.search.Records(leastWork), true)
}

// watch reports and saves while a search is under way, until its end is called.
func (s *Searcher) watch(report func(Progress)) *watcher {
	w := &watcher{searcher: s, done: make(chan struct{}), reached: s.kept.Bounds, base: s.kept.Visited - s.search.Visited()}
	w.team.Go(func() {
		reports, save := time.NewTicker(reportPause), time.NewTimer(cmp.Or(s.options.SaveEvery, savePause(0, 0)))
		defer reports.Stop()
		defer save.Stop()
		start := time.Now()
		durable := start
		for {
			select {
			case <-w.done:
				return
			case <-reports.C:
				if report != nil {
					report(w.progress())
				}
			case <-save.C:
				if s.options.Forget {
					continue
				}
				began := time.Now()
				sync := began.Sub(durable) >= durablePause
				if sync {
					durable = began
				}
				// Where it fails now it may go well later, and the last time counts.
				_ = s.file.save(w.progress().Visited, s.search.Records(leastWork), sync)
				save.Reset(cmp.Or(s.options.SaveEvery, savePause(time.Since(began), time.Since(start))))
			}
		}
	})
	return w
}

// watcher is what goes on beside a search.
type watcher struct {
	searcher *Searcher
	base     uint64 // positions visited by earlier runs
	team     sync.WaitGroup
	done     chan struct{}

	mu      sync.Mutex
	reached search.Bounds
}

// bounds tells the watcher what has been proved.
func (w *watcher) bounds(b search.Bounds) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reached = b
}

// end stops the watcher.
func (w *watcher) end() {
	close(w.done)
	w.team.Wait()
}

// progress returns how far the search is.
func (w *watcher) progress() Progress {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.searcher.search
	p := Progress{Bounds: w.reached, Visited: w.base + s.Visited(), Fill: s.Fill()}
	p.Asked, p.Decided, p.Moves = s.Asked(w.searcher.position)
	return p
}

// Proved reports whether more is known of the score than the number of beans says.
func (s *Searcher) Proved() bool { return s.kept.Bounds != search.Trivial(s.position.Beans()) }

// Dir returns the directory of the database that the searcher was made for.
func (s *Searcher) Dir() string { return s.dir }

// KeepBounds stores in the database what the search has proved, if it is more than the
// number of beans says. Where that is the score the state of the search is needed no more,
// and given up. The database is the one that the searcher was made for, open for writing.
// Errors are those of its Writer, and of removing a file.
func (s *Searcher) KeepBounds(db *tablebase.DB) error {
	if !s.Proved() {
		return nil
	}
	if err := keep(db, s.game, s.position, s.kept, s.tables.Top(), s.file.signature); err != nil {
		return fmt.Errorf("keep what is proved: %w", err)
	}
	if s.kept.Exact() && !s.options.Forget {
		return s.file.remove()
	}
	return nil
}

// Certificate writes the proof of what Solve has returned. It returns search.ErrNoProof
// when ctx ends, or when the transposition table is too small for the proof; else errors
// of w.
func (s *Searcher) Certificate(ctx context.Context, w io.Writer) error {
	low, high := int(s.kept.Low), int(s.kept.High)
	steps, err := s.search.Proof(ctx, s.position, low, high+1)
	if err != nil {
		return err
	}
	c := certificate{
		game: s.game, position: s.position, low: low, high: high, top: s.tables.Top(), tables: s.hashes, claims: claimsOf(steps),
	}
	return c.write(w)
}
