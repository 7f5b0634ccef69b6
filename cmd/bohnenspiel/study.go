package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/study"
)

// studyFlags are the flags of study verify and study solve.
type studyFlags struct {
	*options
	noBuild bool
}

func newStudyCommand(c console, shared *options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "study COMMAND",
		Short: "Judge composed studies, solve them, and find positions for them",
		Long: `study reads files of composed positions, each with a claim and a solution, in the
format that docs/studies.md defines.`,
		Example: `  bohnenspiel study verify my.studies
  bohnenspiel study solve my.studies >solved.studies`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return unknownCommand(cmd, args[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newStudyVerifyCommand(c, shared),
		newStudySolveCommand(c, shared),
		newStudyFindCommand(c, shared),
	)
	return cmd
}

func newStudyVerifyCommand(c console, shared *options) *cobra.Command {
	o := &studyFlags{options: shared}
	cmd := &cobra.Command{
		Use:   "verify FILE… | -",
		Short: "Say whether studies are sound",
		Long: `verify judges each study of the files, or of standard input. Its verdict is the
gravest of the faults that it finds:

  unsound     the claim is false
  cooked      another first move keeps the claim
  wrong       a move is illegal, or not what the solution says it is
  incomplete  a defence is missing that is as good as those given
  dual        later another move of the solver keeps the claim
  sound       none of these

The status is 1 if a study is not sound. Missing tables of up to 16 beans are
built on the spot.`,
		Example: `  bohnenspiel study verify my.studies`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), c, cmd.Name(), args, o.verify)
		},
	}
	o.add(cmd)
	return cmd
}

func newStudySolveCommand(c console, shared *options) *cobra.Command {
	o := &studyFlags{options: shared}
	cmd := &cobra.Command{
		Use:   "solve FILE… | -",
		Short: "Write the whole solutions of studies",
		Long: `solve prints each study of the files, or of standard input, with its whole
solution instead of the one that it has: the key and what follows against all
best defences, other moves that keep the claim, and tries with refutations.

Missing tables of up to 16 beans are built on the spot.`,
		Example: `  bohnenspiel study solve my.studies >solved.studies`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), c, cmd.Name(), args, o.solve)
		},
	}
	o.add(cmd)
	return cmd
}

// add adds the flags that both commands have.
func (o *studyFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.noBuild, "no-build", false, "never build: fail when a table is missing")
}

// studyFile is the studies of a file.
type studyFile struct {
	name    string
	studies []study.Study
}

// run reads all files, and hands their studies to do, one after the other.
func (o *studyFlags) run(ctx context.Context, c console, command string, args []string, do func(context.Context, *session, []studyFile) error) (err error) {
	if len(args) == 0 {
		return usagef("study %s needs a file of studies, or - for standard input", command)
	}
	files := make([]studyFile, len(args))
	for i, arg := range args {
		name, text, err := readFile(c, arg)
		if err != nil {
			return err
		}
		files[i].name = name
		if files[i].studies, err = study.Parse(name, text); err != nil {
			return &usageError{err}
		}
	}
	s, err := newSession(c, o.options, o.noBuild)
	if err != nil {
		return err
	}
	defer s.end(&err)
	return do(ctx, s, files)
}

// readFile reads a file, or standard input if its name is "-". It returns the name
// that messages give it.
func readFile(c console, arg string) (name string, text []byte, err error) {
	if arg == "-" {
		text, err = io.ReadAll(c.in)
		return "standard input", text, err
	}
	if text, err = os.ReadFile(arg); err != nil {
		return arg, nil, usagef("cannot read %s: %w", arg, cause(err))
	}
	return arg, text, nil
}

// prepareStudy makes sure that the layers which a study needs are there.
func prepareStudy(ctx context.Context, s *session, t study.Study) error {
	g, err := game.New(t.Rules, t.Diagram.Width)
	if err != nil {
		return err
	}
	return s.prepare(ctx, g, t.Diagram.Position().Beans())
}

// atStudy puts the place of a study before an error.
func atStudy(file string, t study.Study, err error) error {
	return fmt.Errorf("%s:%d:%d: %w", file, t.Place.Line, t.Place.Column, err)
}

func (o *studyFlags) verify(ctx context.Context, s *session, files []studyFile) error {
	all, sound := 0, 0
	for _, f := range files {
		for _, t := range f.studies {
			err := prepareStudy(ctx, s, t)
			var report study.Report
			if err == nil {
				report, err = study.Verify(ctx, s.db, t)
			}
			switch {
			case ctx.Err() != nil:
				return fmt.Errorf("stopped after %s", studies(all))
			case err != nil:
				return atStudy(f.name, t, err)
			}
			if err := o.printReport(s.console, f.name, t, report, all > 0); err != nil {
				return err
			}
			if all++; report.Verdict == study.Sound {
				sound++
			}
		}
	}
	if all == 0 {
		return usagef("there is no study to verify; docs/studies.md has the format")
	}
	if sound < all {
		verb := "are"
		if all-sound == 1 {
			verb = "is"
		}
		return fmt.Errorf("%d of %s %s not sound", all-sound, studies(all), verb)
	}
	return nil
}

