package tablebase

import (
	"context"
	"fmt"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
)

// DefaultDepthLimit is how many positions a search for depths may look at when no
// limit is given. It keeps the memory of a search well below a gigabyte.
const DefaultDepthLimit = 1 << 20

// QuickDepthLimit is how many positions the search for the depths of an [Answer] may
// look at unless somebody allows more. It keeps answers quick.
const QuickDepthLimit = 1 << 16

// Depth returns the DTC of a position, and the number of positions that it looked at
// to find it: 0 where the layer has a table of depths. If that would take more than
// limit positions, the error wraps ErrDepthBudget; other errors are those of Probe, and
// of the context.
//
// Without a table it searches forward, through moves that keep the score and convert
// nothing. Each position that it looks at costs a probe for each of its moves, and some
// hundred bytes.
func (db *DB) Depth(ctx context.Context, g game.Game, p game.Position, limit uint64) (dtc game.DTC, visited uint64, err error) {
	if _, err := CountBeans(g.Width(), p); err != nil {
		return 0, 0, err
	}
	s := newDepthSearch(db, g, limit)
	dtc, err = s.depth(ctx, p)
	return dtc, s.visited, err
}

// depthSearch finds DTCs by a forward search, and remembers what it has met.
//
// A quiet move that keeps the score of a position leads to one whose score is the
// negation, so a search that begins with one side ahead stays so: that side hurries
// whenever it is to move, and the other delays. The search asks whether the DTC is at
// most k, for k = 1, 2, …: for the side that hurries one move has to convert within
// k − 1 further plies, for the side that delays all have to. At a score of 0 one move
// is always enough, so there it is a search for the shortest way, breadth first.
//
// Each position keeps what has been shown of it, so none is looked at twice with the
// same k. The answers depend on neither the order nor on what else has been asked.
type depthSearch struct {
	probes  prober
	limit   uint64
	visited uint64 // positions whose moves have been looked at
	calls   uint64 // of within, to look at the context now and then

	numbers map[game.Position]int32 // of nodes
	nodes   []visit
	quiet   []int32 // the quiet moves of all nodes
	round   uint32  // of the search breadth first
}

// visit is a position that the search has met.
type visit struct {
	position game.Position
	score    game.Score
	expanded bool // whether what follows is known
	converts bool // whether a conversion keeps the score
	// quiet[first:last] are the nodes that quiet moves lead to which keep the score.
	// It is empty where the side to move does not delay and converts.
	first, last int32
	// The DTC is more than above and at most most.
	above, most game.DTC
	round       uint32 // in which the search breadth first has met it
}

func newDepthSearch(db *DB, g game.Game, limit uint64) *depthSearch {
	return &depthSearch{probes: prober{db: db, game: g}, limit: limit, numbers: make(map[game.Position]int32)}
}

// depth returns the DTC of a position of the board.
func (s *depthSearch) depth(ctx context.Context, p game.Position) (game.DTC, error) {
	dtc, ok, err := s.probes.db.StoredDepth(s.probes.game, p)
	if ok || err != nil {
		return dtc, err
	}
	n, err := s.root(p)
	if err != nil {
		return 0, err
	}
	if s.nodes[n].score == 0 {
		return s.shortest(ctx, n, game.Endless-1)
	}
	for k := s.nodes[n].above + 1; k < game.Endless; k++ {
		yes, err := s.within(ctx, n, k)
		if yes || err != nil {
			return k, err
		}
	}
	return 0, s.contradiction(p)
}

// is reports whether the DTC of a position of the board is d.
func (s *depthSearch) is(ctx context.Context, p game.Position, d game.DTC) (bool, error) {
	stored, ok, err := s.probes.db.StoredDepth(s.probes.game, p)
	if ok || err != nil {
		return stored == d, err
	}
	n, err := s.root(p)
	if err != nil {
		return false, err
	}
	if s.nodes[n].score == 0 {
		got, err := s.shortest(ctx, n, d)
		return got == d, err
	}
	if yes, err := s.within(ctx, n, d); !yes || err != nil {
		return false, err
	}
	sooner, err := s.within(ctx, n, d-1)
	return !sooner, err
}

