package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/tablebase/campaign"
)

func newCampaignStatusCommand(c console.Console, shared *session.Options) *cobra.Command {
	var picture string
	cmd := &cobra.Command{
		Use:   "status FILE...",
		Short: "Say how far a campaign is",
		Long: `status says what is proved, how many jobs are done and open, and about how many
positions are to be visited yet. That is a guess from the jobs so far and from
the tree as it is: it may be wrong by a factor of ten, and is rather too low at
first. So status says as well how it has developed. Several files count as one.`,
		Example: `  bohnenspiel campaign status --svg tree.svg opening.campaign`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return session.Usagef("campaign status needs a file")
			}
			lines, err := readCampaign(args)
			if err != nil {
				return err
			}
			if picture != "" {
				tree, err := campaign.Load(lines)
				if err != nil {
					return err
				}
				if err := session.WriteFile(picture, func(w io.Writer) error { return tree.WriteSVG(w) }); err != nil {
					return err
				}
			}
			return printStatus(c, shared, lines)
		},
	}
	cmd.Flags().StringVar(&picture, "svg", "", "draw the tree near its root in `FILE`")
	return cmd
}

// printStatus prints how far the campaign of some lines is.
func printStatus(c console.Console, o *session.Options, lines []campaign.Located) error {
	s, err := campaign.StatusOf(lines)
	if err != nil {
		return err
	}
	if o.JSON {
		return json.NewEncoder(c.Out).Encode(s)
	}
	_, err = io.WriteString(c.Out, statusText(s))
	return err
}

// statusText says how far a campaign is.
func statusText(s campaign.Status) string {
	var text strings.Builder
	for _, q := range s.Questions {
		fmt.Fprintf(&text, "%v, %s: ", s.Rules, q.Position)
		switch {
		case q.AtLeast != nil && q.Answer != nil && *q.Answer:
			fmt.Fprintf(&text, "the score is at least %s\n", words.Signed(int64(*q.AtLeast)))
		case q.AtLeast != nil && q.Answer != nil:
			fmt.Fprintf(&text, "the score is not at least %s\n", words.Signed(int64(*q.AtLeast)))
		case q.AtLeast != nil:
			fmt.Fprintf(&text, "is the score at least %s? open; it is between %s and %s\n",
				words.Signed(int64(*q.AtLeast)), words.Signed(int64(q.Bounds[0])), words.Signed(int64(q.Bounds[1])))
		case q.Answer != nil:
			fmt.Fprintf(&text, "the score is %s\n", words.Signed(int64(q.Bounds[0])))
		default:
			fmt.Fprintf(&text, "the score is between %s and %s; at least %s?\n",
				words.Signed(int64(q.Bounds[0])), words.Signed(int64(q.Bounds[1])), words.Signed(int64(*q.Asked)))
		}
	}
	fmt.Fprintf(&text, "jobs done: %s; questions answered: %s, split: %s; jobs open: %s\n",
		words.Count(uint64(s.JobsDone)), words.Count(uint64(s.Answered)), words.Count(uint64(s.Split)), words.Count(uint64(s.JobsOpen)))
	fmt.Fprintf(&text, "positions visited: %s\n", words.Count(s.Visited))
	if s.JobsOpen == 0 {
		return text.String()
	}
	fmt.Fprintf(&text, "positions left: %s, a guess\n", about(s.Left))
	for _, e := range s.History {
		fmt.Fprintf(&text, "  after %s it was %s\n", words.Count(e.Visited), about(e.Left))
	}
	return text.String()
}

// about prints a number that is only a guess.
func about(n *float64) string {
	if n == nil {
		return "not known"
	}
	value, unit := words.Scale(*n)
	return strings.TrimSpace("about " + value + " " + unit)
}
