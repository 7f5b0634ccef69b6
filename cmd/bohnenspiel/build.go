package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
)

// buildFlags are the flags of build.
type buildFlags struct {
	*options
	beans  int
	parity string
	memory byteSize
	dtc    bool
	dryRun bool
}

func newBuildCommand(c console, shared *options) *cobra.Command {
	o := buildFlags{options: shared}
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
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("beans") {
				return usagef("build needs --beans N, the largest number of beans on the board")
			}
			return o.run(cmd.Context(), c)
		},
	}
	cmd.Flags().IntVar(&o.beans, "beans", 0, "build up to `N` beans on the board (required)")
	cmd.Flags().StringVar(&o.parity, "parity", "even", "`PARITY` of the layers: even, odd or both")
	memoryFlag(cmd.Flags(), &o.memory)
	cmd.Flags().BoolVar(&o.dtc, "dtc", false, "build tables of depths to conversion as well")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only say what it would take")
	return cmd
}

func (o *buildFlags) run(ctx context.Context, c console) error {
	g, parity, dir, err := o.target(c)
	if err != nil {
		return err
	}
	b := build.Options{Game: g, Beans: o.beans, Parity: parity, Workers: o.workers, Memory: uint64(o.memory)}
	s, err := newSurvey(dir, b, o.dtc)
	if err != nil {
		return err
	}
	if o.dryRun {
		return o.print(c, s)
	}
	if err := s.check(); err != nil {
		return err
	}
	if o.memory > 0 {
		debug.SetMemoryLimit(s.whole().HeapLimit())
	}
	return o.build(ctx, c, s, b)
}

// Build builds what is missing, and says what it did.
func (o *buildFlags) build(ctx context.Context, c console, s survey, b build.Options) (err error) {
	db, err := database.Create(s.dir, tablebase.Options{})
	if err != nil {
		return err
	}
	defer closeDatabase(db, &err)

	if len(s.present) > 0 && !o.quiet {
		c.note("%s in %s already", layersAre(s.present), s.dir)
	}
	if len(s.missing) > 0 && !o.quiet {
		cost := s.plan.Total()
		c.note("building %s of %v 2×%d: %s, %s", layerList(s.missing), b.Game.Rules(), b.Game.Width(), things(cost.Positions, "position"), costs(cost))
	}
	begun := time.Now()
	built, err := buildLayers(ctx, c, o.options, db, b)
	if err != nil {
		return err
	}
	text := buildSummary(b.Game, s.dir, built, time.Since(begun))
	var depths []format.DepthManifest
	if o.dtc {
		begun = time.Now()
		if depths, err = buildDepths(ctx, c, o.options, db, b, s); err != nil {
			return err
		}
		text = dtcSummary(text, b.Game, s.dir, depths, time.Since(begun))
	}
	if o.json {
		if text, err = builtLines(db, built, depths); err != nil {
			return err
		}
	}
	if err := db.Close(); err != nil { // it may fail to write, so nothing is told before
		return err
	}
	_, err = c.out.Write(text)
	return err
}

// target returns what to build and where, after looking at the flags.
func (o *buildFlags) target(c console) (g game.Game, parity format.Parity, dir string, err error) {
	if g, err = game.New(o.rules, o.width); err != nil {
		return g, parity, "", err
	}
	if parity, err = format.ParseParity(o.parity); err != nil {
		return g, parity, "", err
	}
	if err = checkBeans(g, o.beans); err != nil {
		return g, parity, "", err
	}
	if o.beans == 0 && parity == format.Odd {
		return g, parity, "", usagef("--beans 0: there is no odd layer up to 0")
	}
	dir, err = c.directory(o.options)
	return g, parity, dir, err
}

// nothingToBuild is what a build says that finds all layers there.
const nothingToBuild = "nothing to build\n"

// buildSummary says in a line what a build has done.
func buildSummary(g game.Game, dir string, built []format.Manifest, took time.Duration) []byte {
	if len(built) == 0 {
		return []byte(nothingToBuild)
	}
	var positions, stored uint64
	beans := make([]int, len(built))
	for i, m := range built {
		beans[i] = m.Beans
		positions += m.Positions
		stored += m.Bytes
	}
	return fmt.Appendf(nil, "built %s of %v 2×%d in %s: %s, %s, %s\n",
		layerList(beans), g.Rules(), g.Width(), dir, things(positions, "position"), size(stored), span(took))
}

// statisticsLines returns the statistics of layers as JSON, one object a line.
func statisticsLines(layers []tablebase.Statistics) ([]byte, error) {
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	for _, layer := range layers {
		if err := lines.Encode(layer); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}
