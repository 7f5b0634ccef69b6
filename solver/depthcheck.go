package solver

import (
	"context"
	"fmt"

	"bohnenspiel/solver/game"
)

// DepthSource gives the DTCs of one layer. It must be safe for concurrent use.
type DepthSource interface {
	// ReadDepth returns the DTC of the position with an index.
	ReadDepth(i uint64) (game.DTC, error)
}

// DepthError is the error of CheckDepths for a DTC that does not follow from the
// successors.
type DepthError struct {
	Position game.Position
	Beans    int
	Index    uint64
	Got      game.DTC // what the table says
	Want     game.DTC // what the successors say
}

// Error says which position is wrong, and how.
func (e *DepthError) Error() string {
	return fmt.Sprintf("layer %d: the depth table says %v at index %d, but the successors say %v", e.Beans, e.Got, e.Index, e.Want)
}

// CheckDepths recomputes the DTCs of a layer from the scores and DTCs of the successors
// and returns the number of positions looked at. It plays the moves by the plain rules,
// as Check does. A DTC that does not follow gives an error that is a *DepthError; other
// errors are those of Tables, of depths and of the context.
//
// Only one table satisfies the equations of a whole layer, given the scores:
// docs/algorithm.md has the proof. So a layer that passes whole is right if its scores
// are.
func CheckDepths(ctx context.Context, r Review, depths DepthSource) (uint64, error) {
	return spread{size: r.Index.Size(r.Beans), sample: r.Sample, workers: r.Workers, report: r.Report}.each(ctx, func() func(uint64) error {
		reviewer := depthReviewer{reviewer: newReviewer(r), depths: depths}
		return reviewer.look
	})
}

// depthReviewer checks one DTC after another. It holds the buffers of one worker.
type depthReviewer struct {
	*reviewer
	depths DepthSource
}

// look compares the DTC of one position with those of its successors.
func (r *depthReviewer) look(i uint64) error {
	p := r.Index.Unrank(r.Beans, i)
	got, err := r.depths.ReadDepth(i)
	if err != nil {
		return err
	}
	want, err := r.follow(p, i)
	if err != nil {
		return err
	}
	if got != want {
		return &DepthError{Position: p, Beans: r.Beans, Index: i, Got: got, Want: want}
	}
	return nil
}

// follow returns what the successors say about a position.
func (r *depthReviewer) follow(p game.Position, i uint64) (game.DTC, error) {
	if r.Game.Over(p) {
		return 0, nil
	}
	own, err := r.read(Scores, r.Beans, i)
	if err != nil {
		return 0, err
	}
	dtc, first := game.Endless, true
	r.successors = r.Game.Successors(r.successors[:0], p)
	for _, s := range r.successors {
		beans, i := r.Index.Rank(s.Next)
		score, err := r.read(Scores, beans, i)
		if err != nil {
			return 0, err
		}
		if game.Score(s.Captured)-score != own {
			continue
		}
		plies := game.DTC(1)
		if !r.Game.Converts(s) {
			next, err := r.depths.ReadDepth(i)
			if err != nil {
				return 0, err
			}
			if plies += next; next == game.Endless {
				plies = next
			}
		}
		if first || own.CompareDTC(plies, dtc) > 0 {
			dtc, first = plies, false
		}
	}
	return dtc, nil
}
