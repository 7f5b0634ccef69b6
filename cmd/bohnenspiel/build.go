package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
)

// buildFlags are the flags of build.
type buildFlags struct {
	*session.Options
	beans  int
	parity string
	memory session.ByteSize
	dtc    bool
	dryRun bool
}

func newBuildCommand(c console.Console, shared *session.Options) *cobra.Command {
	o := buildFlags{Options: shared}
	cmd := &cobra.Command{
		Use:   "build --beans N",
		Short: "Build the tables of all positions with up to N beans",
		Long: `build solves all layers of one parity up to N beans that the database does not
have yet, and stores them. The beans on the board change by captures alone, and
all captures are even; so a position with 16 beans needs the even layers only.

Ctrl-C stops it. Finished layers are kept, and the same command goes on from
there; of a layer that takes long, two minutes of work are lost at most. With
--json it prints the statistics of each layer that it has built.

--dtc builds a table of depths to conversion for each of these layers as well,
so that query and line look them up instead of searching for them.

--dry-run builds and writes nothing. It prints what each layer would take, and
whether that fits memory and disk.`,
		Example: `  bohnenspiel build --beans 16
  bohnenspiel build --beans 11 --parity odd --rules mangala
  bohnenspiel build --beans 28 --memory 8GiB --dry-run`,
		Args: session.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("beans") {
				return session.Usagef("build needs --beans N, the largest number of beans on the board")
			}
			return o.run(cmd.Context(), c)
		},
	}
	cmd.Flags().IntVar(&o.beans, "beans", 0, "build up to `N` beans on the board (required)")
	cmd.Flags().StringVar(&o.parity, "parity", "even", "`PARITY` of the layers: even, odd or both")
	session.MemoryFlag(cmd.Flags(), &o.memory)
	cmd.Flags().BoolVar(&o.dtc, "dtc", false, "build tables of depths to conversion as well")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only say what it would take")
	return cmd
}

func (o *buildFlags) run(ctx context.Context, c console.Console) error {
	g, parity, dir, err := o.target(c)
	if err != nil {
		return err
	}
	b := build.Options{Game: g, Beans: o.beans, Parity: parity, Workers: o.Workers, Memory: uint64(o.memory)}
	p, err := newPreview(dir, b, o.dtc)
	if err != nil {
		return err
	}
	if o.dryRun {
		return p.print(c, o.JSON)
	}
	if err := p.check(); err != nil {
		return err
	}
	if o.memory > 0 {
		debug.SetMemoryLimit(p.whole().HeapLimit())
	}
	return o.build(ctx, c, p, b)
}

// target returns what to build and where, after looking at the flags.
func (o *buildFlags) target(c console.Console) (g game.Game, parity format.Parity, dir string, err error) {
	if g, err = game.New(o.Rules, o.Width); err != nil {
		return g, parity, "", err
	}
	if parity, err = format.ParseParity(o.parity); err != nil {
		return g, parity, "", err
	}
	if err = session.CheckBeans(g, o.beans); err != nil {
		return g, parity, "", err
	}
	if o.beans == 0 && parity == format.Odd {
		return g, parity, "", session.Usagef("--beans 0: there is no odd layer up to 0")
	}
	dir, err = session.Directory(c, o.Options)
	return g, parity, dir, err
}

// build builds what is missing, and says what it did.
func (o *buildFlags) build(ctx context.Context, c console.Console, p preview, b build.Options) (err error) {
	db, err := database.Create(p.dir, tablebase.Options{})
	if err != nil {
		return err
	}
	defer session.CloseDatabase(db, &err)

	if len(p.present) > 0 && !o.Quiet {
		c.Note("%s in %s already", words.LayersAre(p.present), p.dir)
	}
	if len(p.missing) > 0 && !o.Quiet {
		cost := p.plan.Total()
		c.Note("building %s of %v 2×%d: %s, %s", words.LayerList(p.missing), b.Game.Rules(), b.Game.Width(), words.Things(cost.Positions, "position"), words.Costs(cost))
	}
	begun := time.Now()
	built, err := session.BuildLayers(ctx, c, o.Options, db, b)
	if err != nil {
		return err
	}
	text := builtText("", b.Game, p.dir, built, time.Since(begun))
	if o.dtc {
		if cost := p.depths.Total(); cost.Layers > 0 && !o.Quiet {
			c.Note("building DTC of %s: %s, %s", words.LayerList(beansOf(p.depths)), words.Things(cost.Positions, "position"), words.Costs(cost))
		}
		begun = time.Now()
		depths, err := session.BuildDepths(ctx, c, o.Options, db, b)
		if err != nil {
			return err
		}
		text += builtText("DTC of ", b.Game, p.dir, depths, time.Since(begun))
		built = append(built, depths...)
	}
	var statistics []tablebase.Statistics
	if o.JSON {
		if statistics, err = builtStatistics(db, b.Game, built); err != nil {
			return err
		}
	}
	if err := db.Close(); err != nil { // it may fail to write, so nothing is told before
		return err
	}
	if o.JSON {
		return console.PrintJSON(c, statistics...)
	}
	return c.Print(cmp.Or(text, nothingToBuild))
}

// beansOf returns the beans of the layers of a plan.
func beansOf(p build.Plan) []int {
	return words.Mapped(p.Layers, func(layer build.LayerCost) int { return layer.Key.Beans })
}

// nothingToBuild is what a build says that finds all layers there.
const nothingToBuild = "nothing to build\n"

// builtText says in a line which tables were built, or nothing if none was.
func builtText(what string, g game.Game, dir string, built []console.Table, took time.Duration) string {
	if len(built) == 0 {
		return ""
	}
	var positions, stored uint64
	for _, t := range built {
		positions += t.Positions
		stored += t.Bytes
	}
	beans := words.Mapped(built, func(t console.Table) int { return t.Beans })
	return fmt.Sprintf("built %s%s of %v 2×%d in %s: %s, %s, %s\n",
		what, words.LayerList(beans), g.Rules(), g.Width(), dir, words.Things(positions, "position"), words.Size(stored), words.Span(took))
}

// builtStatistics returns the statistics of the layers of which anything was built.
func builtStatistics(db *tablebase.DB, g game.Game, built []console.Table) ([]tablebase.Statistics, error) {
	var all []tablebase.Statistics
	told := map[int]bool{}
	for _, t := range built {
		if told[t.Beans] {
			continue
		}
		told[t.Beans] = true
		m, err := db.Manifest(format.KeyOf(g, t.Beans))
		if err != nil {
			return nil, err
		}
		s, err := db.Statistics(m)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}
