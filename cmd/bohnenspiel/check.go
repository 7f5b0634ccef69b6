package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
)

// checkFlags are the flags of check.
type checkFlags struct {
	*session.Options
	beans       int
	one         bool // whether --beans is given
	sample      uint64
	memory      session.ByteSize
	depth       string
	published   bool
	independent uint64
	repair      bool
}

func newCheckCommand(c console.Console, shared *session.Options) *cobra.Command {
	o := checkFlags{Options: shared}
	cmd := &cobra.Command{
		Use:   "check [--beans N] [--depth HOW]",
		Short: "Verify what the database holds",
		Long: `check reads all layers of the database, or the one that --beans names. It
verifies the checksum of each block and the totals of each layer, and compares
each score with those of the positions one move later. It verifies the bounds
that solve has kept as well. It prints what it looked at and a verdict; the
status is 1 if anything is bad. Layers that don't fit memory are kept in files
beside the database until the check ends.`,
		Example: `  bohnenspiel check
  bohnenspiel check --beans 16 --sample 100000`,
		Args: session.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.one = cmd.Flags().Changed("beans")
			if !o.one && (cmd.Flags().Changed("rules") || cmd.Flags().Changed("width")) {
				return session.Usagef("check looks at all layers unless --beans N names one: leave --rules and --width out, or add --beans")
			}
			return o.run(cmd.Context(), c)
		},
	}
	cmd.Flags().IntVar(&o.beans, "beans", 0, "check the layer with `N` beans alone")
	cmd.Flags().Uint64Var(&o.sample, "sample", 0, "compare `K` positions a layer, spread evenly; 0 means all")
	cmd.Flags().StringVar(&o.depth, "depth", "whole", "`HOW`: quick, totals, whole or recompute")
	cmd.Flags().BoolVar(&o.published, "published", false, "compare hashes with the published ones")
	cmd.Flags().Uint64Var(&o.independent, "independent", 0, "prove the scores of `K` positions a layer by search")
	cmd.Flags().BoolVar(&o.repair, "repair", false, "delete layers and kept bounds that are bad")
	session.MemoryFlag(cmd.Flags(), &o.memory)
	return cmd
}

func (o *checkFlags) run(ctx context.Context, c console.Console) (err error) {
	g, err := o.GameWith(o.beans)
	if err != nil {
		return err
	}
	depth, err := check.ParseLevel(o.depth)
	if err != nil {
		return session.Usagef("--depth: %w", err)
	}
	if o.sample > 0 && depth != check.Whole {
		return session.Usagef("--sample goes with --depth whole alone; leave it out for --depth %v", depth)
	}
	db, lost, err := o.openFor(c, tablebase.Options{CacheBytes: o.cacheBytes()})
	if err != nil {
		return err
	}
	defer session.CloseDatabase(db, &err)

	todo := check.Options{
		Sample: o.sample, Workers: o.Workers, Level: depth, Published: o.published, Independent: o.independent,
	}
	if o.one {
		todo.Keys = []format.Key{format.KeyOf(g, o.beans)}
		// A manifest that can't be read is for the check to report.
		if _, err := session.StoredLayer(db, o.Options, g, o.beans); errors.Is(err, format.ErrNoLayer) {
			return err
		}
	}
	if o.memory > 0 {
		layers, heap, err := check.Budget(db, todo, uint64(o.memory))
		if err != nil {
			return err
		}
		todo.Memory = layers
		debug.SetMemoryLimit(heap)
	}
	b := console.NewBar(c, o.Quiet)
	todo.Report = func(p check.Progress) {
		b.Show(words.Share(p.Done, p.Total), func() string { return fmt.Sprintf("%v: %v", p.Key, p.Phase) })
	}
	report, err := check.Run(ctx, db, todo)
	b.Clear()
	if ctx.Err() != nil {
		return fmt.Errorf("stopped after %s; nothing was found out about the rest", words.Things(len(report.Layers), "layer"))
	}
	if err != nil {
		return err
	}
	var dropped []format.Key
	if o.repair {
		if dropped, err = check.Repair(db, report); err != nil {
			return err
		}
	}
	if err := db.Close(); err != nil {
		return err
	}
	if err := o.print(c, report); err != nil {
		return err
	}
	if lost > 0 {
		return fmt.Errorf("%w in %s: %s given up; bohnenspiel build makes again what is missing now",
			format.ErrCorrupt, db.Dir(), words.Things(lost, "file"))
	}
	return o.verdict(db.Dir(), report, dropped)
}

// openFor opens the database for reading, or for writing if it may have to be repaired.
// Lost is the number of files that were given up to open it.
func (o *checkFlags) openFor(c console.Console, t tablebase.Options) (db *tablebase.DB, lost int, err error) {
	dir, err := session.Directory(c, o.Options)
	if err != nil {
		return nil, 0, err
	}
	db, err = database.Open(dir, t)
	if !o.repair {
		return db, 0, err
	}
	if errors.Is(err, format.ErrCorrupt) {
		var failed error
		lost, failed = database.Salvage(dir)
		switch {
		case failed == nil:
			db, err = database.Open(dir, t)
		case !errors.Is(failed, format.ErrNotDatabase): // an exported file cannot be salvaged
			err = failed
		}
	}
	if err != nil {
		return nil, lost, err
	}
	// It was there, so Create makes nothing where there is nothing.
	if err := db.Close(); err != nil {
		return nil, lost, err
	}
	db, err = database.Create(dir, t)
	return db, lost, err
}

// cacheBytes returns the budget for blocks of layers that don't fit memory; 0 means the
// usual one.
func (o *checkFlags) cacheBytes() int64 {
	return int64(min(uint64(o.memory)/8, tablebase.DefaultCacheBytes))
}

// print prints the report.
func (o *checkFlags) print(c console.Console, report check.Report) error {
	if o.JSON {
		return console.PrintJSON(c, o.reportObjects(report)...)
	}
	return c.Print(o.reportText(report))
}

// verdict returns an error that says what is wrong and what to do about it, or nil.
func (o *checkFlags) verdict(dir string, report check.Report, dropped []format.Key) error {
	switch {
	case report.Sound():
		return nil
	case len(dropped) > 0:
		return fmt.Errorf("%w in %s: %s deleted; bohnenspiel build makes them again, check once more then",
			format.ErrCorrupt, dir, words.Things(len(dropped), "layer"))
	case o.repair && len(report.Bounds.Faults) > 0:
		return fmt.Errorf("%w in %s: bad bounds deleted; bohnenspiel solve proves them again", format.ErrCorrupt, dir)
	case o.repair:
		return fmt.Errorf("%w in %s: a layer is missing; bohnenspiel build makes it", format.ErrCorrupt, dir)
	default:
		return fmt.Errorf("%w in %s: add --repair to delete bad layers, and build them again", format.ErrCorrupt, dir)
	}
}
