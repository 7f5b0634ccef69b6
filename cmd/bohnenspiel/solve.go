package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/proof"
)

// solveFlags are the flags of solve.
type solveFlags struct {
	*session.Options
	noBuild  bool
	time     time.Duration
	memory   session.ByteSize
	beans    int
	allMoves bool
	proof    string
}

// leastSearchMemory is the least memory that a search is given, in bytes.
const leastSearchMemory = 10 << 20

func newSolveCommand(c console.Console, shared *session.Options) *cobra.Command {
	o := &solveFlags{Options: shared}
	cmd := &cobra.Command{
		Use:   "solve POSITION",
		Short: "Search a position above the tables until its score is proved",
		Long: `solve finds the exact score of a position with more beans than the tables have.
It searches forward to the tables, as many as fit in memory, until the score is
proved; that may take long. When --time is over, or on Ctrl-C, it prints the
bounds that are proved until then. What is proved is kept in the database, and
the same command goes on from there.

Missing tables of up to 16 beans are built on the spot. Larger ones, built
before, make it faster.`,
		Example: `  bohnenspiel solve --time 10m 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return session.Usagef("solve needs one position (a position with blanks needs quotes)")
			}
			if o.time < 0 || o.time == 0 && cmd.Flags().Changed("time") {
				return session.Usagef("--time %v: want more than 0", o.time)
			}
			if o.beans < 0 {
				return session.Usagef("--beans %d: want 0 or more", o.beans)
			}
			if least := session.ByteSize(leastSearchMemory); cmd.Flags().Changed("memory") && o.memory < least {
				return session.Usagef("--memory %v: want at least %v", &o.memory, &least)
			}
			return o.run(cmd.Context(), c, args[0])
		},
	}
	cmd.Flags().DurationVar(&o.time, "time", 0, "stop after `T`, such as 40s or 2h (default: never)")
	session.MemoryFlag(cmd.Flags(), &o.memory)
	cmd.Flags().IntVar(&o.beans, "beans", 0, "use tables of up to `N` beans (default: all that fit)")
	cmd.Flags().BoolVar(&o.allMoves, "all-moves", false, "find out of every move whether it is best")
	cmd.Flags().BoolVar(&o.noBuild, "no-build", false, "never build tables")
	cmd.Flags().StringVar(&o.proof, "certificate", "", "write the proof to `FILE`; see certificate check --help")
	return cmd
}

func (o *solveFlags) run(ctx context.Context, c console.Console, text string) (err error) {
	d, err := game.ParseDiagram(text, o.FieldWidth)
	if err != nil {
		return err
	}
	g, err := game.New(o.Rules, d.Width)
	if err != nil {
		return err
	}
	s, err := session.New(c, o.Options, o.noBuild)
	if err != nil {
		return err
	}
	defer s.End(&err)
	beans := d.Position().Beans()
	if err := s.PrepareBelow(ctx, g, beans); err != nil {
		return err
	}
	if o.proof != "" {
		if err := session.Writable(o.proof); err != nil {
			return err
		}
	}
	var solution proof.Solution
	if _, missing := s.DB.Manifest(format.KeyOf(g, beans)); missing == nil && o.proof == "" && o.beans == 0 {
		answer, err := s.DB.Answer(ctx, o.Rules, d, tablebase.QuickDepthLimit)
		if err != nil {
			return err
		}
		solution = proof.SolutionOf(answer)
	} else if solution, err = o.search(ctx, s, d); err != nil && !errors.Is(err, errNoCertificate) {
		return err
	}
	out, printErr := solutionBytes(o.Options, g, d, solution)
	if printErr == nil {
		_, printErr = c.Out.Write(out)
	}
	return errors.Join(printErr, err)
}

// errNoCertificate is returned together with a solution that stands without the
// certificate that was wanted.
var errNoCertificate = errors.New("no certificate was written")

// search solves a position above the tables, and keeps what it has proved.
func (o *solveFlags) search(ctx context.Context, s *session.Session, d game.Diagram) (proof.Solution, error) {
	progress := console.NewSearch(s.Console, o.Quiet)
	searcher, err := proof.NewSearcher(ctx, s.DB, proof.Options{
		Rules: o.Rules, Diagram: d, Memory: uint64(o.memory), Beans: o.beans, Workers: o.Workers, AllMoves: o.allMoves, Loading: progress.Loading,
	})
	if err != nil {
		if ctx.Err() != nil {
			return proof.Solution{}, errors.New("stopped while the tables were loaded")
		}
		return proof.Solution{}, err
	}
	defer searcher.Free()
	// Others may build while the search is under way.
	if err := s.Close(); err != nil {
		return proof.Solution{}, err
	}
	progress.Begin(searcher)
	limited, cancel := ctx, context.CancelFunc(func() {})
	if o.time > 0 {
		limited, cancel = context.WithTimeout(ctx, o.time)
	}
	defer cancel()
	solution, err := searcher.Solve(limited, 0, progress.Report)
	progress.End()
	if err != nil {
		return solution, err
	}
	if err := searcher.Unsaved(); err != nil && !solution.Exact() && !o.Quiet {
		s.Note("bohnenspiel: the state of the search is not kept: %v", err)
	}
	if o.proof != "" {
		err = o.certify(ctx, searcher)
	}
	if keepErr := keepBounds(searcher); keepErr != nil && !o.Quiet {
		s.Note("bohnenspiel: %v", keepErr)
	}
	return solution, err
}

// keepBounds stores what a search has proved in its database, which nobody may have open.
func keepBounds(searcher *proof.Searcher) (err error) {
	if !searcher.Proved() {
		return nil
	}
	db, err := database.Create(searcher.Dir(), tablebase.Options{})
	if err != nil {
		return fmt.Errorf("keep what is proved: %w", err)
	}
	defer func() {
		if closeErr := db.Close(); err == nil {
			err = closeErr
		}
	}()
	return searcher.KeepBounds(db)
}

// certify writes the certificate. Its errors wrap errNoCertificate.
func (o *solveFlags) certify(ctx context.Context, searcher *proof.Searcher) error {
	err := ctx.Err()
	if err == nil {
		err = session.WriteFile(o.proof, func(w io.Writer) error { return searcher.Certificate(ctx, w) })
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("stopped, %w; the same command goes on", errNoCertificate)
	case errors.Is(err, search.ErrNoProof):
		return fmt.Errorf("%w: the proof does not fit in memory, say more with --memory", errNoCertificate)
	default:
		return fmt.Errorf("%w: %w", errNoCertificate, err)
	}
}

// solutionBytes returns what is printed of a solution.
func solutionBytes(o *session.Options, g game.Game, d game.Diagram, s proof.Solution) ([]byte, error) {
	if !o.JSON {
		return []byte(words.Solution(g, d, s)), nil
	}
	return console.JSONLines(s)
}
