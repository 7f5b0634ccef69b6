package main

import (
	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/solver/game"
)

func newRootCommand(c console.Console) *cobra.Command {
	o := &session.Options{}
	root := &cobra.Command{
		Use:   "bohnenspiel",
		Short: "Exact endgame tables of the mancala game Bohnenspiel",
		Long: `bohnenspiel solves endgames of Bohnenspiel and Mangala II exactly. It builds
tables of all positions with n beans on the board, and answers from them who
wins, by how many beans, and which moves do it.

Exit status: 0 answered; 1 cannot answer, or the data is bad; 2 wrong usage or
a bad position.`,
		Example:           `  bohnenspiel query '0 2 1 1 1 1 / 3 3 3 1 0 0'`,
		Args:              session.SubcommandsOnly,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return o.Check(cmd) },
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors:     true,
		SilenceUsage:      true,
	}
	root.SetIn(c.In)
	root.SetOut(c.Out)
	root.SetErr(c.Err)
	root.SetFlagErrorFunc(session.FlagError)

	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.StringVar(&o.Dir, "db", "", "database in `DIR` (default: $BOHNENSPIEL_DB, or else\nbohnenspiel in the user's data directory)")
	flags.TextVar(&o.Rules, "rules", game.Bohnenspiel, "`NAME`: bohnenspiel, mangala, hemprich")
	flags.IntVar(&o.Width, "width", game.StandardWidth, "boards with `N` pits a side, 1 to 9; for a position it\nfollows from the number of fields")
	flags.IntVar(&o.Workers, "workers", 0, "compute with `N` goroutines; 0 means one a processor")
	flags.BoolVar(&o.Quiet, "quiet", false, "no progress on standard error")
	flags.BoolVar(&o.JSON, "json", false, "print one JSON object a line")

	root.AddCommand(
		newBuildCommand(c, o),
		newQueryCommand(c, o),
		newLineCommand(c, o),
		newStudyCommand(c, o),
		newSolveCommand(c, o),
		newCertificateCommand(c, o),
		newCampaignCommand(c, o),
		newStatsCommand(c, o),
		newReplayCommand(c, o),
		newCheckCommand(c, o),
		newExportCommand(c, o),
		newImportCommand(c, o),
		newPerftCommand(c, o),
		newServeCommand(c, o),
		newVersionCommand(c, o),
	)
	root.SetHelpCommand(newHelpCommand())
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Args, completion.RunE = root.Args, root.RunE
	}
	return root
}

// newHelpCommand replaces the help command of cobra, which answers a topic that
// it doesn't know with status 0.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return session.UnknownCommand(found, rest[0])
			}
			return found.Help()
		},
	}
}
