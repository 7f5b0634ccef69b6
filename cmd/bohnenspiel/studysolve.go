package main

import (
	"bytes"
	"context"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/study"
)

func newStudySolveCommand(c console.Console, shared *session.Options) *cobra.Command {
	o := &studyFlags{Options: shared}
	cmd := &cobra.Command{
		Use:   "solve FILE… | -",
		Short: "Write the whole solutions of studies",
		Long: `solve prints each study of the files, or of standard input, with its whole
solution instead of the one that it has: the key and what follows against all
best defences, other moves that keep the claim, and tries with refutations.

Missing tables of up to 16 beans are built on the spot.`,
		Example: `  bohnenspiel study solve my.studies >solved.studies`,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := o.run(cmd.Context(), c, cmd.Name(), args, o.solve)
			return err
		},
	}
	o.add(cmd)
	return cmd
}

// solve returns a study with its whole solution.
func (o *studyFlags) solve(ctx context.Context, s *session.Session, file string, t study.Study) ([]byte, error) {
	solved, err := study.Solve(ctx, s.DB, t)
	if err != nil {
		return nil, err
	}
	if !o.JSON {
		var text bytes.Buffer
		err := study.Format(&text, []study.Study{solved})
		return text.Bytes(), err
	}
	solution, err := solved.Solution.Text()
	if err != nil {
		return nil, err
	}
	return console.JSONLines(solvedStudy{
		Title: solved.Title, Author: solved.Author, Source: solved.Source, Rules: solved.Rules, Position: solved.Diagram.String(),
		Stipulation: solved.Stipulation, Solution: solution, File: file,
	})
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
