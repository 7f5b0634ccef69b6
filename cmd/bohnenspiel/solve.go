package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase"
)

// solveFlags are the flags of solve.
type solveFlags struct {
	*options
	noBuild  bool
	width    int // 0 unless --width is given
	time     time.Duration
	memory   byteSize
	beans    int
	allMoves bool
	proof    string
}

func newSolveCommand(c console, shared *options) *cobra.Command {
	o := &solveFlags{options: shared}
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
			o.width = shared.fieldWidth(cmd)
			if len(args) != 1 {
				return usagef("solve needs one position (a position with blanks needs quotes)")
			}
			if o.time < 0 {
				return usagef("--time %v: want more than 0", o.time)
			}
			if o.beans < 0 {
				return usagef("--beans %d: want 0 or more", o.beans)
			}
			return o.run(cmd.Context(), c, args[0])
		},
	}
	cmd.Flags().DurationVar(&o.time, "time", 0, "stop after `T`, such as 40s or 2h (default: never)")
	memoryFlag(cmd.Flags(), &o.memory)
	cmd.Flags().IntVar(&o.beans, "beans", 0, "use tables of up to `N` beans (default: all that fit)")
	cmd.Flags().BoolVar(&o.allMoves, "all-moves", false, "find out of every move whether it is best")
	cmd.Flags().BoolVar(&o.noBuild, "no-build", false, "never build tables")
	cmd.Flags().StringVar(&o.proof, "certificate", "", "write the proof to `FILE`; see certificate --help")
	return cmd
}

func (o *solveFlags) run(ctx context.Context, c console, text string) (err error) {
	d, err := game.ParseDiagram(text, o.width)
	if err != nil {
		return err
	}
	g, err := game.New(o.rules, d.Width)
	if err != nil {
		return err
	}
	s, err := newSession(c, o.options, o.noBuild)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := s.close(); err == nil {
			err = closeErr
		}
	}()
	beans := d.Position().Beans()
	if err := s.prepareBelow(ctx, g, beans); err != nil {
		return err
	}
	var solution tablebase.Solution
	if _, err := s.db.Manifest(tablebase.KeyOf(g, beans)); err == nil && o.proof == "" && o.beans == 0 {
		answer, err := s.db.Answer(ctx, o.rules, d, tablebase.QuickDepthLimit)
		if err != nil {
			return err
		}
		solution = tablebase.SolutionOf(answer)
	} else if solution, err = o.search(ctx, s, d); err != nil {
		return err
	}
	return o.print(c, g, d, solution)
}

// search solves a position above the tables, and keeps what it has proved.
func (o *solveFlags) search(ctx context.Context, s *session, d game.Diagram) (tablebase.Solution, error) {
	progress := newSearchProgress(s.console, o.quiet)
	searcher, err := s.db.Searcher(ctx, tablebase.SearcherOptions{
		Rules: o.rules, Diagram: d, Memory: uint64(o.memory), Beans: o.beans, Workers: o.workers, AllMoves: o.allMoves, Loading: progress.loading,
	})
	if err != nil {
		if ctx.Err() != nil {
			return tablebase.Solution{}, errors.New("stopped while the tables were loaded")
		}
		return tablebase.Solution{}, err
	}
	defer searcher.Free()
	// Others may build while the search is under way.
	if err := s.close(); err != nil {
		return tablebase.Solution{}, err
	}
	progress.begin(searcher)
	limited, cancel := ctx, context.CancelFunc(func() {})
	if o.time > 0 {
		limited, cancel = context.WithTimeout(ctx, o.time)
	}
	defer cancel()
	solution, err := searcher.Solve(limited, 0, progress.report)
	progress.end()
	if err != nil {
		return solution, err
	}
	if err := searcher.KeepBounds(); err != nil && !o.quiet {
		s.note("bohnenspiel: %v", err)
	}
	if o.proof != "" {
		err = writeCertificate(ctx, searcher, o.proof)
	}
	switch {
	case errors.Is(err, search.ErrNoProof) && ctx.Err() != nil:
		return solution, errors.New("stopped before the certificate was written")
	case errors.Is(err, search.ErrNoProof):
		return solution, fmt.Errorf("the proof does not fit in memory: say more with --memory")
	case err != nil:
		return solution, err
	}
	return solution, nil
}

// print prints a solution.
func (o *solveFlags) print(c console, g game.Game, d game.Diagram, s tablebase.Solution) error {
	var text bytes.Buffer
	if o.json {
		if err := json.NewEncoder(&text).Encode(s); err != nil {
			return err
		}
	} else {
		text.WriteString(solutionText(g, d, s))
	}
	_, err := c.out.Write(text.Bytes())
	return err
}

