package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/study"
)

// studyFlags are the flags of study verify and study solve.
type studyFlags struct {
	*session.Options
	noBuild bool
}

func newStudyCommand(c console.Console, shared *session.Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "study COMMAND",
		Short: "Judge composed studies, solve them, and find positions for them",
		Long: `study reads files of composed positions, each with a claim and a solution, in the
format that docs/studies.md defines.`,
		Example: `  bohnenspiel study verify my.studies
  bohnenspiel study solve my.studies >solved.studies`,
		Args: session.SubcommandsOnly,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newStudyVerifyCommand(c, shared),
		newStudySolveCommand(c, shared),
		newStudyFindCommand(c, shared),
	)
	return cmd
}

// add adds the flags that both commands have.
func (o *studyFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.noBuild, "no-build", false, "never build: fail when a table is missing")
}

// studyFunc returns what there is to print about a study of a file.
type studyFunc func(ctx context.Context, s *session.Session, file string, t study.Study) ([]byte, error)

// studyFile is the studies of a file.
type studyFile struct {
	name    string
	studies []study.Study
}

// run reads all files, and prints what answer returns for each study, whose tables are
// there, texts with a blank line between them. It returns the number of studies.
func (o *studyFlags) run(ctx context.Context, c console.Console, command string, args []string, answer studyFunc) (all int, err error) {
	if len(args) == 0 {
		return 0, session.Usagef("study %s needs a file of studies, or - for standard input", command)
	}
	files := make([]studyFile, len(args))
	for i, arg := range args {
		name, text, err := session.ReadFile(c, arg)
		if err != nil {
			return 0, err
		}
		files[i].name = name
		if files[i].studies, err = study.Parse(name, text); err != nil {
			return 0, session.Usage(err)
		}
	}
	s, err := session.New(c, o.Options, o.noBuild)
	if err != nil {
		return 0, err
	}
	defer s.End(&err)
	for _, f := range files {
		for _, t := range f.studies {
			text, err := o.answer(ctx, s, f.name, t, answer)
			switch {
			case ctx.Err() != nil:
				return all, fmt.Errorf("stopped after %s", studies(all))
			case err != nil:
				return all, fmt.Errorf("%s:%d:%d: %w", f.name, t.Place.Line, t.Place.Column, err)
			}
			if all > 0 && !o.JSON {
				text = append([]byte{'\n'}, text...)
			}
			if _, err := c.Out.Write(text); err != nil {
				return all, err
			}
			all++
		}
	}
	return all, nil
}

// answer makes sure that the layers which a study needs are there, and has it answered.
func (o *studyFlags) answer(ctx context.Context, s *session.Session, file string, t study.Study, answer studyFunc) ([]byte, error) {
	g, err := game.New(t.Rules, t.Diagram.Width)
	if err != nil {
		return nil, err
	}
	if err := s.Prepare(ctx, g, t.Diagram.Position().Beans()); err != nil {
		return nil, err
	}
	return answer(ctx, s, file, t)
}

// studies counts studies.
func studies(n int) string {
	if n == 1 {
		return "1 study"
	}
	return fmt.Sprintf("%d studies", n)
}
