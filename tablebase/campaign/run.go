package campaign

import (
	"context"
	"hash/fnv"

	"bohnenspiel/solver/search"
)

// Source gives out jobs and takes their results.
type Source interface {
	// Next returns the next job, or false when there is none: all is answered, or others are
	// at what is left.
	Next(ctx context.Context) (search.Question, bool, error)
	// Done takes the result of a job.
	Done(ctx context.Context, result Line) error
}

// Work works on the jobs of a source until there are none, or ctx ends, which is no error.
// A job that is not answered after so many positions is to be split. Report, if not nil, is
// called with each result.
func Work(ctx context.Context, source Source, s *Solver, limit uint64, report func(Line)) error {
	for ctx.Err() == nil {
		q, ok, err := source.Next(ctx)
		if err != nil || !ok {
			return err
		}
		line, ok := s.Do(ctx, q, limit)
		if !ok {
			return nil
		}
		if err := source.Done(ctx, line); err != nil {
			return err
		}
		if report != nil {
			report(line)
		}
	}
	return nil
}

// Limited returns a source that gives out no more than so many jobs of another one.
func Limited(s Source, jobs int) Source { return &limited{s, jobs} }

// limited is what Limited returns.
type limited struct {
	Source

	jobs int // that are left
}

// Next returns a job of the other source as long as some are left.
func (l *limited) Next(ctx context.Context) (search.Question, bool, error) {
	if l.jobs == 0 {
		return search.Question{}, false, nil
	}
	l.jobs--
	return l.Source.Next(ctx)
}

// LocalOptions say how jobs are chosen from a file.
type LocalOptions struct {
	// SplitAbove, if not 0, has questions about positions with more beans split when their
	// turn comes, without a try.
	SplitAbove int
	// Part and Parts deal the questions out among several processes that see little of each
	// other's work: this one, the first of them being number 0, rather takes its own part.
	Part, Parts int
}

// Local is a source of jobs in this process: a file and the tree of its lines. The one
// solver that works on its jobs gives it estimates, and what else it has found out.
type Local struct {
	file    *File
	tree    *Tree
	solver  *Solver
	options LocalOptions
	learnt  int // answers that the solver was told
}

// NewLocal returns a source of jobs of a file. The tree must be of the lines that have been
// read of it.
func NewLocal(file *File, tree *Tree, s *Solver, o LocalOptions) *Local {
	return &Local{file: file, tree: tree, solver: s, options: o}
}

// Tree returns the tree. It must not be used at the same time as the source.
func (l *Local) Tree() *Tree { return l.tree }

// Next returns the best job. It reads what others have added to the file meanwhile.
func (l *Local) Next(context.Context) (search.Question, bool, error) {
	c := Choice{}
	if l.options.Parts > 1 {
		c.Avoid = func(q search.Question) bool { return !l.own(q) }
	}
	for {
		if err := l.read(); err != nil {
			return search.Question{}, false, err
		}
		found := l.gather()
		if len(found) == 0 {
			q, ok := l.tree.Next(c)
			if !ok || l.options.SplitAbove == 0 || q.Position.Beans() <= l.options.SplitAbove {
				return q, ok, nil
			}
			found = append(found, l.solver.line(q, search.Open, 0))
		}
		if err := l.file.Append(found...); err != nil {
			return search.Question{}, false, err
		}
	}
}

// Done writes a result to the file.
func (l *Local) Done(_ context.Context, result Line) error {
	if err := l.file.Append(result); err != nil {
		return err
	}
	return l.read()
}

// read brings what is new in the file into the tree, and what follows to the solver.
func (l *Local) read() error {
	lines, err := l.file.Read()
	if err != nil {
		return err
	}
	if len(lines) > 0 {
		if err := l.tree.Add(lines...); err != nil {
			return err
		}
	}
	for _, a := range l.tree.facts.log[l.learnt:] {
		l.solver.learn(a)
	}
	l.learnt = len(l.tree.facts.log)
	return nil
}

// gather asks the solver about every open question. It returns lines for those that it
// can answer without a search, because another job did so by the way.
func (l *Local) gather() []Line {
	var found []Line
	for i := range l.tree.walk(l.tree.open()) {
		n := &l.tree.nodes[i]
		q := n.question
		numbers, verdict, visited := l.solver.estimate(q)
		switch {
		case verdict != search.Open:
			found = append(found, l.solver.line(q, verdict, 0))
		case n.children == nil:
			if hint, ok := l.tree.hints[q]; ok && !visited {
				l.solver.hint(q, hint)
				numbers, _, _ = l.solver.estimate(q)
			}
			n.estimate = numbers
		}
	}
	return found
}

// own reports whether a question is of this process's part.
func (l *Local) own(q search.Question) bool {
	h := fnv.New64a()
	_, _ = h.Write([]byte(Pits(l.tree.game, q.Position))) // it never fails
	_, _ = h.Write([]byte{byte(q.Bound)})
	return h.Sum64()%uint64(l.options.Parts) == uint64(l.options.Part)
}
