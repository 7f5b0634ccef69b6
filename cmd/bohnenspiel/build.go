package main

import (
	"cmp"
	"context"
	"errors"
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
	p, err := newPreview(dir, b, o.dtc)
	if err != nil {
		return err
	}
	if o.dryRun {
		return p.print(c, o.json)
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

// build builds what is missing, and says what it did.
func (o *buildFlags) build(ctx context.Context, c console, p preview, b build.Options) (err error) {
	db, err := database.Create(p.dir, tablebase.Options{})
	if err != nil {
		return err
	}
	defer closeDatabase(db, &err)

	if len(p.present) > 0 && !o.quiet {
		c.note("%s in %s already", layersAre(p.present), p.dir)
	}
	if len(p.missing) > 0 && !o.quiet {
		cost := p.plan.Total()
		c.note("building %s of %v 2×%d: %s, %s", layerList(p.missing), b.Game.Rules(), b.Game.Width(), things(cost.Positions, "position"), costs(cost))
	}
	begun := time.Now()
	built, err := buildLayers(ctx, c, o.options, db, b)
	if err != nil {
		return err
	}
	text := builtText("", b.Game, p.dir, built, time.Since(begun))
	if o.dtc {
		if cost := p.depths.Total(); cost.Layers > 0 && !o.quiet {
			c.note("building DTC of %s: %s, %s", layerList(beansOf(p.depths)), things(cost.Positions, "position"), costs(cost))
		}
		begun = time.Now()
		depths, err := buildDepths(ctx, c, o.options, db, b)
		if err != nil {
			return err
		}
		text += builtText("DTC of ", b.Game, p.dir, depths, time.Since(begun))
		built = append(built, depths...)
	}
	var statistics []tablebase.Statistics
	if o.json {
		if statistics, err = builtStatistics(db, b.Game, built); err != nil {
			return err
		}
	}
	if err := db.Close(); err != nil { // it may fail to write, so nothing is told before
		return err
	}
	if o.json {
		return printJSON(c, statistics...)
	}
	return c.print(cmp.Or(text, nothingToBuild))
}

// builtTable is what there is to say of a table of scores or of depths that was built.
type builtTable struct {
	name             string // "layer" or "DTC"
	beans            int
	positions, bytes uint64
	took             time.Duration
	hash             string
	more             string // ", longest 9" of depths
}

// builtScores describes a table of scores.
func builtScores(m format.Manifest) builtTable {
	return builtTable{"layer", m.Beans, m.Positions, m.Bytes, seconds(m.Seconds), m.SHA256, ""}
}

// builtDepths describes a table of depths.
func builtDepths(m format.DepthManifest) builtTable {
	return builtTable{"DTC", m.Beans, m.Positions, m.Bytes, seconds(m.Seconds), m.SHA256, fmt.Sprintf(", longest %v", m.Longest)}
}

// buildLayers builds what is missing, with progress on standard error. If ctx ends
// first, the error says which layers are kept.
func buildLayers(ctx context.Context, c console, o *options, db *tablebase.DB, b build.Options) ([]builtTable, error) {
	progress := newBuildProgress(c, o.quiet, db, b.Game)
	b.Workers, b.Report = o.workers, progress.report
	manifests, err := build.Scores(ctx, db, b)
	built := mapped(manifests, builtScores)
	progress.end(built)
	if err == nil || ctx.Err() == nil {
		return built, err
	}
	present, _, err := layers(db, b.Game, b.Beans, b.Parity)
	if err != nil {
		return built, err
	}
	if len(present) == 0 {
		return built, errors.New("stopped before a layer was finished; nothing is kept")
	}
	return built, fmt.Errorf("stopped; %s kept in %s, and the same command goes on from there", layersAre(present), db.Dir())
}

// buildDepths builds the depth tables that are missing, as buildLayers does layers.
func buildDepths(ctx context.Context, c console, o *options, db *tablebase.DB, b build.Options) ([]builtTable, error) {
	progress := newBuildProgress(c, o.quiet, db, b.Game)
	b.Workers, b.Report = o.workers, progress.report
	manifests, err := build.Depths(ctx, db, b)
	built := mapped(manifests, builtDepths)
	progress.end(built)
	if err == nil || ctx.Err() == nil {
		return built, err
	}
	var present []int
	for beans := range b.Beans + 1 {
		_, err := db.DepthManifest(format.KeyOf(b.Game, beans))
		switch {
		case !b.Parity.Has(beans) || errors.Is(err, format.ErrNoDepths):
		case err != nil:
			return built, err
		default:
			present = append(present, beans)
		}
	}
	if len(present) == 0 {
		return built, fmt.Errorf("stopped before a DTC table was finished; all layers are kept in %s", db.Dir())
	}
	return built, fmt.Errorf("stopped; all layers and DTC of %s are kept in %s, and the same command goes on from there", layerList(present), db.Dir())
}

// beansOf returns the beans of the layers of a plan.
func beansOf(p build.Plan) []int {
	return mapped(p.Layers, func(layer build.LayerCost) int { return layer.Key.Beans })
}

// nothingToBuild is what a build says that finds all layers there.
const nothingToBuild = "nothing to build\n"

// builtText says in a line which tables were built, or nothing if none was.
func builtText(what string, g game.Game, dir string, built []builtTable, took time.Duration) string {
	if len(built) == 0 {
		return ""
	}
	var positions, stored uint64
	for _, t := range built {
		positions += t.positions
		stored += t.bytes
	}
	beans := mapped(built, func(t builtTable) int { return t.beans })
	return fmt.Sprintf("built %s%s of %v 2×%d in %s: %s, %s, %s\n",
		what, layerList(beans), g.Rules(), g.Width(), dir, things(positions, "position"), size(stored), span(took))
}

// builtStatistics returns the statistics of the layers of which anything was built.
func builtStatistics(db *tablebase.DB, g game.Game, built []builtTable) ([]tablebase.Statistics, error) {
	var all []tablebase.Statistics
	told := map[int]bool{}
	for _, t := range built {
		if told[t.beans] {
			continue
		}
		told[t.beans] = true
		m, err := db.Manifest(format.KeyOf(g, t.beans))
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
