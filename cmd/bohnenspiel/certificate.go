package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/tablebase/proof"
)

func newCertificateCommand(c console.Console, shared *session.Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "certificate",
		Short: "Check proofs that solve has written",
		Args:  session.SubcommandsOnly,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "check FILE",
		Short: "Verify a proof by the rules and the tables alone",
		Long: `check verifies a proof that "solve --certificate FILE" has written. It goes
through all of its claims with the rules and the tables alone, and shares
nothing with the search that found them. The tables have to be those that the
certificate was made with.`,
		Example: `  bohnenspiel solve --certificate proof 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S
  bohnenspiel certificate check proof`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return session.Usagef("certificate check needs one file")
			}
			return checkCertificate(cmd.Context(), c, shared, args[0])
		},
	})
	return cmd
}

// checkCertificate verifies a file and prints what it proves.
func checkCertificate(ctx context.Context, c console.Console, o *session.Options, path string) (err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", path, session.Cause(err))
	}
	db, err := o.Open(c)
	if err != nil {
		return err
	}
	defer session.CloseDatabase(db, &err)
	report, err := proof.CheckCertificate(ctx, db, bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if o.JSON {
		return console.PrintJSON(c, report)
	}
	return c.Print(certificateText(report))
}

// certificateText says what a certificate proves.
func certificateText(r proof.CertificateReport) string {
	var text strings.Builder
	row := func(pits []int) string { return strings.Trim(fmt.Sprint(pits), "[]") }
	fmt.Fprintf(&text, "%v, %s to move / %s: ", r.Rules, row(r.Pits[:r.Width]), row(r.Pits[r.Width:]))
	if r.Bounds[0] == r.Bounds[1] {
		fmt.Fprintf(&text, "the score is %s\n", words.Signed(r.Bounds[0]))
	} else {
		fmt.Fprintf(&text, "the score is between %s and %s\n", words.Signed(r.Bounds[0]), words.Signed(r.Bounds[1]))
	}
	tables := "no tables"
	if r.Tables >= 0 {
		tables = fmt.Sprintf("tables of up to %s", words.Things(r.Tables, "bean"))
	}
	fmt.Fprintf(&text, "proved by %s, with %s looked up in %s\n", words.Things(r.Claims, "claim"), words.Things(r.Lookups, "position"), tables)
	return text.String()
}
