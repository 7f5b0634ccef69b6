package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/tablebase/archive"
	"bohnenspiel/tablebase/format"
)

// exportFlags are the flags of export.
type exportFlags struct {
	*session.Options
	beans int
}

func newExportCommand(c console.Console, shared *session.Options) *cobra.Command {
	o := exportFlags{Options: shared}
	cmd := &cobra.Command{
		Use:   "export --beans N FILE | -",
		Short: "Write a layer, and those below it, to one file",
		Long: `export writes the layer with N beans and all that it needs, those with fewer
beans by twos, to a file that is the same bytes on every machine. Each block is
verified on the way. All commands that read take the file for a database:
give its name to --db. bohnenspiel import adds it to a database.

FILE must not be there yet; it appears when it is whole. For "-" it goes to
standard output.`,
		Example: `  bohnenspiel export --beans 16 sixteen.bns
  bohnenspiel query --db sixteen.bns '0 2 1 1 1 1 / 3 3 3 1 0 0'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return session.Usagef("export takes one FILE, or - for standard output; see %s --help", cmd.CommandPath())
			case !cmd.Flags().Changed("beans"):
				return session.Usagef("export needs --beans N, the largest number of beans on the board")
			}
			return o.run(cmd.Context(), c, args[0])
		},
	}
	cmd.Flags().IntVar(&o.beans, "beans", 0, "the last layer has `N` beans on the board (required)")
	return cmd
}

func (o *exportFlags) run(ctx context.Context, c console.Console, path string) (err error) {
	g, err := o.GameWith(o.beans)
	if err != nil {
		return err
	}
	if path != "-" {
		if _, err := os.Lstat(path); err == nil {
			return session.Usagef("%s is there already: name another file, or remove it", path)
		}
	}
	db, err := o.Open(c)
	if err != nil {
		return err
	}
	defer session.CloseDatabase(db, &err)
	for beans := o.beans; beans >= 0; beans -= 2 {
		if _, err := session.StoredLayer(db, o.Options, g, beans); err != nil {
			return err
		}
	}
	b := console.NewBar(c, o.Quiet)
	defer b.Clear()
	write := func(w io.Writer) error {
		return archive.Export(ctx, db, w, format.KeyOf(g, o.beans), func(p archive.Progress) {
			b.Show(words.Share(p.Done, p.Total), func() string { return fmt.Sprintf("%v: write", p.Key) })
		})
	}
	if path == "-" {
		return write(c.Out)
	}
	return session.WriteFile(path, write)
}
