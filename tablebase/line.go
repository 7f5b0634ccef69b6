package tablebase

import (
	"cmp"
	"context"

	"bohnenspiel/solver/game"
)

// LineOptions are the choices of whoever asks for a line.
type LineOptions struct {
	// Limit is how many positions the search for depths may look at, for the whole
	// line; 0 means DefaultDepthLimit.
	Limit uint64
}

// Line is best play from a position to the end. Of the moves that keep the score, the
// side with a score above 0 plays one that converts soonest and the other one that
// converts latest; at a score of 0 both convert as soon as they can. Of several such
// moves it is the one with the lowest pit. So the line is the only one of its kind.
type Line struct {
	Position string       `json:"position"` // as game.Diagram prints it
	Rules    game.Rules   `json:"rules"`
	Beans    int          `json:"beans"` // on the board
	Score    game.Score   `json:"score"` // of the side to move
	Outcome  game.Outcome `json:"outcome"`
	// DTC is the depth to conversion in plies, from the position.
	DTC game.DTC `json:"dtc"`
	// Plies are the moves. They are empty, not nil, when play is over.
	Plies []Ply `json:"plies"`
	// Final is what the stores hold at the end. It is nil if there is none.
	Final *game.Beans `json:"final"`
	// Endless reports whether play never ends: after the last of Plies, the position
	// before ply Cycle is back, with the same side to move, and play goes on from there.
	Endless bool `json:"endless"`
	// Cycle is the number of the ply at which the cycle begins, counted from 1; it is nil
	// if play ends.
	Cycle *int `json:"cycle"`
	// Visited is the number of positions that the search for depths has looked at.
	Visited uint64 `json:"visited"`
}

// Ply is a move of a line and what it leaves.
type Ply struct {
	Side     game.Side `json:"side"`     // who moves
	Pit      *int      `json:"pit"`      // the pit's number, 1 to 2w; nil for a pass
	Captured int       `json:"captured"` // beans that the move takes
	// Left is the score that is left after the move: what the side to move in the
	// line's first position, whoever made this move, will still win less what the other
	// side will.
	Left game.Score `json:"left"`
	// DTC is the depth to conversion after the move: 0 for a move that converts.
	DTC      game.DTC `json:"dtc"`
	Position string   `json:"position"` // after the move
}

// Line returns best play from a diagram to its end, or where play is endless up to the
// first position that comes again. Errors are those of Depth.
func (db *DB) Line(ctx context.Context, rules game.Rules, d game.Diagram, o LineOptions) (Line, error) {
	g, err := game.New(rules, d.Width)
	if err != nil {
		return Line{}, err
	}
	if _, err := CountBeans(d.Width, d.Position()); err != nil {
		return Line{}, err
	}
	return newDepthSearch(db, g, cmp.Or(o.Limit, DefaultDepthLimit)).line(ctx, d)
}

// line returns best play from a diagram of the game.
func (s *depthSearch) line(ctx context.Context, d game.Diagram) (Line, error) {
	g := s.probes.game
	value, err := s.probes.value(d.Position())
	if err != nil {
		return Line{}, err
	}
	line := Line{
		Position: d.String(),
		Rules:    g.Rules(),
		Beans:    d.Position().Beans(),
		Score:    value.Score,
		Outcome:  d.Outcome(value.Score),
		Plies:    []Ply{},
	}
	first := d.ToMove
	left := value.Score
	met := make(map[game.Diagram]int) // in endless play, by boards without stores
	for !g.Over(d.Position()) {
		best, dtc, err := s.best(ctx, d.Position())
		if err != nil {
			return Line{}, err
		}
		if len(line.Plies) == 0 {
			line.DTC = dtc
		}
		if dtc == game.Endless {
			board := d
			board.Stores = [2]int{}
			if ply, again := met[board]; again {
				line.Endless = true
				line.Cycle = new(ply)
				break
			}
			met[board] = len(line.Plies) + 1
		}
		ply := Ply{Side: d.ToMove, Captured: best.Captured, DTC: dtc}
		if dtc != game.Endless {
			ply.DTC--
		}
		if best.Pit != game.Pass {
			ply.Pit = new(d.Number(best.Pit))
		}
		if d.ToMove == first {
			left -= game.Score(best.Captured)
		} else {
			left += game.Score(best.Captured)
		}
		ply.Left = left
		if d, _, err = d.Play(g, d.Number(best.Pit)); err != nil {
			return Line{}, err
		}
		ply.Position = d.String()
		line.Plies = append(line.Plies, ply)
	}
	line.Visited = s.visited
	if !line.Endless {
		line.Final = new(d.Settle(g).Won())
	}
	return line, nil
}

// best returns the move of best play, and the DTC of the position.
func (s *depthSearch) best(ctx context.Context, p game.Position) (game.Successor, game.DTC, error) {
	g := s.probes.game
	value, err := s.probes.value(p)
	if err != nil {
		return game.Successor{}, 0, err
	}
	dtc, err := s.depth(ctx, p)
	if err != nil {
		return game.Successor{}, 0, err
	}
	for _, m := range g.Successors(nil, p) {
		next, err := s.probes.value(m.Next)
		if err != nil {
			return game.Successor{}, 0, err
		}
		if game.Score(m.Captured)-next.Score != value.Score {
			continue
		}
		if g.Converts(m) {
			if dtc == 1 {
				return m, dtc, nil
			}
			continue
		}
		after := dtc
		if dtc != game.Endless {
			after--
		}
		if yes, err := s.is(ctx, m.Next, after); yes || err != nil {
			return m, dtc, err
		}
	}
	return game.Successor{}, 0, s.contradiction(p)
}