// solutionText prints a solution for people: the board, what is proved, and the moves.
func solutionText(g game.Game, d game.Diagram, s tablebase.Solution) string {
	var text strings.Builder
	text.WriteString(d.Board())
	text.WriteByte('\n')
	low, high := d.Lead()+int(s.Bounds[0]), d.Lead()+int(s.Bounds[1])
	fmt.Fprintf(&text, "%v to move", d.ToMove)
	if g.Rules() == game.Mangala {
		text.WriteString(", by the rules of Mangala II")
	}
	switch {
	case !s.Exact():
		fmt.Fprintf(&text, ". Not solved: %v ends between %s and %s beans ahead.\n", d.ToMove, signed(int64(low)), signed(int64(high)))
		if s.Outcome != nil {
			fmt.Fprintf(&text, "It is proved to be a %v.\n", *s.Outcome)
		}
	case low == 0:
		text.WriteString(". It is a draw.\n")
	case low > 0:
		fmt.Fprintf(&text, ". %v wins by %s.\n", d.ToMove, things(uint64(low), "bean"))
	default:
		fmt.Fprintf(&text, ". %v wins by %s.\n", d.ToMove.Other(), things(uint64(-low), "bean"))
	}
	if s.Exact() {
		text.WriteString(bestMoves(s))
	}
	if len(s.Line) > 0 {
		names := make([]string, len(s.Line))
		for i, number := range s.Line {
			names[i] = moveName(number)
		}
		fmt.Fprintf(&text, "Line, as far as the search went: %s\n", strings.Join(names, " "))
	}
	if s.Visited > 0 {
		fmt.Fprintf(&text, "Positions visited: %s\n", count(s.Visited))
	}
	return text.String()
}

// bestMoves says which moves keep the score.
func bestMoves(s tablebase.Solution) string {
	var best []int
	for _, move := range s.Moves {
		if move.Score != nil && *move.Score == *s.Score && move.Pit != nil {
			best = append(best, *move.Pit)
		}
	}
	switch {
	case len(best) == 0:
		return ""
	case s.Keeping == nil && len(best) == 1:
		return fmt.Sprintf("Move %d is best; others may be as good.\n", best[0])
	case s.Keeping == nil:
		return fmt.Sprintf("Moves %s are best; others may be as good.\n", pitList(best))
	case len(best) == 1:
		return fmt.Sprintf("Move %d is the only best one.\n", best[0])
	default:
		return fmt.Sprintf("Moves %s are best.\n", pitList(best))
	}
}

// searchProgress tells on standard error how far a search is: a line on a terminal,
// else a line of its own now and then.
type searchProgress struct {
	console
	quiet   bool
	bar     *bar
	began   time.Time
	due     time.Time
	visited uint64 // when the search began
	started bool
}

func newSearchProgress(c console, quiet bool) *searchProgress {
	return &searchProgress{console: c, quiet: quiet, bar: newBar(c, quiet), due: time.Now().Add(firstLine)}
}

// loading tells that a layer is being loaded.
func (p *searchProgress) loading(beans int, done, total uint64) {
	part := float64(done) / float64(max(total, 1))
	p.tell(part, func() string { return fmt.Sprintf("layer %d: load (%s)", beans, portion(part)) })
}

// begin tells what the search works with.
func (p *searchProgress) begin(s *tablebase.Searcher) {
	p.bar.clear()
	p.began, p.due = time.Now(), time.Now().Add(firstLine)
	if p.quiet {
		return
	}
	tables := "no tables"
	if s.Top() >= 0 {
		tables = fmt.Sprintf("tables of up to %s", things(uint64(s.Top()), "bean"))
	}
	p.note("searching with %s", tables)
	if s.Resumed() > 0 {
		p.note("going on from an earlier search, with %s", things(uint64(s.Resumed()), "position"))
	}
}

// report is the callback of the search.
func (p *searchProgress) report(s tablebase.SearchProgress) {
	if !p.started {
		p.started, p.visited = true, s.Visited
		p.began = time.Now()
		return
	}
	p.tell(float64(s.Decided)/float64(max(s.Moves, 1)), func() string {
		return fmt.Sprintf("score %s to %s, at least %s? %d of %s decided, %s visited, %s, table %s full",
			signed(int64(s.Bounds.Low)), signed(int64(s.Bounds.High)), signed(int64(s.Asked)), s.Decided, things(uint64(s.Moves), "move"),
			count(s.Visited), rate(s.Visited-p.visited, time.Since(p.began)), portion(s.Fill))
	})
}

// tell shows a line on a terminal, or writes it if it is time.
func (p *searchProgress) tell(part float64, text func() string) {
	switch {
	case p.quiet:
	case p.bar != nil:
		p.bar.show(part, text)
	case !time.Now().Before(p.due):
		p.due = time.Now().Add(nextLine)
		p.note("%s", text())
	}
}

// end clears the line.
func (p *searchProgress) end() { p.bar.clear() }
