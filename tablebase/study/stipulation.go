package study

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bohnenspiel/solver/game"
)

// ErrStipulation is returned when a text is no stipulation.
var ErrStipulation = errors.New("bad stipulation")

// Goal is what a study asks for.
type Goal uint8

// The goals. What each claims, and which moves keep it, is defined in
// docs/studies.md; lead is the solver's final store less the opponent's.
const (
	Win   Goal = iota // a lead of 1 or more
	Draw              // a lead of exactly 0
	WinBy             // a lead of N or more
	Score             // exactly N beans more than the opponent from here on
	Best              // the largest lead that there is
)

// Solver is the side that a stipulation speaks of.
type Solver uint8

// The solvers.
const (
	ToMove Solver = iota // the side to move
	SouthSolves
	NorthSolves
)

// Stipulation is the claim of a study. The zero Stipulation is a win of the side to
// move. Stipulations are comparable.
type Stipulation struct {
	Goal  Goal
	Beans int // N of WinBy, at least 1, and of Score, which may be negative; else 0
	For   Solver
}

// ParseStipulation reads a stipulation: "win", "draw", "win by N", "score N" or
// "best", and for whom: "win for South", "win South" and "South win" mean the same.
// Upper and lower case do not matter. A text that is none of these gives an error
// that wraps ErrStipulation.
func ParseStipulation(text string) (Stipulation, error) {
	words := strings.Fields(strings.ToLower(text))
	var s Stipulation
	if len(words) > 1 {
		if side, ok := parseSolver(words[len(words)-1]); ok {
			s.For, words = side, words[:len(words)-1]
			if len(words) > 1 && words[len(words)-1] == "for" {
				words = words[:len(words)-1]
			}
		} else if side, ok := parseSolver(words[0]); ok {
			s.For, words = side, words[1:]
		}
	}
	number := ""
	switch goal := strings.Join(words, " "); {
	case goal == "win":
	case goal == "draw":
		s.Goal = Draw
	case goal == "best":
		s.Goal = Best
	case len(words) == 3 && words[0] == "win" && words[1] == "by":
		s.Goal, number = WinBy, words[2]
	case len(words) == 2 && words[0] == "score":
		s.Goal, number = Score, words[1]
	default:
		return s, fmt.Errorf("%w %q: want win, draw, win by N, score N or best, and perhaps for South or for North", ErrStipulation, text)
	}
	if number == "" {
		return s, nil
	}
	most := game.MaxBeans(game.MaxWidth)
	beans, err := strconv.Atoi(number)
	if least := s.leastBeans(); err != nil || beans < least || beans > most {
		return s, fmt.Errorf("%w %q: want a number of beans from %d to %d, not %q", ErrStipulation, text, least, most, number)
	}
	s.Beans = beans
	return s, nil
}

// leastBeans returns the smallest N of the goal.
func (s Stipulation) leastBeans() int {
	if s.Goal == Score {
		return -game.MaxBeans(game.MaxWidth)
	}
	return 1
}

func parseSolver(word string) (Solver, bool) {
	switch word {
	case "south":
		return SouthSolves, true
	case "north":
		return NorthSolves, true
	default:
		return ToMove, false
	}
}

// String returns the stipulation in the form that files have, such as
// "win by 4 for North".
func (s Stipulation) String() string {
	var text string
	switch s.Goal {
	case Win:
		text = "win"
	case Draw:
		text = "draw"
	case WinBy:
		text = fmt.Sprintf("win by %d", s.Beans)
	case Score:
		text = fmt.Sprintf("score %d", s.Beans)
	case Best:
		text = "best"
	}
	switch s.For {
	case SouthSolves:
		text += " for South"
	case NorthSolves:
		text += " for North"
	case ToMove:
	}
	return text
}

// MarshalText returns the same text as String.
func (s Stipulation) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Side returns the solver in a diagram.
func (s Stipulation) Side(d game.Diagram) game.Side {
	switch s.For {
	case SouthSolves:
		return game.South
	case NorthSolves:
		return game.North
	default:
		return d.ToMove
	}
}
