package solver

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// Review is a solved layer to be checked.
type Review struct {
	Game  game.Game
	Index *index.Index // for the width of Game, up to Beans at least
	Beans int          // the layer
	// Tables gives the layer itself and Beans−2, Beans−4, …
	Tables Source
	// Workers is the number of goroutines; 0 means one a processor.
	Workers int
	// Sample is the number of positions to look at, spread evenly over the layer
	// from a random start; 0 means all, as does a number beyond the layer's size.
	Sample uint64
	// Report, if not nil, is called from time to time, never by two goroutines at
	// once, with the number of positions looked at and to be looked at.
	Report func(done, total uint64)
}

// MismatchError is the error of Check for a record that does not follow from its
// successors.
type MismatchError struct {
	Position game.Position
	Beans    int
	Index    uint64
	Kind     Kind
	Got      game.Score // what the table says
	Want     game.Score // what the successors say
}

// Error says which position is wrong, and how.
func (m *MismatchError) Error() string {
	return fmt.Sprintf("layer %d: the %s table says %+d at index %d, but the successors say %+d",
		m.Beans, m.Kind, m.Got, m.Index, m.Want)
}

// reviewChunk is the number of positions that a worker takes at a time.
const reviewChunk = 1 << 12

// Check recomputes the records of a solved layer from their successors and
// returns the number of positions looked at. It plays the moves by the plain
// rules and ranks each successor, so it shares with Solve only packages game and
// index, without the row tables. A record that does not follow gives an error
// that is a *MismatchError; other errors are those of Tables and of the context.
//
// A layer that passes whole satisfies the equations that define the scores. That
// fixes them, given the layers below, wherever every line of play ends; on moves
// that can go round in a circle, two wrong scores may support each other.
// docs/verification.md says what else is checked.
func Check(ctx context.Context, r Review) (uint64, error) {
	size := r.Index.Size(r.Beans)
	if size > index.MaxSize {
		return 0, fmt.Errorf("%w: %d beans on a board of width %d", ErrTooLarge, r.Beans, r.Game.Width())
	}
	return spread{size: size, sample: r.Sample, workers: r.Workers, report: r.Report}.each(ctx, func() func(uint64) error {
		return newReviewer(r).look
	})
}

// spread hands the positions of a layer, or a sample of them, to workers.
type spread struct {
	size    uint64
	sample  uint64 // number of positions, spread evenly; 0 means all
	workers int    // 0 means one a processor
	report  func(done, total uint64)
}

// each calls the function of one worker, which worker returns, for each position, by
// index, and returns the number of positions passed. It ends early with an error of
// these or of the context.
func (s spread) each(ctx context.Context, worker func() (look func(i uint64) error)) (uint64, error) {
	total, stride, start := s.size, uint64(1), uint64(0)
	if s.sample > 0 && s.sample < s.size {
		total, stride = s.sample, s.size/s.sample
		start = rand.Uint64N(stride + s.size%s.sample)
	}
	workers := Workers(s.workers)
	var next atomic.Uint64
	var done uint64
	var reporting sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	for range workers {
		group.Go(func() error {
			look := worker()
			for {
				end := next.Add(reviewChunk)
				begin := end - reviewChunk
				if begin >= total {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				end = min(end, total)
				for i := begin; i < end; i++ {
					if err := look(start + i*stride); err != nil {
						return err
					}
				}
				reporting.Lock()
				done += end - begin
				if s.report != nil {
					s.report(done, total)
				}
				reporting.Unlock()
			}
		})
	}
	err := group.Wait()
	return done, err
}

// reviewer checks one record after another. It holds the buffers of one worker.
type reviewer struct {
	Review
	kinds      []Kind
	successors []game.Successor
	buffer     [1]game.Score
}

func newReviewer(r Review) *reviewer {
	kinds := []Kind{Scores}
	if r.Tables.Leans(r.Beans) {
		kinds = []Kind{Scores, Lows, Highs}
	}
	return &reviewer{Review: r, kinds: kinds}
}

// look compares the records of one position with those of its successors.
func (r *reviewer) look(i uint64) error {
	p := r.Index.Unrank(r.Beans, i)
	r.successors = r.Game.Successors(r.successors[:0], p)
	for _, kind := range r.kinds {
		got, err := r.read(kind, r.Beans, i)
		if err != nil {
			return err
		}
		want, err := r.follow(kind, p)
		if err != nil {
			return err
		}
		if got != want {
			return &MismatchError{Position: p, Beans: r.Beans, Index: i, Kind: kind, Got: got, Want: want}
		}
	}
	return nil
}

// follow returns what the records of the successors say about a position: the
// opponent's best is the mover's worst, so lows follow from highs and highs from
// lows.
func (r *reviewer) follow(kind Kind, p game.Position) (game.Score, error) {
	if r.Game.Over(p) {
		return r.Game.Final(p), nil
	}
	from := [...]Kind{Scores: Scores, Lows: Highs, Highs: Lows}[kind]
	best := game.Score(math.MinInt8)
	for _, s := range r.successors {
		beans, i := r.Index.Rank(s.Next)
		score, err := r.read(from, beans, i)
		if err != nil {
			return 0, err
		}
		best = max(best, game.Score(s.Captured)-score)
	}
	return best, nil
}

func (r *reviewer) read(kind Kind, beans int, i uint64) (game.Score, error) {
	if kind != Scores && !r.Tables.Leans(beans) {
		kind = Scores
	}
	scores, err := r.Tables.Read(kind, beans, i, 1, r.buffer[:])
	if err != nil {
		return 0, fmt.Errorf("read layer %d: %w", beans, err)
	}
	return scores[0], nil
}
