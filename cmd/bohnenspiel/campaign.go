package main

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/campaign"
)

func newCampaignCommand(c console.Console, shared *session.Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "campaign",
		Short: "Prove a score in pieces, over many runs and on many machines",
		Long: `campaign proves the score of a position in pieces. What is proved is written at
once, line by line, to a text file, and the file is all that there is to a
campaign: a run that is killed loses the piece in work, files of several people
are put together by merge, and any of them can go on from there.`,
		Example: `  bohnenspiel campaign new opening.campaign 4-4-4-4-4-4-4-4-0-0-S
  bohnenspiel campaign run opening.campaign
  bohnenspiel campaign certificate opening.campaign opening.cert`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return session.UnknownCommand(cmd, args[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newCampaignNewCommand(c, shared),
		newCampaignRunCommand(c, shared),
		newCampaignStatusCommand(c, shared),
		newCampaignMergeCommand(c, shared),
		newCampaignCertificateCommand(c, shared),
	)
	return cmd
}

func newCampaignNewCommand(c console.Console, shared *session.Options) *cobra.Command {
	var bounds []int
	cmd := &cobra.Command{
		Use:   "new FILE POSITION",
		Short: "Begin a campaign",
		Long: `new makes the file of a campaign for the score of a position. With --at-least it
asks only whether the score is at least so much, which may be far easier. The
score is the beans on the board that the side to move will win, less those that
the other side will; stores don't count.`,
		Example: `  bohnenspiel campaign new opening.campaign 4-4-4-4-4-4-4-4-0-0-S
  bohnenspiel campaign new win.campaign --at-least 2 4-4-4-4-4-4-4-4-0-0-S`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return session.Usagef("campaign new needs a file and one position (a position with blanks needs quotes)")
			}
			return newCampaign(c, shared, args[0], args[1], shared.FieldWidth, bounds)
		},
	}
	cmd.Flags().IntSliceVar(&bounds, "at-least", nil, "ask whether the score is at least `N`; may be given\nseveral times")
	return cmd
}

// newCampaign makes the file of a campaign.
func newCampaign(c console.Console, o *session.Options, path, text string, width int, bounds []int) error {
	d, err := game.ParseDiagram(text, width)
	if err != nil {
		return err
	}
	g, err := game.New(o.Rules, d.Width)
	if err != nil {
		return err
	}
	asks := []campaign.Line{{Kind: campaign.Ask, Position: d.Position(), Score: true}}
	if len(bounds) > 0 {
		asks = nil
	}
	beans := d.Position().Beans()
	for _, bound := range bounds {
		if bound <= -beans || bound > beans {
			return session.Usagef("--at-least %d: with %s on the board want %d to %d", bound, words.Things(uint64(beans), "bean"), 1-beans, beans)
		}
		asks = append(asks, campaign.Line{Kind: campaign.Ask, Position: d.Position(), Bound: bound})
	}
	switch err := campaign.Create(path, g, asks...); {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s is there already; campaign run goes on with it", path)
	case err != nil:
		return fmt.Errorf("cannot write %s: %w", path, session.Cause(err))
	}
	if !o.Quiet {
		c.Note("go on with: bohnenspiel campaign run %s", words.Quote(path))
	}
	return nil
}

// campaignFault says what is wrong with a file, where that is the system's word.
func campaignFault(path string, err error) error {
	if about := new(fs.PathError); errors.As(err, &about) {
		return fmt.Errorf("cannot read %s: %w", path, about.Err)
	}
	return err
}

// readCampaign returns the lines of some files, the first of which begins with a header.
func readCampaign(paths []string) ([]campaign.Located, error) {
	var all []campaign.Located
	for _, path := range paths {
		lines, err := campaign.ReadFile(path)
		if err != nil {
			return nil, campaignFault(path, err)
		}
		if len(all) > 0 && lines[0].Game != all[0].Game {
			return nil, fmt.Errorf("%s: %w than %s", path, campaign.ErrOtherGame, paths[0])
		}
		all = append(all, lines...)
	}
	return all, nil
}

// campaignProgram returns the version of the program as lines have it.
func campaignProgram() string {
	info, _ := debug.ReadBuildInfo()
	v := versionOf(info)
	if v.Commit == nil {
		return strings.Join(strings.Fields(v.Version), "-")
	}
	const enough = 12
	commit := (*v.Commit)[:min(enough, len(*v.Commit))]
	if v.Modified {
		commit += "+"
	}
	return commit
}

func newCampaignMergeCommand(c console.Console, shared *session.Options) *cobra.Command {
	return &cobra.Command{
		Use:   "merge FILE OTHER...",
		Short: "Add to a campaign what other files of it have",
		Long: `merge adds to a file the lines of others that it does not have. Runs that are at
work on the file see them at once. Where two lines contradict each other, both
are named and nothing is changed.`,
		Example: `  bohnenspiel campaign merge mine.campaign yours.campaign`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return session.Usagef("campaign merge needs a file and others to merge into it")
			}
			added, err := campaign.Merge(args[0], args[1:]...)
			if err != nil {
				return campaignFault(strings.Join(args, ", "), err)
			}
			if shared.JSON {
				_, err = fmt.Fprintf(c.Out, "{\"added\":%d}\n", added)
			} else {
				_, err = fmt.Fprintf(c.Out, "%s added to %s\n", words.Things(uint64(added), "line"), args[0])
			}
			return err
		},
	}
}
