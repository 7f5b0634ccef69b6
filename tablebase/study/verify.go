package study

import (
	"context"
	"fmt"
	"slices"

	"bohnenspiel/tablebase"
)

// Verify judges a study: whether its claim is true, and what is wrong with the
// solution, as far as that goes. All faults are found, not the gravest alone. Errors are
// those of the tables, game.ErrWidth, and the context's.
//
// It costs a probe for each legal move of each position in the solution, and searches
// for depths where moves with the same score have to be compared.
func Verify(ctx context.Context, t Tables, s Study) (Report, error) {
	j, err := newJudge(ctx, t, s)
	if err != nil {
		return Report{}, err
	}
	v := verifier{judge: j, report: Report{
		Title: s.Title, Position: s.Diagram.String(), Stipulation: s.Stipulation, Rules: s.Rules, Place: s.Place,
		Faults: []Fault{},
	}}
	if err := v.verify(); err != nil {
		return Report{}, err
	}
	return v.report, nil
}

// verifier is a judge that writes a report.
type verifier struct {
	*judge
	report Report
}

func (v *verifier) verify() error {
	value, err := v.value(v.study.Diagram.Position())
	if err != nil {
		return err
	}
	v.report.Endless = value.Endless()
	target, lead, err := v.firstTarget()
	if err != nil {
		return err
	}
	first := branches(v.study.Solution)
	start := spot{d: v.study.Diagram, target: target}
	if isTrue := v.claimHolds(target, lead); !isTrue {
		if err := v.unsound(first, target, lead); err != nil {
			return err
		}
		start.mode = legality
	}
	if err := v.walk(start, first); err != nil {
		return err
	}
	v.report.rank()
	return v.mainLine(start, first)
}

// claimHolds reports whether a claim is true: draw and score say exactly what a
// position is worth, the others what the solver gets at least.
func (j *judge) claimHolds(target, lead int) bool {
	switch j.study.Stipulation.Goal {
	case Draw, Score:
		return lead == target
	default:
		return lead >= target
	}
}

// unsound reports a false claim. The line is best play after the key of the solution
// or, if it has none that is legal, or if the solver gets more, from the position.
func (v *verifier) unsound(first []*branch, target, lead int) error {
	d := v.study.Diagram
	manner := Less
	if lead > target {
		manner = More
	}
	best, err := v.play(d)
	if err != nil {
		return err
	}
	refutation := best.moves
	if manner == Less && d.ToMove == v.solver {
		options, err := v.options(d)
		if err != nil {
			return err
		}
		if claimed, _ := split(match(options, first)); len(claimed) > 0 {
			if refutation, err = v.after(claimed[0].option); err != nil {
				return err
			}
		}
	}
	v.add(spot{}, Fault{
		Kind: Unsound, Manner: manner, Line: refutation, Pits: refutation[:min(1, len(refutation))],
		Message: fmt.Sprintf("the claim is false: %s", v.truth(lead)),
	})
	return nil
}

// add adds a fault of a spot.
func (v *verifier) add(at spot, f Fault) {
	f.Path = append(tablebase.Pits{}, at.path...)
	f.Ply = len(at.path) + 1
	v.report.Faults = append(v.report.Faults, f)
}

// addMove adds a fault of a legal move.
func (v *verifier) addMove(at spot, o option, kind Verdict, manner Manner, message string) error {
	l, err := v.after(o)
	if err != nil {
		return err
	}
	v.add(at, Fault{Kind: kind, Manner: manner, Pits: tablebase.Pits{o.number}, Line: l, Message: message})
	return nil
}

// mainLine fills in key, line and the stores at its end.
func (v *verifier) mainLine(at spot, next []*branch) error {
	v.report.Key = v.key(next)
	moves := tablebase.Pits{}
	for at.mode == solving {
		options, err := v.options(at.d)
		if err != nil {
			return err
		}
		ways, tries := split(match(options, next))
		if at.d.ToMove != v.solver {
			ways = append(ways, tries...)
		} else {
			if at.target, err = v.target(at.d, at.target); err != nil {
				return err
			}
			ways = slices.DeleteFunc(ways, func(s step) bool { return s.lead < at.target })
		}
		if len(ways) == 0 {
			break
		}
		moves = append(moves, ways[0].number)
		at.d, next = ways[0].next, ways[0].then
	}
	rest, err := v.play(at.d)
	if err != nil {
		return err
	}
	v.report.Given = len(moves)
	moves = append(moves, rest.moves...)
	v.report.Line = moves
	if !rest.endless {
		v.report.Final = new(rest.end.Won())
	}
	place := 0 // of the solver's first move
	if v.study.Diagram.ToMove != v.solver {
		place = 1
	}
	if at.mode == solving && len(v.report.Key) == 0 && place < len(v.report.Line) {
		v.report.Key = tablebase.Pits{v.report.Line[place]}
	}
	return nil
}

// key returns the first moves of the solver that the solution gives, against the first
// defence if the opponent begins.
func (v *verifier) key(next []*branch) tablebase.Pits {
	key := tablebase.Pits{}
	if len(next) > 0 && v.study.Diagram.ToMove != v.solver {
		next = next[0].next
	}
	for _, b := range next {
		if !b.mark.Fails() {
			key = append(key, b.number)
		}
	}
	return key
}
