package study

import (
	"fmt"
	"slices"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// Verdict is what is to be said of a study: the gravest of its faults. Verdicts are
// ordered from light to grave. They are defined in docs/studies.md.
type Verdict uint8

// The verdicts.
const (
	Sound      Verdict = iota // no fault
	Dual                      // later in the solution another move of the solver keeps the claim
	Incomplete                // a defence is missing that is as good as those given
	Wrong                     // a move is illegal, or not what the solution says it is
	Cooked                    // another first move keeps the claim
	Unsound                   // the claim is false
)

// String returns the verdict in one lower-case word.
func (v Verdict) String() string {
	return [...]string{"sound", "dual", "incomplete", "wrong", "cooked", "unsound"}[v]
}

// MarshalText returns the same word as String.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Manner says of which sort a fault is, within its kind. It is empty where a kind has
// no sorts.
type Manner string

// The manners.
const (
	Less Manner = "less" // unsound: the solver gets less than is claimed
	More Manner = "more" // unsound: the solver gets more

	Illegal Manner = "illegal" // wrong: the move is not legal
	Fails   Manner = "fails"   // wrong: the move does not keep the claim
	Works   Manner = "works"   // wrong: the move keeps the claim, but is marked ?
	Refutes Manner = "refutes" // wrong: the reply to a try does not refute it

	Plain      Manner = "plain"      // dual: neither of the following
	Lengthens  Manner = "lengthens"  // dual: as many beans in more plies
	Transposes Manner = "transposes" // dual: it comes into the solution again
)

// Fault is a fault of a study, about one move.
type Fault struct {
	Kind Verdict        `json:"kind"`
	Ply  int            `json:"ply"`  // the number of the ply, counted from 1
	Pits tablebase.Pits `json:"pits"` // the move; empty where play is over
	// Line begins with the move and goes on with best play; it is the move alone
	// where that is illegal.
	Line    tablebase.Pits `json:"line"`
	Manner  Manner         `json:"manner"`
	Path    tablebase.Pits `json:"path"`    // the moves before the ply
	Message string         `json:"message"` // for people
}

// Text says for people what the fault is: the ply, the moves before it, what is wrong
// with the move, and the line.
func (f Fault) Text() string {
	where := fmt.Sprintf("ply %d", f.Ply)
	if len(f.Path) > 0 {
		where += " after " + MoveNames(f.Path)
	}
	if f.Kind != Unsound {
		where += ", " + MoveNames(f.Pits)
	}
	if len(f.Line) < 2 {
		return fmt.Sprintf("%s: %s", where, f.Message)
	}
	return fmt.Sprintf("%s: %s: %s", where, f.Message, MoveNames(f.Line))
}

// Report is what is to be said of a study.
type Report struct {
	Title       string      `json:"title"`
	Position    string      `json:"position"` // as game.Diagram prints it
	Stipulation Stipulation `json:"stipulation"`
	Verdict     Verdict     `json:"verdict"`
	// Faults are the gravest first, then in the order of the solution. They are empty,
	// not nil, if there are none.
	Faults []Fault `json:"faults"`
	// Key are the first moves of the solver that the solution gives, tries left out. If
	// it gives none and the claim is true, it is that of Line.
	Key tablebase.Pits `json:"key"`
	// Line is the main line of the solution, as far as it is right, completed by best
	// play. The first Given moves are the solution's.
	Line  tablebase.Pits `json:"line"`
	Given int            `json:"given"`
	Rules game.Rules     `json:"rules"`
	// Final is what the stores hold at the end of Line. It is nil if there is no end.
	Final *game.Beans `json:"final"`
	// Endless reports whether the worth of the position leans on rule 8.
	Endless bool  `json:"endless"`
	Place   Place `json:"place"` // of the study in its file
}

// rank sorts the faults and sets the verdict.
func (r *Report) rank() {
	slices.SortStableFunc(r.Faults, func(a, b Fault) int { return int(b.Kind) - int(a.Kind) })
	if len(r.Faults) > 0 {
		r.Verdict = r.Faults[0].Kind
	}
}

// Claim says in words what a stipulation claims of a diagram, such as "South wins".
func (s Stipulation) Claim(d game.Diagram) string {
	side := s.Side(d)
	switch s.Goal {
	case Win:
		return fmt.Sprintf("%v wins", side)
	case Draw:
		return fmt.Sprintf("%v draws", side)
	case WinBy:
		return fmt.Sprintf("%v wins by %d or more", side, s.Beans)
	case Score:
		return fmt.Sprintf("the score is %+d for %v", s.Beans, side)
	default:
		return fmt.Sprintf("best play for %v", side)
	}
}

// truth says in words what is true instead of a false claim.
func (j *judge) truth(lead int) string {
	d := j.study.Diagram
	switch {
	case j.study.Stipulation.Goal == Score:
		return fmt.Sprintf("the score is %+d for %v", lead-j.view(d, d.Lead()), j.solver)
	case lead > 0:
		return fmt.Sprintf("%v wins by %d", j.solver, lead)
	case lead < 0:
		return fmt.Sprintf("%v loses by %d", j.solver, -lead)
	default:
		return "it is a draw"
	}
}
