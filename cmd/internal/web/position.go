package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
)

// positionView is what the page says about a position.
type positionView struct {
	Kind     string // "known", "over", "missing" (no table), "bad" (no position), "failed"
	Fault    string // what is wrong, where the position is bad
	Reason   string // the name of the text that says it in the language of the page
	Layers   string // beans of the layers that are there, where the table is missing
	Position string
	Rules    game.Rules
	Beans    int
	Mover    string
	Other    string
	Winner   string // "South", "North", or "" for a draw
	Lead     int    // of the mover, at the end
	Outcome  string // of the mover: "win", "draw" or "loss"
	Final    *game.Beans
	Score    int
	Won      [2]int // beans on the board that the mover and the opponent still win
	Given    bool   // whether the stores hold anything
	Endless  bool
	Keeping  int // moves that keep the result
	KeyPit   int // the pit of the first of the best moves
	Moves    []moveView
	Line     []moveView // best play to the end, or to where it begins to go round
	LineText string     // the same as text
	Cycle    bool       // whether play goes round for ever after the last move
}

// moveView is a move as the page lists it.
type moveView struct {
	Side     string
	Pit      int // 0 for a pass
	Takes    int
	Known    bool // whether the values below are known
	Lead     int  // of the mover, at the end
	South    int  // beans at the end, where they are known
	North    int
	Endless  bool // the final beans are not known
	Outcome  string
	Lost     int // beans less than the best move wins
	DTC      *game.DTC
	Next     string // the position after it
	URL      string // and its address
	Sown     string // pits that get a bean, in order, separated by blanks
	Captured string // pits that are taken, in order
}

// isPuzzle reports whether one move only wins or draws.
func (a positionView) isPuzzle() bool {
	return a.Kind == "known" && a.Keeping == 1 && len(a.Moves) > 1 && a.Outcome != game.Loss.String()
}

// newPositionView says what the tables know of a position, and the status of the page.
func (s *Server) newPositionView(ctx context.Context, r *http.Request, rules game.Rules, d game.Diagram) (positionView, int, error) {
	a := positionView{
		Kind: "known", Position: d.String(), Rules: rules, Beans: d.Position().Beans(),
		Mover: d.ToMove.String(), Other: d.ToMove.Other().String(), Given: d.Stores != [2]int{},
	}
	g, err := game.New(rules, d.Width)
	if err != nil {
		return a, 0, err
	}
	known, err := s.databases.answer(ctx, rules, d, s.limits.Visited)
	if err != nil {
		p := problemOf(err)
		s.report(r, p.status, err)
		a.Kind = "failed"
		if errors.Is(err, format.ErrNoLayer) || errors.Is(err, format.ErrTooManyBeans) {
			a.Kind = "missing"
			a.Layers = beansOf(s.databases.manifests(rules, d.Width))
		}
		a.Moves, err = legalMoves(g, d)
		return a, p.status, err
	}
	if g.Over(d.Position()) {
		a.Kind = "over"
	}
	a.Score = int(*known.Score)
	a.Won = [2]int{(a.Beans + a.Score) / 2, (a.Beans - a.Score) / 2}
	a.Lead = d.Lead() + a.Score
	a.Outcome = known.Outcome.String()
	a.Final = known.Final
	a.Endless = known.Endless
	switch {
	case a.Lead > 0:
		a.Winner = a.Mover
	case a.Lead < 0:
		a.Winner = a.Other
	}
	for _, m := range known.Moves {
		next, err := knownMove(g, d, m, a.Score)
		if err != nil {
			return a, 0, err
		}
		if *m.Outcome == *known.Outcome {
			a.Keeping++
		}
		a.Moves = append(a.Moves, next)
	}
	if len(a.Moves) > 0 {
		a.KeyPit = a.Moves[0].Pit
	}
	return a, 0, a.addLine(g, d, known.Line)
}

// addLine adds best play to an answer. Without pits it is not known.
func (a *positionView) addLine(g game.Game, d game.Diagram, pits tablebase.Pits) error {
	words := []string{d.String() + ":"}
	for _, number := range pits {
		word := "-" // a pass
		if number > 0 {
			word = fmt.Sprint(number)
		}
		next, shown, err := newMoveView(g, d, number)
		if err != nil {
			return err
		}
		d = next
		a.Line = append(a.Line, shown)
		words = append(words, word)
	}
	a.LineText = strings.Join(words, " ")
	a.Cycle = len(pits) > 0 && !g.Over(d.Position())
	return nil
}

// knownMove returns a move with what the tables say about it. Best is the score of the
// position.
func knownMove(g game.Game, d game.Diagram, m tablebase.Move, best int) (moveView, error) {
	_, shown, err := newMoveView(g, d, m.Number())
	if err != nil {
		return moveView{}, err
	}
	score := int(*m.Score)
	shown.Known = true
	shown.Lead = d.Lead() + score
	shown.Outcome = m.Outcome.String()
	shown.Lost = best - score
	shown.DTC = m.DTC
	shown.Endless = m.Endless
	final := d.Final(*m.Score)
	shown.South, shown.North = final.South, final.North
	return shown, nil
}

// newMoveView returns a move of which nothing is known but what it does.
func newMoveView(g game.Game, d game.Diagram, number int) (game.Diagram, moveView, error) {
	next, captured, err := d.Play(g, number)
	if err != nil {
		return next, moveView{}, err
	}
	steps, err := d.Steps(g, number)
	if err != nil {
		return next, moveView{}, err
	}
	join := func(pits []int) string { return strings.Trim(fmt.Sprint(pits), "[]") }
	return next, moveView{
		Side: d.ToMove.String(), Pit: number, Takes: captured, Next: next.String(), URL: address(g.Rules(), next.String()),
		Sown: join(steps.Sown), Captured: join(steps.Captured),
	}, nil
}

// legalMoves lists the moves of a position that no table knows.
func legalMoves(g game.Game, d game.Diagram) ([]moveView, error) {
	var all []moveView
	for _, s := range g.Successors(nil, d.Position()) {
		_, m, err := newMoveView(g, d, d.Number(s.Pit))
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}
