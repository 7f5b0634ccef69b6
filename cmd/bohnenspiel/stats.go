package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// statsFlags are the flags of stats.
type statsFlags struct {
	*options
	beans int
}

func newStatsCommand(c console, shared *options) *cobra.Command {
	o := statsFlags{options: shared}
	cmd := &cobra.Command{
		Use:   "stats [--beans N]",
		Short: "Print the numbers of a layer, or list all layers",
		Long: `stats prints how many positions of a layer the player to move wins, draws and
loses, a histogram of the scores, and the checksum of the layer. Without --beans
it lists the layers of the database, or those of --rules and --width if given.`,
		Example: `  bohnenspiel stats
  bohnenspiel stats --beans 16 --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("beans") {
				return o.layer(c)
			}
			return o.list(c, func(k tablebase.Key) bool {
				return (!cmd.Flags().Changed("rules") || k.Rules == shared.rules) &&
					(!cmd.Flags().Changed("width") || k.Width == shared.width)
			})
		},
	}
	cmd.Flags().IntVar(&o.beans, "beans", 0, "the layer with `N` beans on the board")
	return cmd
}

// layer prints the statistics of one layer.
func (o *statsFlags) layer(c console) (err error) {
	g, err := game.New(o.rules, o.width)
	if err != nil {
		return err
	}
	if err := checkBeans(g, o.beans); err != nil {
		return err
	}
	db, err := o.open(c, tablebase.Options{})
	if err != nil {
		return err
	}
	defer closeDatabase(db, &err)
	m, err := storedLayer(db, o.options, g, o.beans)
	if err != nil {
		return err
	}
	text := []byte(layerText(m))
	if o.json {
		if text, err = statisticsLines([]tablebase.Manifest{m}); err != nil {
			return err
		}
	}
	_, err = c.out.Write(text)
	return err
}

// list prints a line for each layer that is wanted.
func (o *statsFlags) list(c console, wanted func(tablebase.Key) bool) (err error) {
	db, err := o.open(c, tablebase.Options{})
	if err != nil {
		return err
	}
	defer closeDatabase(db, &err)
	var manifests []tablebase.Manifest
	for _, m := range db.Layers() {
		if wanted(m.Key()) {
			manifests = append(manifests, m)
		}
	}
	if len(manifests) == 0 {
		return fmt.Errorf("%w: %s holds none that is asked for; bohnenspiel build makes them", tablebase.ErrNoLayer, db.Dir())
	}
	text := []byte(listText(manifests))
	if o.json {
		if text, err = statisticsLines(manifests); err != nil {
			return err
		}
	}
	_, err = c.out.Write(text)
	return err
}

// layerText prints the numbers of a layer for people.
func layerText(m tablebase.Manifest) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%v: %s\n\n", m.Key(), things(m.Positions, "position"))

	outcomes := newTable()
	outcomes.row("for the player to move", "positions", "share")
	for _, row := range []struct {
		name string
		n    uint64
	}{{"more beans", m.Wins}, {"the same", m.Draws}, {"fewer beans", m.Losses}, {"score leans on rule 8", m.Endless}} {
		outcomes.row(row.name, count(row.n), percent(row.n, m.Positions))
	}
	text.WriteString(outcomes.String())

	fmt.Fprintf(&text, "\nscore: beans that the player to move still wins, less those of the opponent\n")
	text.WriteString(histogram(m))

	fmt.Fprintf(&text, "\nsum of scores  %s beans, %+.4f a position\n", signed(m.ScoreSum), float64(m.ScoreSum)/float64(max(m.Positions, 1)))
	fmt.Fprintf(&text, "stored         %s in %s, %.2f bits a position\n", size(m.Bytes), things(m.Blocks, "block"), 8*float64(m.Bytes)/float64(max(m.Positions, 1)))
	fmt.Fprintf(&text, "built          %s in %s, %s\n", m.Built.UTC().Format(time.DateOnly), span(time.Duration(m.Seconds*float64(time.Second))), things(uint64(m.Sweeps), "sweep"))
	fmt.Fprintf(&text, "sha256         %s\n", m.SHA256)
	return text.String()
}

// histogram draws the number of positions of each score that occurs.
func histogram(m tablebase.Manifest) string {
	const longest = 40 // characters of the longest bar
	var most uint64
	for _, n := range m.Histogram {
		most = max(most, n)
	}
	rows := newTable()
	bars := []string{""}
	rows.row("score", "positions", "share")
	for i, n := range slices.Backward(m.Histogram) {
		if n == 0 {
			continue
		}
		rows.row(signed(int64(i-m.Beans)), count(n), percent(n, m.Positions))
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
func listText(manifests []tablebase.Manifest) string {
	rows := newTable()
	rows.row("rules", "board", "beans", "positions", "wins", "draws", "losses", "rule 8", "stored", "built in")
	for _, m := range manifests {
		rows.row(m.Rules.String(), fmt.Sprintf("2×%d", m.Width), fmt.Sprint(m.Beans), count(m.Positions),
			percent(m.Wins, m.Positions), percent(m.Draws, m.Positions), percent(m.Losses, m.Positions),
			count(m.Endless), size(m.Bytes), span(time.Duration(m.Seconds*float64(time.Second))))
	}
	return rows.String()
}
