package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/proof"
)

// queryFlags are the flags of query.
type queryFlags struct {
	positionFlags
	budget time.Duration
}

func newQueryCommand(c console, shared *options) *cobra.Command {
	o := &queryFlags{positionFlags: positionFlags{options: shared}}
	cmd := &cobra.Command{
		Use:   "query POSITION… | -",
		Short: "Say who wins a position, by how much, and by which moves",
		Long: `query answers each position given as an argument or, for "-", each line of
standard input; there, blank lines and lines that begin with # are skipped.
A position is pits 1 to 12, South's store, North's store and the side to move,
or South's row / North's row, each from its owner's left. At the first bad line
it stops with status 2; the lines before have been answered.

Missing tables of up to 16 beans are built on the spot. A position with more
beans than that and than the tables is searched for the time of --budget; what
is proved until then is the answer: the score, or bounds of it.`,
		Example: `  bohnenspiel query 0-2-1-1-1-1-3-3-3-1-0-0-26-30-S
  bohnenspiel query --json '0 2 1 1 1 1 / 3 3 3 1 0 0'`,
	}
	o.register(cmd, c, tablebase.QuickDepthLimit, o.answer)
	const someTime = 10 * time.Second
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if o.budget < 0 {
			return usagef("--budget %v: want 0 or more", o.budget)
		}
		return nil
	}
	cmd.Flags().DurationVar(&o.budget, "budget", someTime, "search a position above the tables for `T`; 0 means not\nat all")
	return cmd
}

// answer looks a position up, or searches it if its tables are missing and are too large to
// be built on the spot.
func (o *queryFlags) answer(ctx context.Context, s *session, g game.Game, d game.Diagram) ([]byte, error) {
	beans := d.Position().Beans()
	_, missing, err := layers(s.db, g, beans, parityOf(beans))
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 && beans > maxBuildBeans && o.budget > 0 && !g.Over(d.Position()) {
		return o.search(ctx, s, g, d)
	}
	if err := s.prepare(ctx, g, beans); err != nil {
		return nil, err
	}
	return o.lookUp(ctx, s, g, d)
}

// lookUp returns what the tables say about a position and its moves.
func (o *queryFlags) lookUp(ctx context.Context, s *session, g game.Game, d game.Diagram) ([]byte, error) {
	a, err := s.db.Answer(ctx, o.rules, d, o.limit)
	if err != nil {
		return nil, err
	}
	if o.json {
		return jsonLines(a)
	}
	return []byte(answerText(g, d, a)), nil
}

// search answers a position above the tables by a search that takes no longer than the
// budget.
func (o *queryFlags) search(ctx context.Context, s *session, g game.Game, d game.Diagram) ([]byte, error) {
	if err := s.prepareBelow(ctx, g, d.Position().Beans()); err != nil {
		return nil, err
	}
	began := time.Now()
	progress := newSearchProgress(s.console, o.quiet)
	const loadShare, memory = 3, 2 << 30
	searcher, err := proof.NewSearcher(ctx, s.db, proof.Options{
		Rules: o.rules, Diagram: d, Memory: memory, Workers: o.workers, LoadTime: o.budget / loadShare, Forget: true, Loading: progress.loading,
	})
	if err != nil {
		return nil, err
	}
	defer searcher.Free()
	limited, cancel := context.WithTimeout(ctx, o.budget-min(time.Since(began), o.budget/2))
	defer cancel()
	solution, err := searcher.Solve(limited, 0, progress.report)
	progress.end()
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := s.close(); err != nil {
		return nil, err
	}
	// Where others have the database open, what is proved is printed and not kept.
	_ = keepBounds(searcher)
	// Where others have begun to build meanwhile, the next position will say so.
	_ = s.open()
	return solutionBytes(o.options, g, d, solution)
}