// studies counts studies.
func studies(n int) string {
	if n == 1 {
		return "1 study"
	}
	return fmt.Sprintf("%d studies", n)
}

// fileReport is the JSON object of a study that was verified.
type fileReport struct {
	study.Report
	File string `json:"file"`
}

func (o *studyFlags) printReport(c console, file string, t study.Study, r study.Report, gap bool) error {
	var text bytes.Buffer
	if o.json {
		lines := json.NewEncoder(&text)
		lines.SetEscapeHTML(false)
		if err := lines.Encode(fileReport{Report: r, File: file}); err != nil {
			return err
		}
	} else {
		if gap {
			text.WriteByte('\n')
		}
		text.WriteString(studyText(file, t, r))
	}
	_, err := c.out.Write(text.Bytes())
	return err
}

// solvedStudy is the JSON object of a study that was solved.
type solvedStudy struct {
	Title       string            `json:"title"`
	Author      string            `json:"author"`
	Source      string            `json:"source"`
	Rules       game.Rules        `json:"rules"`
	Position    string            `json:"position"`
	Stipulation study.Stipulation `json:"stipulation"`
	Solution    string            `json:"solution"`
	File        string            `json:"file"`
}

func (o *studyFlags) solve(ctx context.Context, s *session, files []studyFile) error {
	all := 0
	for _, f := range files {
		for _, t := range f.studies {
			err := prepareStudy(ctx, s, t)
			var solved study.Study
			if err == nil {
				solved, err = study.Solve(ctx, s.db, t)
			}
			switch {
			case ctx.Err() != nil:
				return fmt.Errorf("stopped after %s", studies(all))
			case err != nil:
				return atStudy(f.name, t, err)
			}
			if err := o.printSolved(s.console, f.name, solved, all > 0); err != nil {
				return err
			}
			all++
		}
	}
	return nil
}

func (o *studyFlags) printSolved(c console, file string, t study.Study, gap bool) error {
	var text bytes.Buffer
	if o.json {
		lines := json.NewEncoder(&text)
		lines.SetEscapeHTML(false)
		solution, err := t.Solution.Text()
		if err != nil {
			return err
		}
		if err := lines.Encode(solvedStudy{
			Title: t.Title, Author: t.Author, Source: t.Source, Rules: t.Rules, Position: t.Diagram.String(),
			Stipulation: t.Stipulation, Solution: solution, File: file,
		}); err != nil {
			return err
		}
	} else {
		if gap {
			text.WriteByte('\n')
		}
		if err := study.Format(&text, []study.Study{t}); err != nil {
			return err
		}
	}
	_, err := c.out.Write(text.Bytes())
	return err
}

// studyText prints for people what is to be said of a study.
func studyText(file string, t study.Study, r study.Report) string {
	var text strings.Builder
	title := r.Title
	if title == "" {
		title = "(no title)"
	}
	fmt.Fprintf(&text, "%s:%d: %s\n", file, t.Place.Line, title)
	rules := ""
	if t.Rules == game.Mangala {
		rules = " by the rules of Mangala II"
	}
	say := func(name, format string, args ...any) {
		fmt.Fprintf(&text, "  %-10s  %s\n", name, fmt.Sprintf(format, args...))
	}
	say("claim", "%s%s; %v to move in %s", t.Stipulation.Claim(t.Diagram), rules, t.Diagram.ToMove, r.Position)
	say("verdict", "%v", r.Verdict)
	end := "and so on for ever"
	if r.Final != nil {
		end = fmt.Sprintf("South %d, North %d", r.Final.South, r.Final.North)
	}
	moves := study.MoveNames(r.Line)
	if len(r.Line) == 0 {
		moves = "play is over"
	}
	if 0 < r.Given && r.Given < len(r.Line) {
		moves = fmt.Sprintf("%s, completed: %s", study.MoveNames(r.Line[:r.Given]), study.MoveNames(r.Line[r.Given:]))
	}
	say("line", "%s (%s)", moves, end)
	if r.Endless {
		say("", "the score leans on rule 8: play that never captures again counts for nobody")
	}
	for _, f := range r.Faults {
		say(f.Kind.String(), "%s", f.Text())
	}
	return text.String()
}
