package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
)

// maxPlies is the largest depth whose count surely fits 64 bits: nine moves a ply
// make 9^20 < 2^64.
const maxPlies = 20

// perftFlags are the flags of perft.
type perftFlags struct {
	*session.Options
	plies       int
	beansPerPit int
	startGiven  bool // whether --beans-per-pit is given
}

func newPerftCommand(c console.Console, shared *session.Options) *cobra.Command {
	o := perftFlags{Options: shared}
	cmd := &cobra.Command{
		Use:   "perft [POSITION] --plies N",
		Short: "Count the ways to play so many plies",
		Long: `perft counts, for each depth from 1 to N, the ways to play so many plies from a
position (the start of the game unless said). Programs that agree on these
numbers agree on the rules. The time grows about sixfold a ply.`,
		Example: `  bohnenspiel perft --plies 9
  bohnenspiel perft --plies 4 0-2-1-1-1-1-3-3-3-1-0-0-26-30-S`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return session.Usagef("perft takes one position, not %d: quote a position that has blanks", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("plies") {
				return session.Usagef("perft needs --plies N, the depth to count to")
			}
			o.startGiven = cmd.Flags().Changed("beans-per-pit")
			return o.run(cmd.Context(), c, args)
		},
	}
	cmd.Flags().IntVar(&o.plies, "plies", 0, "depth `N`, 1 to 20 (required)")
	cmd.Flags().IntVar(&o.beansPerPit, "beans-per-pit", 6, "`N` beans in each pit at the start, 1 to 6")
	return cmd
}

// perftCount is the JSON object of one depth.
type perftCount struct {
	Position string     `json:"position"`
	Rules    game.Rules `json:"rules"`
	Plies    int        `json:"plies"`
	Count    uint64     `json:"count"`
}

func (o *perftFlags) run(ctx context.Context, c console.Console, args []string) error {
	if o.plies < 1 || o.plies > maxPlies {
		return session.Usagef("--plies %d: want 1 to %d", o.plies, maxPlies)
	}
	if o.beansPerPit < 1 || o.beansPerPit > 6 {
		return session.Usagef("--beans-per-pit %d: want 1 to 6", o.beansPerPit)
	}
	if len(args) > 0 && o.startGiven {
		return session.Usagef("--beans-per-pit makes a start position: leave it out or the position")
	}
	d, err := o.start(args)
	if err != nil {
		return err
	}
	g, err := game.New(o.Rules, d.Width)
	if err != nil {
		return err
	}
	if !o.JSON {
		if err := c.Print(fmt.Sprintf("%s\nplies  ways to play\n", d)); err != nil {
			return err
		}
	}
	for plies := 1; plies <= o.plies; plies++ {
		ways, err := perft(ctx, g, d.Position(), plies)
		if err != nil {
			return err
		}
		if o.JSON {
			err = console.PrintJSON(c, perftCount{Position: d.String(), Rules: o.Rules, Plies: plies, Count: ways})
		} else {
			err = c.Print(fmt.Sprintf("%5d  %s\n", plies, words.Count(ways)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// start returns the position to count from.
func (o *perftFlags) start(args []string) (game.Diagram, error) {
	if len(args) > 0 {
		return game.ParseDiagram(args[0], o.FieldWidth)
	}
	g, err := game.New(o.Rules, o.Width)
	if err != nil {
		return game.Diagram{}, err
	}
	return g.StartDiagram(o.beansPerPit), nil
}

// perft counts in the background, so that a signal need not wait for it.
func perft(ctx context.Context, g game.Game, p game.Position, plies int) (uint64, error) {
	counted := make(chan uint64, 1)
	go func() { counted <- game.Perft(g, p, plies) }()
	select {
	case ways := <-counted:
		return ways, nil
	case <-ctx.Done():
		return 0, fmt.Errorf("stopped before ply %d was counted", plies)
	}
}
