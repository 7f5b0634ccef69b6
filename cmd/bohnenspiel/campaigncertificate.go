package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase/campaign"
	"bohnenspiel/tablebase/proof"
)

func newCampaignCertificateCommand(c console.Console, shared *session.Options) *cobra.Command {
	o := &campaignFlags{Options: shared}
	cmd := &cobra.Command{
		Use:   "certificate FILE CERTIFICATE",
		Short: "Write the proof of a campaign, for certificate check",
		Long: `certificate writes the proof of what a campaign has proved so far, in the form
that certificate check verifies. It searches again for the answer of each job
and takes no line on trust: one that is wrong is found and named. That takes
about as long as the jobs did, and memory for the whole proof, some 150 bytes
for each of its claims.`,
		Example: `  bohnenspiel campaign certificate opening.campaign opening.cert
  bohnenspiel certificate check opening.cert`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return session.Usagef("campaign certificate needs the file of a campaign and the name of a new file")
			}
			return o.certify(cmd.Context(), c, args[0], args[1])
		},
	}
	o.solverFlags(cmd.Flags())
	return cmd
}

// certify writes the certificate of a campaign.
func (o *campaignFlags) certify(ctx context.Context, c console.Console, path, target string) (err error) {
	lines, err := readCampaign([]string{path})
	if err != nil {
		return err
	}
	tree, err := campaign.Load(lines)
	if err != nil {
		return err
	}
	p, err := onlyPosition(path, tree.Asks())
	if err != nil {
		return err
	}
	if err := session.Writable(target); err != nil {
		return err
	}
	s, err := session.New(c, o.Options, o.noBuild)
	if err != nil {
		return err
	}
	defer s.End(&err)
	progress := console.NewSearch(c, o.Quiet)
	solver, err := o.solver(ctx, s, progress, lines[0].Game, p)
	if err != nil {
		return err
	}
	defer solver.Free()
	proved, err := campaign.Prove(ctx, lines, solver, p, func(steps int) {
		progress.Show(time.Now(), solver.Fill(), func() string {
			return fmt.Sprintf("%s so far, %s visited, table %s full", words.Things(uint64(steps), "claim"), words.Count(solver.Visited()), words.Portion(solver.Fill()))
		})
	})
	progress.End()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("stopped, %w", errNoCertificate)
	case errors.Is(err, search.ErrNoProof):
		return fmt.Errorf("%w: the proof of a job does not fit in memory, say more with --memory", errNoCertificate)
	case err != nil:
		return err
	}
	if err := session.WriteFile(target, func(w io.Writer) error { return proof.WriteCertificate(s.DB, w, proved) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.Out, "%s: the score is from %s to %s, by %s\n",
		target, words.Signed(int64(proved.Low)), words.Signed(int64(proved.High)), words.Things(uint64(len(proved.Steps)), "claim"))
	return err
}

// onlyPosition returns the position that a campaign asks about.
func onlyPosition(path string, asks []campaign.Line) (game.Position, error) {
	if len(asks) == 0 {
		return game.Position{}, fmt.Errorf("%s asks nothing; begin with campaign new", path)
	}
	for _, a := range asks {
		if a.Position != asks[0].Position {
			return game.Position{}, fmt.Errorf("%s asks about several positions; a certificate is about one", path)
		}
	}
	return asks[0].Position, nil
}
