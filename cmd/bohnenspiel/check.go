package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
)

// checkFlags are the flags of check.
type checkFlags struct {
	*options
	beans  int
	one    bool // whether --beans is given
	sample uint64
	memory byteSize
	depth  string
	// published, independent and repair are the other flags.
	published   bool
	independent uint64
	repair      bool
	lost        int // files that were given up, of a database that could not be opened
}

func newCheckCommand(c console, shared *options) *cobra.Command {
	o := checkFlags{options: shared}
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
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.one = cmd.Flags().Changed("beans")
			if !o.one && (cmd.Flags().Changed("rules") || cmd.Flags().Changed("width")) {
				return usagef("check looks at all layers unless --beans N names one: leave --rules and --width out, or add --beans")
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
	memoryFlag(cmd.Flags(), &o.memory)
	return cmd
}

func (o *checkFlags) run(ctx context.Context, c console) (err error) {
	g, err := game.New(o.rules, o.width)
	if err != nil {
		return err
	}
	if err := checkBeans(g, o.beans); err != nil {
		return err
	}
	depth, err := check.ParseLevel(o.depth)
	if err != nil {
		return usagef("--depth: %w", err)
	}
	if o.sample > 0 && depth != check.Whole {
		return usagef("--sample goes with --depth whole alone; leave it out for --depth %v", depth)
	}
	db, err := o.openFor(c, tablebase.Options{CacheBytes: o.cacheBytes()})
	if err != nil {
		return err
	}
	defer closeDatabase(db, &err)

	todo := check.Options{
		Sample: o.sample, Workers: o.workers, Level: depth, Published: o.published, Independent: o.independent,
	}
	if o.one {
		todo.Keys = []format.Key{format.KeyOf(g, o.beans)}
		// A manifest that can't be read is for the check to report.
		if _, err := storedLayer(db, o.options, g, o.beans); errors.Is(err, format.ErrNoLayer) {
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
	b := newBar(c, o.quiet)
	todo.Report = func(p check.Progress) {
		b.show(share(p), func() string { return fmt.Sprintf("%v: %v", p.Key, p.Phase) })
	}
	report, err := check.Run(ctx, db, todo)
	b.clear()
	if ctx.Err() != nil {
		return fmt.Errorf("stopped after %s; nothing was found out about the rest", things(uint64(len(report.Layers)), "layer"))
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
	return o.print(c, db.Dir(), report, dropped)
}

// openFor opens the database for reading, or for writing if it may have to be repaired.
func (o *checkFlags) openFor(c console, t tablebase.Options) (*tablebase.DB, error) {
	if !o.repair {
		return o.open(c, t)
	}
	dir, err := c.directory(o.options)
	if err != nil {
		return nil, err
	}
	// Nothing is made where there is nothing.
	db, err := database.Open(dir, t)
	if errors.Is(err, format.ErrCorrupt) {
		var failed error
		o.lost, failed = database.Salvage(dir)
		switch {
		case failed == nil:
			db, err = database.Open(dir, t)
		case !errors.Is(failed, format.ErrNotDatabase): // it is none of an exported file
			err = failed
		}
	}
	if err != nil {
		return nil, err
	}
	if err := db.Close(); err != nil {
		return nil, err
	}
	return database.Create(dir, t)
}

// cacheBytes returns the budget for blocks of layers that don't fit memory; 0 means the
// usual one.
func (o *checkFlags) cacheBytes() int64 {
	return int64(min(uint64(o.memory)/8, tablebase.DefaultCacheBytes))
}

// share returns which part of the check of a layer is done, from 0 to 1.
func share(p check.Progress) float64 {
	if p.Total == 0 {
		return 0
	}
	return float64(p.Done) / float64(p.Total)
}

// print prints the report. A report of faults is an error as well.
func (o *checkFlags) print(c console, dir string, report check.Report, dropped []format.Key) error {
	text := []byte(o.reportText(report))
	if o.json {
		var err error
		if text, err = o.reportLines(report); err != nil {
			return err
		}
	}
	if _, err := c.out.Write(text); err != nil {
		return err
	}
	switch {
	case o.lost > 0:
		return fmt.Errorf("%w in %s: %s given up; bohnenspiel build makes again what is missing now",
			format.ErrCorrupt, dir, things(uint64(o.lost), "file"))
	case report.Sound():
		return nil
	case len(dropped) > 0:
		return fmt.Errorf("%w in %s: %s deleted; bohnenspiel build makes them again, check once more then",
			format.ErrCorrupt, dir, things(uint64(len(dropped)), "layer"))
	case o.repair && len(report.Bounds.Faults) > 0:
		return fmt.Errorf("%w in %s: bad bounds deleted; bohnenspiel solve proves them again", format.ErrCorrupt, dir)
	case o.repair:
		return fmt.Errorf("%w in %s: a layer is missing; bohnenspiel build makes it", format.ErrCorrupt, dir)
	default:
		return fmt.Errorf("%w in %s: add --repair to delete bad layers, and build them again", format.ErrCorrupt, dir)
	}
}

// reportText prints for people what was checked, what is wrong, and a verdict.
func (o *checkFlags) reportText(report check.Report) string {
	rows := newTable()
	head := []string{"rules", "board", "beans", "blocks", "bytes", "compared"}
	if o.published {
		head = append(head, "published")
	}
	if o.independent > 0 {
		head = append(head, "proved")
	}
	rows.row(append(head, "verdict")...)
	var faults strings.Builder
	var sum check.LayerReport
	bad := 0
	for _, layer := range report.Layers {
		verdict := "sound"
		if len(layer.Faults) > 0 {
			verdict = "BAD"
			bad++
		}
		row := []string{
			layer.Key.Rules.String(), fmt.Sprintf("2×%d", layer.Key.Width), fmt.Sprint(layer.Key.Beans),
			count(layer.Blocks), count(layer.Bytes), count(layer.Compared),
		}
		if o.published {
			row = append(row, map[bool]string{true: "the same", false: "-"}[layer.Published])
		}
		if o.independent > 0 {
			row = append(row, fmt.Sprintf("%s of %s", count(layer.Proved), count(layer.Proved+layer.Unproved)))
		}
		rows.row(append(row, verdict)...)
		for _, fault := range layer.Faults {
			fmt.Fprintf(&faults, "%v: %s\n", fault.Kind, oneLine(fault.Err.Error()))
		}
		if layer.Unlisted > 0 {
			fmt.Fprintf(&faults, "and %s more in %v\n", things(uint64(layer.Unlisted), "fault"), layer.Key)
		}
		sum.Blocks += layer.Blocks
		sum.Bytes += layer.Bytes
		sum.Compared += layer.Compared
		sum.DepthsCompared += layer.DepthsCompared
	}
	verdict := "sound: " + things(uint64(len(report.Layers)), "layer")
	if bad > 0 {
		verdict = fmt.Sprintf("BAD: %d of %s", bad, things(uint64(len(report.Layers)), "layer"))
	}
	bounds := boundsText(&faults, report.Bounds)
	depths := ""
	if sum.DepthsCompared > 0 {
		depths = " and " + things(sum.DepthsCompared, "DTC")
	}
	how := "compared with their successors"
	if o.depth == check.Recompute.String() {
		how = "solved anew"
	}
	return fmt.Sprintf("%s%s%s; %s, %s sound, %s%s %s\n%s", rows, &faults, verdict,
		things(sum.Blocks, "block"), things(sum.Bytes, "byte"), things(sum.Compared, "position"), depths, how, bounds)
}

// boundsText lists what is wrong with kept bounds, and returns a verdict on them; none if
// none are kept.
func boundsText(faults *strings.Builder, r check.BoundsReport) string {
	bad := uint64(len(r.Faults))
	if r.Kept+bad == 0 {
		return ""
	}
	for i, fault := range r.Faults {
		if i == check.MaxFaults {
			fmt.Fprintf(faults, "and %s more in kept bounds\n", things(bad-check.MaxFaults, "fault"))
			break
		}
		fmt.Fprintf(faults, "bounds: %s\n", oneLine(fault.Err.Error()))
	}
	verdict := "sound: kept bounds of " + things(r.Kept, "position")
	if bad > 0 {
		verdict = fmt.Sprintf("BAD: kept bounds of %s of %s", count(bad), things(r.Kept+bad, "position"))
	}
	others := ""
	if r.Others > 0 {
		others = fmt.Sprintf("; %s proved with other tables, and not used", count(r.Others))
	}
	return fmt.Sprintf("%s; %s compared with the tables%s\n", verdict, count(r.Compared), others)
}

// layerCheck is the JSON object of a checked layer.
type layerCheck struct {
	Rules     game.Rules   `json:"rules"`
	Width     int          `json:"width"`
	Beans     int          `json:"beans"`
	Blocks    uint64       `json:"blocks"`
	Bytes     uint64       `json:"bytes"`
	Compared  uint64       `json:"compared"`
	DTCs      uint64       `json:"dtcsCompared"`
	Published *bool        `json:"published"` // null unless asked for; whether the hash is a published one
	Proved    *uint64      `json:"proved"`    // null unless asked for
	Unproved  *uint64      `json:"unproved"`  // null unless asked for
	Sound     bool         `json:"sound"`
	Faults    []layerFault `json:"faults"`
	Unlisted  int          `json:"unlisted"` // faults beyond those in the list
}

// boundsCheck is the JSON object of the kept bounds.
type boundsCheck struct {
	Kept     uint64   `json:"kept"`
	Others   uint64   `json:"others"` // proved with other tables, and not used
	Compared uint64   `json:"compared"`
	Sound    bool     `json:"sound"`
	Faults   []string `json:"faults"`
	Unlisted int      `json:"unlisted"`
}

// layerFault is the JSON object of a fault.
type layerFault struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// reportLines prints a report as JSON, one layer a line, and kept bounds, if there are any,
// in a last line.
func (o *checkFlags) reportLines(report check.Report) ([]byte, error) {
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	for _, layer := range report.Layers {
		check := layerCheck{
			Rules: layer.Key.Rules, Width: layer.Key.Width, Beans: layer.Key.Beans,
			Blocks: layer.Blocks, Bytes: layer.Bytes, Compared: layer.Compared, DTCs: layer.DepthsCompared,
			Sound: len(layer.Faults) == 0, Faults: []layerFault{}, Unlisted: layer.Unlisted,
		}
		if o.published {
			check.Published = &layer.Published
		}
		if o.independent > 0 {
			check.Proved, check.Unproved = &layer.Proved, &layer.Unproved
		}
		for _, fault := range layer.Faults {
			check.Faults = append(check.Faults, layerFault{Kind: fault.Kind.String(), Message: fault.Err.Error()})
		}
		if err := lines.Encode(check); err != nil {
			return nil, err
		}
	}
	if b := report.Bounds; b.Kept > 0 || len(b.Faults) > 0 {
		check := boundsCheck{
			Kept: b.Kept, Others: b.Others, Compared: b.Compared,
			Sound: len(b.Faults) == 0, Faults: []string{}, Unlisted: max(0, len(b.Faults)-check.MaxFaults),
		}
		for _, fault := range b.Faults[:len(b.Faults)-check.Unlisted] {
			check.Faults = append(check.Faults, fault.Err.Error())
		}
		if err := lines.Encode(check); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}
