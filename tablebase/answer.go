package tablebase

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"bohnenspiel/solver/game"
)

// Answer is what the tables say about a position and its moves. Its JSON form is
// one object of "query --json" and of the HTTP API. What is not known is null there.
type Answer struct {
	Position string        `json:"position"` // as game.Diagram prints it
	Rules    game.Rules    `json:"rules"`
	Beans    int           `json:"beans"` // on the board
	Score    *game.Score   `json:"score"` // the side to move's
	Outcome  *game.Outcome `json:"outcome"`
	// Final is what the stores hold at the end. It is nil where the score leans on
	// rule 8, since then beans may stay on the board.
	Final *game.Beans `json:"final"`
	// Endless reports whether the score leans on rule 8.
	Endless bool `json:"endless"`
	// DTC is the depth to conversion in plies. It is null in JSON for game.Endless, too.
	DTC *game.DTC `json:"dtc"`
	// Keeping is the number of moves that keep the score.
	Keeping *int `json:"keeping"`
	// Moves are all legal moves, best first: by score, then by DTC, the lower first
	// unless the score is below 0 and the mover delays, then by pit. Those whose DTC is
	// not known come last among those of their score. It is empty, not nil, when play is
	// over.
	Moves []Move `json:"moves"`
	// Line is best play to the end, or where it is endless until a position comes again.
	// It begins with the first of Moves.
	Line Pits `json:"line"`
}

// Move is a legal move and what it leads to. Score and Outcome are those of the
// side that makes the move.
type Move struct {
	Pit      *int          `json:"pit"`      // the pit's number, 1 to 2w; nil for a pass
	Captured int           `json:"captured"` // beans that the move takes
	Score    *game.Score   `json:"score"`
	Outcome  *game.Outcome `json:"outcome"`
	// DTC is the depth to conversion after the move, in plies: 0 if it converts itself.
	DTC *game.DTC `json:"dtc"`
	// Endless tells that the score leans on rule 8.
	Endless bool `json:"-"`
}

// Number returns the number of the pit, or 0 for a pass.
func (m Move) Number() int {
	if m.Pit == nil {
		return 0
	}
	return *m.Pit
}

// Answer looks up a position and all its moves, in the layers they lead to. Depths
// are searched among at most limit positions, as Line does; those that it would take
// more for are not known, and neither is the line. Errors are those of Depth, except for
// ErrDepthBudget.
func (db *DB) Answer(ctx context.Context, rules game.Rules, d game.Diagram, limit uint64) (Answer, error) {
	g, err := game.New(rules, d.Width)
	if err != nil {
		return Answer{}, err
	}
	p := d.Position()
	beans, err := CountBeans(d.Width, p)
	if err != nil {
		return Answer{}, err
	}
	s := newDepthSearch(db, g, limit)
	value, err := s.probes.value(p)
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{
		Position: d.String(),
		Rules:    rules,
		Beans:    beans,
		Score:    new(value.Score),
		Outcome:  new(d.Outcome(value.Score)),
		Endless:  value.Endless(),
		Keeping:  new(int),
		Moves:    []Move{},
	}
	if !value.Endless() {
		answer.Final = new(d.Final(value.Score))
	}
	if answer.DTC, err = s.affordable(ctx, p); err != nil {
		return Answer{}, err
	}
	for _, m := range g.Successors(nil, p) {
		move, err := s.move(ctx, d, m)
		if err != nil {
			return Answer{}, err
		}
		if *move.Score == value.Score {
			*answer.Keeping++
		}
		answer.Moves = append(answer.Moves, move)
	}
	// Moves come in the order of pits.
	slices.SortStableFunc(answer.Moves, compareMoves)
	line, err := s.line(ctx, d)
	switch {
	case err == nil:
		answer.Line = line.pits()
	case !errors.Is(err, ErrDepthBudget):
		return Answer{}, err
	}
	return answer, nil
}

// move returns what there is to know about a move.
func (s *depthSearch) move(ctx context.Context, d game.Diagram, m game.Successor) (Move, error) {
	next, err := s.probes.value(m.Next)
	if err != nil {
		return Move{}, err
	}
	score := game.Score(m.Captured) - next.Score
	move := Move{Captured: m.Captured, Score: &score, Outcome: new(d.Outcome(score)), DTC: new(game.DTC), Endless: next.Endless()}
	if m.Pit != game.Pass {
		move.Pit = new(d.Number(m.Pit))
	}
	if !s.probes.game.Converts(m) {
		move.DTC, err = s.affordable(ctx, m.Next)
	}
	return move, err
}

// affordable returns the DTC of a position, or nil if it would take too many
// positions to find.
func (s *depthSearch) affordable(ctx context.Context, p game.Position) (*game.DTC, error) {
	dtc, err := s.depth(ctx, p)
	switch {
	case errors.Is(err, ErrDepthBudget):
		return nil, nil //nolint:nilnil // not knowing is no error
	case err != nil:
		return nil, err
	}
	return &dtc, nil
}

// compareMoves is negative if a is better than b, both moves of one position.
func compareMoves(a, b Move) int {
	if order := cmp.Compare(*b.Score, *a.Score); order != 0 {
		return order
	}
	switch {
	case a.DTC == nil && b.DTC == nil:
		return 0
	case a.DTC == nil:
		return 1
	case b.DTC == nil:
		return -1
	default:
		return b.Score.CompareDTC(*b.DTC, *a.DTC)
	}
}
