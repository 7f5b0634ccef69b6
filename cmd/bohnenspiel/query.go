package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/proof"
)

// queryFlags are the flags of query.
type queryFlags struct {
	positionFlags
	budget time.Duration
}

func newQueryCommand(c console.Console, shared *session.Options) *cobra.Command {
	o := &queryFlags{positionFlags: positionFlags{Options: shared}}
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
			return session.Usagef("--budget %v: want 0 or more", o.budget)
		}
		return nil
	}
	cmd.Flags().DurationVar(&o.budget, "budget", someTime, "search a position above the tables for `T`; 0 means not\nat all")
	return cmd
}

// answer looks a position up, or searches it if its tables are missing and are too large to
// be built on the spot.
func (o *queryFlags) answer(ctx context.Context, s *session.Session, g game.Game, d game.Diagram) ([]byte, error) {
	beans := d.Position().Beans()
	_, missing, err := session.Layers(s.DB, g, beans, session.ParityOf(beans))
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 && beans > session.MaxBuildBeans && o.budget > 0 && !g.Over(d.Position()) {
		return o.search(ctx, s, g, d)
	}
	if err := s.Prepare(ctx, g, beans); err != nil {
		return nil, err
	}
	return o.lookUp(ctx, s, g, d)
}

// lookUp returns what the tables say about a position and its moves.
func (o *queryFlags) lookUp(ctx context.Context, s *session.Session, g game.Game, d game.Diagram) ([]byte, error) {
	a, err := s.DB.Answer(ctx, o.Rules, d, o.limit)
	if err != nil {
		return nil, err
	}
	if o.JSON {
		return console.JSONLines(a)
	}
	return []byte(words.Answer(g, d, a)), nil
}

// search answers a position above the tables by a search that takes no longer than the
// budget.
func (o *queryFlags) search(ctx context.Context, s *session.Session, g game.Game, d game.Diagram) ([]byte, error) {
	if err := s.PrepareBelow(ctx, g, d.Position().Beans()); err != nil {
		return nil, err
	}
	began := time.Now()
	progress := console.NewSearch(s.Console, o.Quiet)
	const loadShare, memory = 3, 2 << 30
	searcher, err := proof.NewSearcher(ctx, s.DB, proof.Options{
		Rules: o.Rules, Diagram: d, Memory: memory, Workers: o.Workers, LoadTime: o.budget / loadShare, Forget: true, Loading: progress.Loading,
	})
	if err != nil {
		return nil, err
	}
	defer searcher.Free()
	limited, cancel := context.WithTimeout(ctx, o.budget-min(time.Since(began), o.budget/2))
	defer cancel()
	solution, err := searcher.Solve(limited, 0, progress.Report)
	progress.End()
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	// Where others have the database open, what is proved is printed and not kept.
	_ = keepBounds(searcher)
	// Where others have begun to build meanwhile, the next position will say so.
	_ = s.Open()
	return solutionBytes(o.Options, g, d, solution)
}
