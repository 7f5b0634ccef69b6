package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
)

// statsFlags are the flags of stats.
type statsFlags struct {
	*session.Options
	beans int
	facts bool
}

func newStatsCommand(c console.Console, shared *session.Options) *cobra.Command {
	o := statsFlags{Options: shared}
	cmd := &cobra.Command{
		Use:   "stats [--beans N]",
		Short: "Print the numbers of a layer, or list all layers",
		Long: `stats prints how many positions of a layer the player to move wins, draws and
loses, a histogram of the scores, and the checksum of the layer. Without --beans
it lists the layers of the database, or those of --rules and --width if given.

--facts looks at every move of every position, which takes memory and time for
large layers: the largest score, positions where one move only keeps the score,
and mutual zugzwangs.`,
		Example: `  bohnenspiel stats
  bohnenspiel stats --beans 16 --facts
  bohnenspiel stats --beans 16 --json`,
		Args: session.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("beans") {
				return o.layer(cmd.Context(), c)
			}
			return o.list(cmd.Context(), c, func(k format.Key) bool {
				return (!cmd.Flags().Changed("rules") || k.Rules == shared.Rules) &&
					(!cmd.Flags().Changed("width") || k.Width == shared.Width)
			})
		},
	}
	cmd.Flags().IntVar(&o.beans, "beans", 0, "the layer with `N` beans on the board")
	cmd.Flags().BoolVar(&o.facts, "facts", false, "find facts about the moves of all positions")
	return cmd
}

// layer prints the statistics of one layer.
func (o *statsFlags) layer(ctx context.Context, c console.Console) (err error) {
	g, err := o.GameWith(o.beans)
	if err != nil {
		return err
	}
	db, err := o.Open(c)
	if err != nil {
		return err
	}
	defer session.CloseDatabase(db, &err)
	m, err := session.StoredLayer(db, o.Options, g, o.beans)
	if err != nil {
		return err
	}
	all, err := o.statistics(ctx, c, db, []format.Manifest{m})
	if err != nil {
		return err
	}
	if o.JSON {
		return console.PrintJSON(c, all...)
	}
	return c.Print(layerText(m, all[0]))
}

// list prints a line for each layer that is wanted.
func (o *statsFlags) list(ctx context.Context, c console.Console, wanted func(format.Key) bool) (err error) {
	db, err := o.Open(c)
	if err != nil {
		return err
	}
	defer session.CloseDatabase(db, &err)
	var manifests []format.Manifest
	for _, m := range db.Layers() {
		if wanted(m.Key()) {
			manifests = append(manifests, m)
		}
	}
	if len(manifests) == 0 {
		return fmt.Errorf("%w: %s holds none that is asked for; bohnenspiel build makes them", format.ErrNoLayer, db.Dir())
	}
	all, err := o.statistics(ctx, c, db, manifests)
	if err != nil {
		return err
	}
	if o.JSON {
		return console.PrintJSON(c, all...)
	}
	return c.Print(listText(manifests, all))
}

// statistics returns the numbers of layers, with facts if they are wanted.
func (o *statsFlags) statistics(ctx context.Context, c console.Console, db *tablebase.DB, manifests []format.Manifest) ([]tablebase.Statistics, error) {
	all := make([]tablebase.Statistics, len(manifests))
	for i, m := range manifests {
		var err error
		if all[i], err = db.Statistics(m); err != nil {
			return nil, err
		}
		if !o.facts {
			continue
		}
		b := console.NewBar(c, o.Quiet)
		facts, err := db.Facts(ctx, m.Key(), tablebase.FactsOptions{
			Workers: o.Workers,
			Report: func(done, total uint64) {
				b.Show(words.Share(done, total), func() string { return fmt.Sprintf("%v: facts", m.Key()) })
			},
		})
		b.Clear()
		if err != nil {
			return nil, err
		}
		all[i].Facts = &facts
	}
	return all, nil
}

