package study

import "bohnenspiel/solver/game"

// transposing is within how many plies a dual comes into the solution again if it
// transposes, its own ply counted.
const transposing = 6

// manner tells the duals that merely transpose or lengthen from others. Main is the
// move of the solution in the same spot, solution what follows it.
func (j *judge) manner(at spot, dual, main option, solution map[game.Diagram]bool) (Manner, error) {
	if yes, err := j.reaches(dual.next, at.target, solution, transposing-1); yes || err != nil {
		return Transposes, err
	}
	if dual.lead != main.lead {
		return Plain, nil
	}
	depth, err := j.depth(dual)
	if err != nil {
		return Plain, err
	}
	if mainDepth, err := j.depth(main); depth <= mainDepth || err != nil {
		return Plain, err
	}
	return Lengthens, nil
}

// dualMessage puts the manner of a dual in words.
func dualMessage(m Manner) string {
	const another = "another move keeps the claim"
	switch m {
	case Transposes:
		return another + "; it only transposes"
	case Lengthens:
		return another + "; it only lengthens"
	default:
		return another
	}
}

// reaches reports whether the solver can come into a solution within this many plies:
// by moves that keep the claim, against all best defences.
func (j *judge) reaches(d game.Diagram, target int, solution map[game.Diagram]bool, plies int) (bool, error) {
	if solution[d] || plies == 0 {
		return solution[d], nil
	}
	options, err := j.options(d)
	if err != nil {
		return false, err
	}
	solving := d.ToMove == j.solver
	if solving {
		if target, err = j.target(d, target); err != nil {
			return false, err
		}
		options = keeping(options, target)
	} else if options, err = j.best(options); err != nil {
		return false, err
	}
	for _, o := range options {
		yes, err := j.reaches(o.next, target, solution, plies-1)
		if yes == solving || err != nil {
			return yes, err
		}
	}
	return !solving && len(options) > 0, nil
}

// solutionAfter returns the diagrams that the solution comes through after a move of
// the solver, the last ones of each variation completed by best play.
func (j *judge) solutionAfter(at spot, main step) (map[game.Diagram]bool, error) {
	met := make(map[game.Diagram]bool)
	err := j.collect(met, main.next, main.then, at.target)
	return met, err
}

// collect adds the diagrams from d on.
func (j *judge) collect(met map[game.Diagram]bool, d game.Diagram, next []*branch, target int) error {
	met[d] = true
	options, err := j.options(d)
	if err != nil {
		return err
	}
	if d.ToMove == j.solver {
		if target, err = j.target(d, target); err != nil {
			return err
		}
		options = keeping(options, target)
	}
	steps := match(options, next)
	if d.ToMove == j.solver {
		steps, _ = split(steps)
	}
	for _, s := range steps {
		if err := j.collect(met, s.next, s.then, target); err != nil {
			return err
		}
	}
	if len(steps) > 0 {
		return nil
	}
	rest, err := j.play(d)
	for _, d := range rest.before {
		met[d] = true
	}
	return err
}