// root returns the node of a position where play is not over.
func (s *depthSearch) root(p game.Position) (int32, error) {
	value, err := s.probes.value(p)
	if err != nil {
		return 0, err
	}
	return s.node(p, value.Score), nil
}

// node returns the number of the node of a position.
func (s *depthSearch) node(p game.Position, score game.Score) int32 {
	n, met := s.numbers[p]
	if !met {
		n = int32(len(s.nodes))
		s.numbers[p] = n
		s.nodes = append(s.nodes, visit{position: p, score: score, most: game.Endless})
	}
	return n
}

// within reports whether the DTC of a node whose score is not 0 is at most k.
func (s *depthSearch) within(ctx context.Context, n int32, k game.DTC) (bool, error) {
	switch node := &s.nodes[n]; {
	case node.most <= k:
		return true, nil
	case node.above >= k:
		return false, nil
	}
	const often = 1 << 10
	if s.calls++; s.calls%often == 0 && ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err := s.expand(ctx, n); err != nil {
		return false, err
	}
	node := s.nodes[n]
	delays := node.score < 0
	// The side that hurries looks for a move within k, the other for one beyond it.
	yes := delays || node.converts
	for _, next := range s.quiet[node.first:node.last] {
		soon, err := s.within(ctx, next, k-1)
		if err != nil {
			return false, err
		}
		if soon != delays {
			yes = soon
			break
		}
	}
	if yes {
		s.nodes[n].most = k
	} else {
		s.nodes[n].above = k
	}
	return yes, nil
}

// shortest returns the DTC of a node with score 0 if it is at most most; else any
// larger one, which is Endless if no way converts.
func (s *depthSearch) shortest(ctx context.Context, n int32, most game.DTC) (game.DTC, error) {
	s.round++
	s.nodes[n].round = s.round
	level := []int32{n}
	for d := game.DTC(1); len(level) > 0; d++ {
		if d > most {
			return d, nil
		}
		var next []int32
		for _, n := range level {
			if err := s.expand(ctx, n); err != nil {
				return 0, err
			}
			node := s.nodes[n]
			if node.converts {
				return d, nil
			}
			for _, m := range s.quiet[node.first:node.last] {
				if s.nodes[m].round != s.round {
					s.nodes[m].round = s.round
					next = append(next, m)
				}
			}
		}
		level = next
	}
	return game.Endless, nil
}

// expand finds the moves of a node that keep its score.
func (s *depthSearch) expand(ctx context.Context, n int32) error {
	if s.nodes[n].expanded {
		return nil
	}
	if s.visited == s.limit {
		return fmt.Errorf("%w of %d positions", ErrDepthBudget, s.limit)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.visited++
	node := s.nodes[n]
	g := s.probes.game
	var buf [game.MaxWidth]game.Successor
	successors := g.Successors(buf[:0], node.position)
	node.first = int32(len(s.quiet))
	for _, conversion := range []bool{true, false} {
		if node.converts && node.score >= 0 {
			break // 1 is the least that there is
		}
		for _, m := range successors {
			if g.Converts(m) != conversion {
				continue
			}
			next, err := s.probes.value(m.Next)
			if err != nil {
				return err
			}
			if game.Score(m.Captured)-next.Score != node.score {
				continue
			}
			if conversion {
				node.converts = true
			} else {
				s.quiet = append(s.quiet, s.node(m.Next, next.Score))
			}
		}
	}
	node.last = int32(len(s.quiet))
	if !node.converts && node.first == node.last {
		return s.contradiction(node.position)
	}
	node.expanded = true
	s.nodes[n] = node
	return nil
}

// contradiction returns the error for a position whose stored score does not follow
// from those of its moves.
func (s *depthSearch) contradiction(p game.Position) error {
	return fmt.Errorf("%w: %v: scores contradict each other; run check, then delete the database and build it again",
		format.ErrCorrupt, format.KeyOf(s.probes.game, p.Beans()))
}
