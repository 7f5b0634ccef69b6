package tablebase

import (
	"cmp"
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
	Final *Final `json:"final"`
	// Endless reports whether the score leans on rule 8.
	Endless bool `json:"endless"`
	// DTC is the depth to conversion in plies.
	DTC *int `json:"dtc"`
	// Moves are all legal moves, best first: by score, then by pit. It is empty,
	// not nil, when play is over.
	Moves []Move `json:"moves"`
	// Line is a line of best play, as numbers of pits.
	Line []int `json:"line"`
}

// Final is what the stores hold when play has ended.
type Final struct {
	South int `json:"south"`
	North int `json:"north"`
}

// Move is a legal move and what it leads to. Score and Outcome are those of the
// side that makes the move.
type Move struct {
	Pit      *int          `json:"pit"`      // the pit's number, 1 to 2w; nil for a pass
	Captured int           `json:"captured"` // beans that the move takes
	Score    *game.Score   `json:"score"`
	Outcome  *game.Outcome `json:"outcome"`
	DTC      *int          `json:"dtc"`
}

// Answer looks up a position and all its moves, in the layers they lead to. Its
// errors are those of Probe.
func (db *DB) Answer(rules game.Rules, d game.Diagram) (Answer, error) {
	g, err := game.New(rules, d.Width)
	if err != nil {
		return Answer{}, err
	}
	p := d.Position()
	beans, err := countBeans(d.Width, p)
	if err != nil {
		return Answer{}, err
	}
	pr := prober{db: db, game: g}
	value, err := pr.known(p)
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{
		Position: d.String(),
		Rules:    rules,
		Beans:    beans,
		Score:    new(value.Score),
		Outcome:  new(d.Outcome(value.Score)),
		Final:    finalStores(d, beans, value),
		Endless:  value.Endless(),
		Moves:    []Move{},
	}
	if g.Over(p) {
		return answer, nil
	}
	for _, s := range g.Successors(nil, p) {
		next, err := pr.known(s.Next)
		if err != nil {
			return Answer{}, err
		}
		score := game.Score(s.Captured) - next.Score
		move := Move{Captured: s.Captured, Score: &score, Outcome: new(d.Outcome(score))}
		if s.Pit != game.Pass {
			move.Pit = new(d.Number(s.Pit))
		}
		answer.Moves = append(answer.Moves, move)
	}
	// Moves come in the order of pits.
	slices.SortStableFunc(answer.Moves, func(a, b Move) int { return cmp.Compare(*b.Score, *a.Score) })
	return answer, nil
}

// known returns the value of a position, by the rules alone where play is over.
func (pr *prober) known(p game.Position) (Value, error) {
	if pr.game.Over(p) {
		score := pr.game.Final(p)
		return Value{Score: score, Low: score, High: score}, nil
	}
	return pr.value(p)
}

// finalStores returns the stores at the end of best play, or nil where beans may
// stay on the board.
func finalStores(d game.Diagram, beans int, v Value) *Final {
	won := beans + int(v.Score) // twice what the mover will still win
	if v.Endless() || won%2 != 0 {
		return nil
	}
	stores := d.Stores
	stores[d.ToMove] += won / 2
	stores[d.ToMove.Other()] += beans - won/2
	return &Final{South: stores[game.South], North: stores[game.North]}
}
