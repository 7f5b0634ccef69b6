package solver

import (
	"context"
	"sync"

	"bohnenspiel/solver/game"
)

// Facts are numbers of a solved layer that take a look at the moves of each position.
type Facts struct {
	// Largest is the largest score of the layer, and LargestIndex the first position
	// that has it.
	Largest      game.Score
	LargestIndex uint64
	// OnlyMoves counts the positions with two legal moves or more of which exactly one
	// keeps the score.
	OnlyMoves uint64
	// Zugzwangs counts the positions of mutual zugzwang: both players have beans in
	// their rows, and whoever is to move comes off worse than if he could pass. With p
	// the position and q the same board with the other side to move,
	//
	//	score(p) < −score(q)  and  score(q) < −score(p)
	//
	// which say the same. So q counts as well, unless it is p itself.
	Zugzwangs uint64
}

// FindFacts returns the facts of a solved layer. It plays all moves by the plain rules, as
// Check does; Sample is not used. Errors are those of Tables and of the context.
func FindFacts(ctx context.Context, r Review) (Facts, error) {
	var mu sync.Mutex
	var all []*factFinder
	_, err := spread{size: r.Index.Size(r.Beans), workers: r.Workers, report: r.Report}.each(ctx, func() func(uint64) error {
		f := &factFinder{reviewer: newReviewer(r), facts: Facts{Largest: game.Score(-r.Beans)}}
		f.facts.LargestIndex = r.Index.Size(r.Beans)
		mu.Lock()
		defer mu.Unlock()
		all = append(all, f)
		return f.look
	})
	if err != nil {
		return Facts{}, err
	}
	total := all[0].facts
	for _, f := range all[1:] {
		total.add(f.facts.Largest, f.facts.LargestIndex)
		total.OnlyMoves += f.facts.OnlyMoves
		total.Zugzwangs += f.facts.Zugzwangs
	}
	return total, nil
}

// add takes notice of a score and the first position that has it.
func (f *Facts) add(score game.Score, i uint64) {
	if score > f.Largest || score == f.Largest && i < f.LargestIndex {
		f.Largest, f.LargestIndex = score, i
	}
}

// factFinder looks at one position after another. It holds the buffers of one worker.
type factFinder struct {
	*reviewer
	facts Facts
}

// look takes account of one position.
func (f *factFinder) look(i uint64) error {
	p := f.Index.Unrank(f.Beans, i)
	own, err := f.read(Scores, f.Beans, i)
	if err != nil {
		return err
	}
	f.facts.add(own, i)
	if p.Mover != 0 && p.Opponent != 0 {
		_, j := f.Index.Rank(p.Swap())
		passed, err := f.read(Scores, f.Beans, j)
		if err != nil {
			return err
		}
		if own < -passed {
			f.facts.Zugzwangs++
		}
	}
	if f.Game.Over(p) {
		return nil
	}
	f.successors = f.Game.Successors(f.successors[:0], p)
	if len(f.successors) < 2 {
		return nil
	}
	keeping := 0
	for _, s := range f.successors {
		beans, j := f.Index.Rank(s.Next)
		score, err := f.read(Scores, beans, j)
		if err != nil {
			return err
		}
		if game.Score(s.Captured)-score == own {
			keeping++
		}
	}
	if keeping == 1 {
		f.facts.OnlyMoves++
	}
	return nil
}
