package search

import (
	"context"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"

	"bohnenspiel/solver/game"
)

// Options say what a search works with.
type Options struct {
	Game   game.Game
	Prober Prober // nil for none
	Worth  *Worth // what Learn has found out, or nil
	// Memory is what the transposition table takes, in bytes; 0 means 64 MiB.
	Memory uint64
	// Workers is the number of goroutines that search; 0 means one a processor.
	Workers int
	// Tuning is for measurements. The zero value is the best that is known.
	Tuning Tuning
}

// Tuning holds choices that only speed depends on. Each field turns a refinement off.
type Tuning struct {
	Weak      bool // the largest number and one for each other move, in place of the sum
	NoShare   bool // a move is left as soon as another one looks easier: no 1+ε rule
	FlatGuess bool // the first estimate of a question does not depend on the bound
	NoAhead   bool // a new question is not answered by looking at its captures
}

// Search answers questions about positions of one game. What it has found out it
// remembers, as far as its table has room, for later questions. Its methods must not
// be called at the same time, except Fill, Visited, Asked and Records.
type Search struct {
	game    game.Game
	prober  Prober
	workers int
	table   *table
	busy    *busy
	tuning  Tuning
	worth   *Worth
	guesses *guesses
	visited atomic.Uint64
	asked   atomic.Int32 // the bound of the latest question of Decide
}

// New returns a search that knows nothing yet.
func New(o Options) *Search {
	const someMemory = 64 << 20
	if o.Memory == 0 {
		o.Memory = someMemory
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	top := -1
	if o.Prober != nil {
		top = o.Prober.Top()
	}
	return &Search{
		game:    o.Game,
		prober:  o.Prober,
		workers: o.Workers,
		table:   newTable(o.Memory),
		busy:    new(busy),
		tuning:  o.Tuning,
		worth:   o.Worth,
		guesses: newGuesses(game.MaxBeans(o.Game.Width()), top),
	}
}

// Free gives the memory of the transposition table back. The search can't be used any
// more. Without it the memory is given back once nothing refers to the search.
func (s *Search) Free() { s.table.free() }

// Fill returns the share of the transposition table that is in use, from 0 to 1. It
// may be called while a question is being decided.
func (s *Search) Fill() float64 { return s.table.fill() }

// Visited returns the number of positions that have been looked at since New. It may
// be called while a question is being decided, and is a little behind then.
func (s *Search) Visited() uint64 { return s.visited.Load() }

// Asked returns the bound of the question that is being decided, or was last, after how
// many moves of p the answer is known if it is a question about p, and how many moves
// there are. It may be called while a question is being decided.
func (s *Search) Asked(p game.Position) (bound, decided, moves int) {
	bound = int(s.asked.Load())
	q := Question{Position: p, Bound: int8(bound)}
	for _, next := range s.game.Successors(nil, p) {
		moves++
		beans := next.Next.Beans()
		after := q.after(next.Next, next.Captured, beans)
		if _, ok := s.exact(after, beans); ok {
			decided++
		} else if e, ok := s.table.find(after); ok && !e.numbers.open() {
			decided++
		}
	}
	return bound, decided, moves
}

// Verdict is the answer to a question, if it has been found.
type Verdict int8

// The verdicts.
const (
	Open Verdict = iota // not known
	No
	Yes
)

// verdictOf returns the verdict that numbers stand for.
func verdictOf(n numbers) Verdict {
	switch {
	case n.yes == 0:
		return Yes
	case n.no == 0:
		return No
	default:
		return Open
	}
}

// Decide answers whether the score of a position is at least bound. It gives up with
// Open when ctx ends, or after about limit positions; 0 means no limit. Visited is the
// number of positions that were looked at.
func (s *Search) Decide(ctx context.Context, p game.Position, bound int, limit uint64) (verdict Verdict, visited uint64) {
	beans := p.Beans()
	// Beyond these bounds every question has the same answer.
	q := newQuestion(p, beans, min(max(bound, -beans), beans+1))
	if answer, ok := s.exact(q, beans); ok {
		return verdictOf(decided(answer)), 0
	}
	if e, ok := s.table.find(q); ok && !e.numbers.open() {
		return verdictOf(e.numbers), 0
	}
	if ctx.Err() != nil {
		return Open, 0
	}
	s.asked.Store(int32(q.Bound))
	j := &job{limit: limit, workers: s.workers}
	stop := context.AfterFunc(ctx, func() { j.stopped.Store(true) })
	defer stop()
	var team sync.WaitGroup
	for range s.workers {
		team.Go(func() {
			w := s.newWorker(j)
			result := w.visit(q, beans, false, infinity, infinity)
			w.report()
			if v := verdictOf(result.numbers); v != Open {
				j.verdict.Store(int32(v))
				j.stopped.Store(true)
			}
		})
	}
	team.Wait()
	return Verdict(j.verdict.Load()), j.total.Load()
}

// newWorker returns a worker with an empty path.
func (s *Search) newWorker(j *job) *worker {
	return &worker{search: s, job: j, assumed: make(map[Question]outcome)}
}

// exact answers a question that the rules, the beans left or the tables answer.
func (s *Search) exact(q Question, beans int) (answer, ok bool) {
	switch {
	case s.game.Over(q.Position):
		return q.answer(s.game.Final(q.Position)), true
	case int(q.Bound) > beans:
		return false, true
	case int(q.Bound) <= -beans:
		return true, true
	case s.prober == nil:
		return false, false
	}
	score, ok := s.prober.Probe(q.Position, beans)
	return q.answer(score), ok
}

// job is a question that workers are deciding.
type job struct {
	limit   uint64
	workers int
	stopped atomic.Bool
	total   atomic.Uint64 // positions visited
	verdict atomic.Int32
}

// shared reports whether more than one worker is at it.
func (j *job) shared() bool { return j.workers > 1 }

// reportEvery is the number of positions after which a worker reports.
const reportEvery = 256

// report adds what the worker has visited to the job.
func (w *worker) report() {
	total := w.job.total.Add(w.visited)
	w.search.visited.Add(w.visited)
	w.visited = 0
	if w.job.limit > 0 && total >= w.job.limit {
		w.job.stopped.Store(true)
	}
}

// busy counts how many workers are below a question. Questions may share a count,
// which only misleads.
type busy [1 << 14]atomic.Int32

func (b *busy) slot(q Question) *atomic.Int32 {
	h := hash(q.Position) + uint64(uint8(q.Bound))*0x9E3779B97F4A7C15
	high, _ := bits.Mul64(h, uint64(len(b)))
	return &b[high]
}

// enter counts a worker in or, with −1, out.
func (b *busy) enter(q Question, by int32) { b.slot(q).Add(by) }

// penalty returns what a question of a given cost costs more because others are at it.
func (b *busy) penalty(q Question, cost uint32) uint32 {
	n := b.slot(q).Load()
	if n <= 0 {
		return 0
	}
	return uint32(min(int64(n)*int64(cost/2+1), infinity))
}
