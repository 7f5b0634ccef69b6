package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/campaign"
)

// campaignFlags are the flags of campaign run.
type campaignFlags struct {
	*session.Options
	time         time.Duration
	jobs         int
	jobPositions uint64
	splitAbove   int
	memory       session.ByteSize
	beans        int
	noBuild      bool
	part         part
}

// part is a flag such as 2/3: the second of three; of 0 if it was not given.
type part struct{ number, of int }

// String returns what Set reads.
func (p *part) String() string {
	if p.of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", p.number, p.of)
}

// Type returns the word for a value in messages.
func (p *part) Type() string { return "part" }

// errPart is returned for a text that is no part.
var errPart = errors.New("want a part such as 2/3, the second of three")

// Set reads a part.
func (p *part) Set(text string) error {
	var rest string
	n, _ := fmt.Sscanf(text, "%d/%d%s", &p.number, &p.of, &rest)
	if n != 2 || p.number < 1 || p.number > p.of {
		return errPart
	}
	return nil
}

func newCampaignRunCommand(c console.Console, shared *session.Options) *cobra.Command {
	o := &campaignFlags{Options: shared}
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Work on a campaign until it is done",
		Long: `run works on a campaign until all is answered, --time is over, or Ctrl-C. It
takes one question after the other as a job for a search, the one first that
looks worth most. A job that visits more than --job-positions is split into the
questions after its moves. Each result is written to the file at once.

Several runs may work on one file, or on copies that are merged now and then.
With --part each of them has questions of its own, and takes those of others
only where they are worth far more.

Missing tables of up to 16 beans are built on the spot. Larger ones, built
before, make it faster; all runs need not have the same.`,
		Example: `  bohnenspiel campaign run --time 8h --memory 8GiB opening.campaign
  bohnenspiel campaign run --part 2/3 opening.campaign`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return session.Usagef("campaign run needs one file")
			}
			if o.time < 0 || o.time == 0 && cmd.Flags().Changed("time") {
				return session.Usagef("--time %v: want more than 0", o.time)
			}
			if o.jobs < 0 || o.jobs == 0 && cmd.Flags().Changed("jobs") {
				return session.Usagef("--jobs %d: want more than 0", o.jobs)
			}
			if o.jobPositions == 0 {
				return session.Usagef("--job-positions 0: want more than 0")
			}
			if o.beans < 0 || o.splitAbove < 0 {
				return session.Usagef("--beans and --split-above want 0 or more")
			}
			if least := session.ByteSize(leastSearchMemory); cmd.Flags().Changed("memory") && o.memory < least {
				return session.Usagef("--memory %v: want at least %v", &o.memory, &least)
			}
			return o.run(cmd.Context(), c, args[0])
		},
	}
	flags := cmd.Flags()
	flags.DurationVar(&o.time, "time", 0, "stop after `T`, such as 40s or 2h (default: never)")
	flags.IntVar(&o.jobs, "jobs", 0, "stop after `N` jobs (default: never)")
	const someJob = 1_000_000
	flags.Uint64Var(&o.jobPositions, "job-positions", someJob, "split a job that visits more than `N` positions")
	flags.IntVar(&o.splitAbove, "split-above", 0, "split questions with more than `N` beans without a\ntry (default: none)")
	o.solverFlags(flags)
	flags.Var(&o.part, "part", "rather take the questions of part `K/N`, such as 2/3")
	return cmd
}

// solverFlags adds the flags of what works on jobs.
func (o *campaignFlags) solverFlags(flags *pflag.FlagSet) {
	session.MemoryFlag(flags, &o.memory)
	flags.IntVar(&o.beans, "beans", 0, "use tables of up to `N` beans (default: all that fit)")
	flags.BoolVar(&o.noBuild, "no-build", false, "never build tables")
}

func (o *campaignFlags) run(ctx context.Context, c console.Console, path string) (err error) {
	file, err := campaign.Open(path)
	if err != nil {
		return campaignFault(path, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	lines, err := file.Read()
	if err != nil {
		return err
	}
	tree, err := campaign.Load(lines)
	if err != nil {
		return err
	}
	if len(tree.Asks()) == 0 {
		return fmt.Errorf("%s asks nothing; begin with campaign new", path)
	}
	if !tree.Done() {
		if err := o.work(ctx, c, file, tree); err != nil {
			return err
		}
	}
	if lines, err = campaign.ReadFile(path); err != nil {
		return campaignFault(path, err)
	}
	return printStatus(c, o.Options, lines)
}

// work works on a campaign.
func (o *campaignFlags) work(ctx context.Context, c console.Console, file *campaign.File, tree *campaign.Tree) (err error) {
	limited, cancel := ctx, context.CancelFunc(func() {})
	if o.time > 0 {
		limited, cancel = context.WithTimeout(ctx, o.time)
	}
	defer cancel()
	s, err := session.New(c, o.Options, o.noBuild)
	if err != nil {
		return err
	}
	defer s.End(&err)
	progress := console.NewSearch(c, o.Quiet)
	solver, err := o.solver(ctx, s, progress, file.Game(), largest(tree.Asks()))
	if err != nil {
		return err
	}
	defer solver.Free()
	// Others may build while the search is under way.
	if err := s.Close(); err != nil {
		return err
	}
	source := campaign.Source(campaign.NewLocal(file, tree, solver, campaign.LocalOptions{
		SplitAbove: o.splitAbove, Part: o.part.number - 1, Parts: o.part.of,
	}))
	if o.jobs > 0 {
		source = campaign.Limited(source, o.jobs)
	}
	began, jobs := time.Now(), uint64(0)
	err = campaign.Work(limited, source, solver, o.jobPositions, func(l campaign.Line) {
		jobs++
		progress.Show(time.Now(), solver.Fill(), func() string {
			return fmt.Sprintf("%s in this run, %s visited, %s, table %s full; last: %v %s at least %d",
				words.Things(jobs, "job"), words.Count(solver.Visited()), words.Rate(solver.Visited(), time.Since(began)), words.Portion(solver.Fill()),
				l.Kind, campaign.Pits(l.Game, l.Position), l.Bound)
		})
	})
	progress.End()
	return err
}

// solver returns what works on jobs, above the tables of the database.
func (o *campaignFlags) solver(ctx context.Context, s *session.Session, progress *console.Search, g game.Game, p game.Position) (*campaign.Solver, error) {
	if err := s.PrepareBelow(ctx, g, p.Beans()); err != nil {
		return nil, err
	}
	solver, err := campaign.NewSolver(ctx, s.DB, campaign.SolverOptions{
		Game: g, Position: p, Memory: uint64(o.memory), Beans: o.beans, Workers: o.Workers, Program: campaignProgram(), Loading: progress.Loading,
	})
	if err != nil && ctx.Err() != nil {
		return nil, errors.New("stopped while the tables were loaded")
	}
	if err == nil && !o.Quiet {
		tables := "no tables"
		if solver.Top() >= 0 {
			tables = fmt.Sprintf("tables of up to %s", words.Things(uint64(solver.Top()), "bean"))
		}
		s.Note("searching with %s", tables)
	}
	return solver, err
}

// largest returns the position with the most beans that is asked about.
func largest(asks []campaign.Line) game.Position {
	p := asks[0].Position
	for _, a := range asks {
		if a.Position.Beans() > p.Beans() {
			p = a.Position
		}
	}
	return p
}