// layerText prints the numbers of a layer for people.
func layerText(m format.Manifest, s tablebase.Statistics) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%v: %s\n\n", m.Key(), words.Things(m.Positions, "position"))

	outcomes := words.NewTable()
	outcomes.Row("for the player to move", "positions", "share")
	for _, row := range []struct {
		name string
		n    uint64
	}{{"more beans", m.Wins}, {"the same", m.Draws}, {"fewer beans", m.Losses}, {"score leans on rule 8", m.Endless}} {
		outcomes.Row(row.name, words.Count(row.n), words.Percent(row.n, m.Positions))
	}
	text.WriteString(outcomes.String())

	fmt.Fprintf(&text, "\nscore: beans that the player to move still wins, less those of the opponent\n")
	text.WriteString(histogram(m))

	fmt.Fprintf(&text, "\nsum of scores  %s beans, %+.4f a position\n", words.Signed(m.ScoreSum), float64(m.ScoreSum)/float64(max(m.Positions, 1)))
	fmt.Fprintf(&text, "stored         %s in %s, %.2f bits a position\n", words.Size(m.Bytes), words.Things(m.Blocks, "block"), 8*float64(m.Bytes)/float64(max(m.Positions, 1)))
	fmt.Fprintf(&text, "built          %s in %s, %s\n", m.Built.UTC().Format(time.DateOnly), words.Span(words.Seconds(m.Seconds)), words.Things(m.Sweeps, "sweep"))
	fmt.Fprintf(&text, "sha256         %s\n", m.SHA256)
	text.WriteString(depthLines(s))
	text.WriteString(factLines(s))
	return text.String()
}

// depthLines prints the numbers of the depth table of a layer, if there is one.
func depthLines(s tablebase.Statistics) string {
	if s.Depths == nil {
		return ""
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\nlongest DTC    %v plies, as in %s\n", s.Depths.Longest, s.Depths.LongestPosition)
	fmt.Fprintf(&text, "endless        %s\n", words.Things(s.Depths.Endless, "position"))
	fmt.Fprintf(&text, "DTC stored     %s, %.2f bits a position\n", words.Size(s.Depths.Bytes), 8*float64(s.Depths.Bytes)/float64(max(s.Positions, 1)))
	fmt.Fprintf(&text, "DTC sha256     %s\n", s.Depths.SHA256)
	return text.String()
}

// factLines prints the facts about a layer, if they were asked for.
func factLines(s tablebase.Statistics) string {
	if s.Facts == nil {
		return ""
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\nlargest score  %s, as in %s\n", words.Signed(s.Facts.LargestScore), s.Facts.LargestPosition)
	fmt.Fprintf(&text, "only moves     %s, %s: of two moves or more, one keeps the score\n", words.Things(s.Facts.OnlyMoves, "position"), words.Percent(s.Facts.OnlyMoves, s.Positions))
	fmt.Fprintf(&text, "zugzwangs      %s, %s: who is to move would rather pass, on either side\n", words.Things(s.Facts.Zugzwangs, "position"), words.Percent(s.Facts.Zugzwangs, s.Positions))
	return text.String()
}

// histogram draws the number of positions of each score that occurs.
func histogram(m format.Manifest) string {
	const longest = 40 // characters of the longest bar
	var most uint64
	for _, n := range m.Histogram {
		most = max(most, n)
	}
	rows := words.NewTable()
	bars := []string{""}
	rows.Row("score", "positions", "share")
	for i, n := range slices.Backward(m.Histogram) {
		if n == 0 {
			continue
		}
		rows.Row(words.Signed(i-m.Beans), words.Count(n), words.Percent(n, m.Positions))
		bars = append(bars, "  "+strings.Repeat("#", int((n*longest+most-1)/most)))
	}
	lines := strings.SplitAfter(rows.String(), "\n")
	var text strings.Builder
	for i, b := range bars {
		text.WriteString(strings.TrimRight(strings.TrimSuffix(lines[i], "\n")+b, " ") + "\n")
	}
	return text.String()
}

// listText prints a table of layers for people.
func listText(manifests []format.Manifest, all []tablebase.Statistics) string {
	rows := words.NewTable()
	titles := []string{"rules", "board", "beans", "positions", "wins", "draws", "losses", "rule 8", "stored", "built in", "longest DTC"}
	facts := slices.ContainsFunc(all, func(s tablebase.Statistics) bool { return s.Facts != nil })
	if facts {
		titles = append(titles, "largest score", "only moves", "zugzwangs")
	}
	rows.Row(titles...)
	for i, m := range manifests {
		longest := "-"
		if d := all[i].Depths; d != nil {
			longest = d.Longest.String()
		}
		var found []string
		if f := all[i].Facts; f != nil {
			found = []string{words.Signed(f.LargestScore), words.Count(f.OnlyMoves), words.Count(f.Zugzwangs)}
		}
		rows.Row(append([]string{
			m.Rules.String(), fmt.Sprintf("2×%d", m.Width), fmt.Sprint(m.Beans), words.Count(m.Positions),
			words.Percent(m.Wins, m.Positions), words.Percent(m.Draws, m.Positions), words.Percent(m.Losses, m.Positions),
			words.Count(m.Endless), words.Size(m.Bytes), words.Span(words.Seconds(m.Seconds)), longest,
		}, found...)...)
	}
	return rows.String()
}
