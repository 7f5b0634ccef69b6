package web

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"bohnenspiel/solver/game"
)

// examples are what the board shows when the address names no position: the first
// that the tables can answer, or else the last.
func examples() []string {
	return []string{
		"0-2-1-1-1-1-3-3-3-1-0-0-28-28-S",
		"3-2-2-0-1-0-1-0-2-0-0-1-30-30-S",
		"0-0-1-1-1-2-0-0-1-0-1-1-34-30-S",
		"0-1-0-0-0-1-0-0-0-0-0-0-35-35-S",
	}
}

// newExample returns the position that the board shows when the address names none.
func newExample(dbs databases) (game.Diagram, error) {
	var d game.Diagram
	for _, text := range examples() {
		var err error
		if d, err = game.ParseDiagram(text, 0); err != nil {
			return d, err
		}
		if _, err := dbs.answer(context.Background(), game.Bohnenspiel, d, 0); err == nil {
			break
		}
	}
	return d, nil
}

// boardPage is the page of one position.
type boardPage struct {
	Position string // in its canonical form; empty where there is none
	Typed    string // what stands in the field for text
	Rules    game.Rules
	Hidden   bool // whether the answer is hidden at first, since this is a puzzle
	Board    board
	Answer   positionView
	Puzzle   *puzzleView // of the day; nil if there is none
}

// board is a diagram as it is drawn.
type board struct {
	Width    int
	Mangala  bool
	ToMove   string // "South" or "North"
	Far      []pit  // North's, from left to right
	Near     []pit  // South's, from left to right
	Stores   [2]int
	Position string
	OtherURL string // the same with the other side to move
}

// pit is a pit of a board, or a store where its number is 0.
type pit struct {
	Number int
	Side   string
	Beans  int
	Drawn  int // beans that are drawn
	Move   *moveView
}

// address returns the address of the page of a position.
func address(rules game.Rules, position string) string {
	query := url.Values{"position": {position}}
	if rules != game.Bohnenspiel {
		query.Set("rules", rules.String())
	}
	return "/?" + query.Encode()
}

// boardPage shows a position, or what is wrong with what the address names.
func (s *Server) boardPage(ctx context.Context, r *http.Request, _ url.Values) (any, int, error) {
	page := boardPage{Puzzle: s.puzzleOf(time.Now())}
	rules, d, err := s.pageDiagram(r)
	page.Rules = rules
	page.Typed = r.URL.Query().Get("position")
	if err != nil {
		if !isClientError(err) {
			return nil, 0, err
		}
		empty := game.Diagram{Width: game.StandardWidth}
		page.Board = newBoard(rules, empty, positionView{})
		p := problemOf(err)
		page.Answer = positionView{Kind: "bad", Fault: p.What, Reason: p.Reason()}
		return page, p.status, nil
	}
	page.Position = d.String()
	if page.Typed == "" {
		page.Typed = page.Position
	}
	var status int
	if page.Answer, status, err = s.newPositionView(ctx, r, rules, d); err != nil {
		return nil, 0, err
	}
	marked := page.Answer
	page.Hidden = r.URL.Query().Has("puzzle") && page.Answer.isPuzzle()
	if page.Hidden {
		marked = positionView{}
	}
	page.Board = newBoard(rules, d, marked)
	return page, status, nil
}

// pageDiagram reads game and position of the address of a page.
func (s *Server) pageDiagram(r *http.Request) (game.Rules, game.Diagram, error) {
	q, err := requestOf(r)
	if err != nil {
		return 0, game.Diagram{}, err
	}
	rules := game.Bohnenspiel
	if name := q.query.Get("rules"); name != "" {
		if rules, err = game.ParseRules(name); err != nil {
			return 0, game.Diagram{}, err
		}
	}
	if !q.query.Has("position") {
		return rules, s.example, nil
	}
	d, err := game.ParseDiagram(q.query.Get("position"), 0)
	return rules, d, err
}

// newBoard returns the drawing of a diagram. The moves of an answer are marked.
func newBoard(rules game.Rules, d game.Diagram, a positionView) board {
	b := board{
		Width: d.Width, Mangala: rules == game.Mangala,
		ToMove: d.ToMove.String(), Stores: d.Stores, Position: d.String(),
	}
	pits := make([]pit, 2*d.Width)
	for i := range pits {
		side := game.Side(i / d.Width)
		beans := d.Rows[side].Pit(i % d.Width)
		pits[i] = pit{Number: i + 1, Side: side.String(), Beans: beans, Drawn: min(beans, mostInPit)}
	}
	for i, m := range a.Moves {
		if m.Pit > 0 {
			pits[m.Pit-1].Move = &a.Moves[i]
		}
	}
	b.Near = pits[:d.Width]
	for i := range d.Width {
		b.Far = append(b.Far, pits[2*d.Width-1-i])
	}
	other := d
	other.ToMove = d.ToMove.Other()
	b.OtherURL = address(rules, other.String())
	return b
}
