package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
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
func newExample(t tables) (game.Diagram, error) {
	var d game.Diagram
	for _, text := range examples() {
		var err error
		if d, err = game.ParseDiagram(text, 0); err != nil {
			return d, err
		}
		if _, err := t.answer(context.Background(), game.Bohnenspiel, d, 0); err == nil {
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
	Answer   answer
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
	Move   *move
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
		if !isClass(err) {
			return nil, 0, err
		}
		empty := game.Diagram{Width: game.StandardWidth}
		page.Board = newBoard(rules, empty, answer{})
		p := problemOf(err)
		page.Answer = answer{Kind: "bad", Fault: p.What, Reason: p.Reason()}
		return page, p.status, nil
	}
	page.Position = d.String()
	if page.Typed == "" {
		page.Typed = page.Position
	}
	var status int
	if page.Answer, status, err = s.newAnswer(ctx, r, rules, d); err != nil {
		return nil, 0, err
	}
	marked := page.Answer
	page.Hidden = r.URL.Query().Has("puzzle") && page.Answer.isPuzzle()
	if page.Hidden {
		marked = answer{}
	}
	page.Board = newBoard(rules, d, marked)
	return page, status, nil
}

// pageDiagram reads game and position of the address of a page.
func (s *Server) pageDiagram(r *http.Request) (game.Rules, game.Diagram, error) {
	q, err := questionOf(r)
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
func newBoard(rules game.Rules, d game.Diagram, a answer) board {
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

// answer is what the page says about a position.
type answer struct {
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
	Moves    []move
	Line     []move // best play to the end, or to where it begins to go round
	LineText string // the same as text
	Cycle    bool   // whether play goes round for ever after the last move
}

// move is a move as the page lists it.
type move struct {
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
func (a answer) isPuzzle() bool {
	return a.Kind == "known" && a.Keeping == 1 && len(a.Moves) > 1 && a.Outcome != game.Loss.String()
}

// newAnswer says what the tables know of a position, and the status of the page.
func (s *Server) newAnswer(ctx context.Context, r *http.Request, rules game.Rules, d game.Diagram) (answer, int, error) {
	a := answer{
		Kind: "known", Position: d.String(), Rules: rules, Beans: d.Position().Beans(),
		Mover: d.ToMove.String(), Other: d.ToMove.Other().String(), Given: d.Stores != [2]int{},
	}
	g, err := game.New(rules, d.Width)
	if err != nil {
		return a, 0, err
	}
	known, err := s.tables.answer(ctx, rules, d, s.limits.Visited)
	if err != nil {
		p := problemOf(err)
		s.report(r, p.status, err)
		a.Kind = "failed"
		if errors.Is(err, format.ErrNoLayer) || errors.Is(err, format.ErrTooManyBeans) {
			a.Kind = "missing"
			a.Layers = s.layerList(rules, d.Width)
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
		next, err := s.knownMove(g, d, m, a.Score)
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
func (a *answer) addLine(g game.Game, d game.Diagram, pits tablebase.Pits) error {
	words := []string{d.String() + ":"}
	for _, number := range pits {
		word := "-" // a pass
		if number > 0 {
			word = fmt.Sprint(number)
		}
		next, shown, err := newMove(g, d, number)
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

// layerList names the beans of the layers of a game.
func (s *Server) layerList(rules game.Rules, width int) string {
	return beansOf(s.tables.manifests(rules, width))
}

// knownMove returns a move with what the tables say about it. Best is the score of the
// position.
func (s *Server) knownMove(g game.Game, d game.Diagram, m tablebase.Move, best int) (move, error) {
	number := 0
	if m.Pit != nil {
		number = *m.Pit
	}
	next, shown, err := newMove(g, d, number)
	if err != nil {
		return move{}, err
	}
	score := int(*m.Score)
	shown.Known = true
	shown.Lead = d.Lead() + score
	shown.Outcome = m.Outcome.String()
	shown.Lost = best - score
	shown.DTC = m.DTC
	key := format.KeyOf(g, next.Position().Beans())
	if !g.Over(next.Position()) {
		value, err := s.tables.holder(key).Probe(g, next.Position())
		if err != nil {
			return move{}, err
		}
		shown.Endless = value.Endless()
	}
	final := d.Final(*m.Score)
	shown.South, shown.North = final.South, final.North
	return shown, nil
}

// newMove returns a move of which nothing is known but what it does.
func newMove(g game.Game, d game.Diagram, number int) (game.Diagram, move, error) {
	next, captured, err := d.Play(g, number)
	if err != nil {
		return next, move{}, err
	}
	steps, err := d.Steps(g, number)
	if err != nil {
		return next, move{}, err
	}
	join := func(pits []int) string { return strings.Trim(fmt.Sprint(pits), "[]") }
	return next, move{
		Side: d.ToMove.String(), Pit: number, Takes: captured, Next: next.String(), URL: address(g.Rules(), next.String()),
		Sown: join(steps.Sown), Captured: join(steps.Captured),
	}, nil
}

// legalMoves lists the moves of a position that no table knows.
func legalMoves(g game.Game, d game.Diagram) ([]move, error) {
	var all []move
	for _, s := range g.Successors(nil, d.Position()) {
		_, m, err := newMove(g, d, d.Number(s.Pit))
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// picture answers GET /picture.svg?position=…: the board as a drawing.
func (s *Server) picture(w http.ResponseWriter, r *http.Request) {
	rules, d, err := s.pageDiagram(r)
	var text []byte
	if err == nil {
		text, err = s.pages.render("picture.svg.html", newFrame(r, "", newPicture(rules, d)))
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	send(w, r, text, tablesNeverChange)
}
