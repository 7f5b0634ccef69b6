package study

import (
	"context"
	"fmt"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// mostMoves is how many moves Solve writes before it follows no further variation.
const mostMoves = 2000

// Solve returns the study with its whole solution instead of the one that it has:
//
//	solver      the best move that keeps the claim, with ! if it is the first or the
//	            only one; others that keep it as variations
//	opponent    all best defences, each followed to the end
//	tries       other first moves of the solver, with ? and the best refutation as far
//	            as the next conversion
//
// Where a variation comes into a position that was there before it stops; once there
// are 2,000 moves, further variations are one move long. If the claim is false, the
// solution is best play, with a comment that says so. Errors are those of Verify.
func Solve(ctx context.Context, t Tables, s Study) (Study, error) {
	j, err := newJudge(ctx, t, s)
	if err != nil {
		return Study{}, err
	}
	target, lead, err := j.firstTarget()
	if err != nil {
		return Study{}, err
	}
	if !j.claimHolds(target, lead) {
		best, err := j.play(s.Diagram)
		if err != nil {
			return Study{}, err
		}
		s.Solution = Movetext{Comment: fmt.Sprintf("The claim is false: %s.", j.truth(lead)), Moves: movesOf(best.moves)}
		return s, nil
	}
	c := composer{judge: j, written: make(map[game.Diagram]bool), left: mostMoves}
	s.Solution, err = c.write(s.Diagram, target, false)
	return s, err
}

// composer is a judge that writes a solution.
type composer struct {
	*judge
	written map[game.Diagram]bool // the diagrams that the solution has come to
	left    int                   // moves that may still be written in variations
}

// fork is a way to go on besides the main one.
type fork struct {
	ply    int // the place of the main move in its movetext
	option option
	target int
	kind   forkKind
	moved  bool // whether the solver has moved before
}

// forkKind is why a way is written.
type forkKind uint8

const (
	defence forkKind = iota
	anotherSolution
	dual
	try
)

// write writes the solution from a diagram on: the main line to its end, then the
// variations from the first to the last. Moved says whether the solver has moved
// before.
func (c *composer) write(d game.Diagram, target int, moved bool) (Movetext, error) {
	var t Movetext
	var forks []fork
	for !c.game.Over(d.Position()) {
		if c.written[d] {
			t.say("as above")
			break
		}
		c.written[d] = true
		options, err := c.options(d)
		if err != nil {
			return t, err
		}
		var main option
		var mark Mark
		var ways []fork
		if d.ToMove == c.solver {
			if target, err = c.target(d, target); err != nil {
				return t, err
			}
			main, mark, ways, err = c.solverMove(options, target, moved)
			moved = true
		} else {
			var best []option
			best, err = c.best(options)
			if err != nil {
				return t, err
			}
			main = best[0]
			for _, o := range best[1:] {
				ways = append(ways, fork{option: o, target: target, kind: defence, moved: moved})
			}
		}
		if err != nil {
			return t, err
		}
		for _, f := range ways {
			f.ply = len(t.Moves)
			forks = append(forks, f)
		}
		t.Moves = append(t.Moves, Move{Number: main.number, Mark: mark})
		c.left--
		if d = main.next; c.game.Over(d.Position()) {
			end := d.Settle(c.game)
			t.say(fmt.Sprintf("South %d, North %d", end.Stores[game.South], end.Stores[game.North]))
		}
	}
	for _, f := range forks {
		v, err := c.variation(f)
		if err != nil {
			return t, err
		}
		t.Moves[f.ply].Variations = append(t.Moves[f.ply].Variations, v)
	}
	return t, nil
}

// solverMove chooses the move of the solver, and what is to be said of the others.
func (c *composer) solverMove(options []option, target int, moved bool) (main option, mark Mark, ways []fork, err error) {
	keeping := keeping(options, target)
	best, err := c.best(keeping)
	if err != nil {
		return option{}, Unmarked, nil, err
	}
	main = best[0]
	if !moved || len(keeping) == 1 && len(options) > 1 {
		mark = Key
	}
	for _, o := range without(options, main.number) {
		f := fork{option: o, target: target, kind: dual}
		switch {
		case o.lead < target && moved:
			continue
		case o.lead < target:
			f.kind = try
		case !moved:
			f.kind = anotherSolution
		}
		ways = append(ways, f)
	}
	return main, mark, ways, nil
}

// variation writes a fork.
func (c *composer) variation(f fork) (Movetext, error) {
	t := Movetext{Moves: []Move{{Number: f.option.number}}}
	c.left--
	switch f.kind {
	case try:
		t.Moves[0].Mark = Try
		refutation, err := c.refutation(f)
		t.Moves = append(t.Moves, refutation...)
		return t, err
	case dual:
		t.say("dual")
		return t, nil
	case anotherSolution:
		t.say("another solution")
		rest, err := c.play(f.option.next)
		t.Moves = append(t.Moves, movesOf(rest.moves)...)
		return t, err
	default:
		if c.left < 0 {
			t.say("not followed further")
			return t, nil
		}
		rest, err := c.write(f.option.next, f.target, f.moved)
		if rest.Comment != "" {
			t.say(rest.Comment)
		}
		t.Moves = append(t.Moves, rest.Moves...)
		return t, err
	}
}

// refutation returns best play after a try as far as the next conversion.
func (c *composer) refutation(f fork) ([]Move, error) {
	var moves []Move
	met := make(map[game.Diagram]bool)
	o := f.option
	for !o.converts || len(moves) == 0 {
		if met[o.next] || c.game.Over(o.next.Position()) {
			break
		}
		met[o.next] = true
		options, err := c.options(o.next)
		if err != nil {
			return nil, err
		}
		best, err := c.best(options)
		if err != nil {
			return nil, err
		}
		m := Move{Number: best[0].number}
		if len(moves) == 0 && len(options) > 1 && len(options)-len(keeping(options, f.target)) == 1 {
			m.Mark = Key
		}
		moves = append(moves, m)
		o = best[0]
	}
	return moves, nil
}

// say puts a comment behind the last move, or before the first.
func (t *Movetext) say(comment string) {
	if len(t.Moves) == 0 {
		addComment(&t.Comment, comment)
		return
	}
	addComment(&t.Moves[len(t.Moves)-1].Comment, comment)
}

// movesOf returns moves without marks.
func movesOf(pits tablebase.Pits) []Move {
	moves := make([]Move, len(pits))
	for i, number := range pits {
		moves[i].Number = number
	}
	return moves
}
