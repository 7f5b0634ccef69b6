package campaign

import (
	"fmt"
	"sort"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
)

// facts are what is known of positions.
type facts struct {
	of map[game.Position]*known
	// log are the answers in the order in which they got known, but for those that the rules
	// give at once.
	log []answer
	at  int // answers so far
}

// answer is the answer to a question.
type answer struct {
	question search.Question
	yes      bool
}

// known is what is known of one position, in the order in which it got known: lower bounds
// that rise, and upper bounds that fall. Scores are at least a lower bound, and below an
// upper one.
type known struct {
	lows, highs []fact
}

// fact is a bound, and why it is right.
type fact struct {
	bound int
	at    int     // how many were known before it
	line  Located // of no kind but Header where the tree shows it
}

func newFacts() *facts { return &facts{of: make(map[game.Position]*known)} }

// about returns what is known of a position.
func (f *facts) about(p game.Position) *known {
	k := f.of[p]
	if k == nil {
		k = new(known)
		f.of[p] = k
	}
	return k
}

// add adds what a line says. The error wraps ErrContradiction and names both lines.
func (f *facts) add(l Located) error {
	if !l.Answers() {
		return nil
	}
	return f.learn(f.about(l.Position), l.Question(), l.Kind == Yes, l)
}

// learn adds the answer to a question, which a line gives or the tree shows, to what is
// known of the position.
func (f *facts) learn(k *known, q search.Question, yes bool, line Located) error {
	bound := int(q.Bound)
	if answer, ok := k.answer(bound); ok {
		if answer == yes {
			return nil
		}
		other := k.reason(bound).line
		return fmt.Errorf("%w: %s, %s", ErrContradiction, place(line), place(other))
	}
	f.keep(k, bound, yes, line)
	f.log = append(f.log, answer{q, yes})
	return nil
}

// keep adds a fact, which must be new, to what is known of a position.
func (f *facts) keep(k *known, bound int, yes bool, line Located) {
	next := fact{bound, f.at, line}
	f.at++
	if yes {
		k.lows = append(k.lows, next)
	} else {
		k.highs = append(k.highs, next)
	}
}

// place names a line in an error.
func place(l Located) string {
	if l.Kind == Header {
		return "what follows from other lines"
	}
	return fmt.Sprintf("%s (%q)", l.Where(), l.String())
}

// answer returns the answer to whether the score is at least a bound.
func (k *known) answer(bound int) (yes, ok bool) {
	switch {
	case len(k.lows) > 0 && k.lows[len(k.lows)-1].bound >= bound:
		return true, true
	case len(k.highs) > 0 && k.highs[len(k.highs)-1].bound <= bound:
		return false, true
	default:
		return false, false
	}
}

// reason returns the fact that was the first to answer whether the score is at least a
// bound. There must be one.
func (k *known) reason(bound int) fact {
	i := sort.Search(len(k.lows), func(i int) bool { return k.lows[i].bound >= bound })
	if i < len(k.lows) {
		return k.lows[i]
	}
	i = sort.Search(len(k.highs), func(i int) bool { return k.highs[i].bound <= bound })
	return k.highs[i]
}
