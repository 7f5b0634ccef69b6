package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/study"
)

func newStudyVerifyCommand(c console.Console, shared *session.Options) *cobra.Command {
	o := &studyFlags{Options: shared}
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
			return o.verify(cmd.Context(), c, args)
		},
	}
	o.add(cmd)
	return cmd
}

func (o *studyFlags) verify(ctx context.Context, c console.Console, args []string) error {
	sound := 0
	all, err := o.run(ctx, c, "verify", args, func(ctx context.Context, s *session.Session, file string, t study.Study) ([]byte, error) {
		report, err := study.Verify(ctx, s.DB, t)
		if err != nil {
			return nil, err
		}
		if report.Verdict == study.Sound {
			sound++
		}
		if o.JSON {
			return console.JSONLines(fileReport{Report: report, File: file})
		}
		return []byte(studyText(file, t, report)), nil
	})
	switch {
	case err != nil:
		return err
	case all == 0:
		return session.Usagef("there is no study to verify; docs/studies.md has the format")
	case all-sound == 1:
		return fmt.Errorf("1 of %s is not sound", studies(all))
	case sound < all:
		return fmt.Errorf("%d of %s are not sound", all-sound, studies(all))
	default:
		return nil
	}
}

// fileReport is the JSON object of a study that was verified.
type fileReport struct {
	study.Report
	File string `json:"file"`
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
