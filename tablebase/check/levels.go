package check

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/memory"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/store"
)

// Level is how much of a layer is verified. Each depth but Recompute does what
// the one before does, in the order quick, totals, whole.
type Level uint8

// The depths.
const (
	// Whole compares each score, or a sample of them, with those of its successors.
	Whole Level = iota
	// Quick reads each block, verifies its checksum, decodes it, and compares the seal
	// of all of them with the manifest's.
	Quick
	// Totals recomputes hash and totals from the scores.
	Totals
	// Recompute does as Totals does, then solves the layer anew from those below
	// it, its depths as well where they are stored, and compares hash and totals. It takes
	// the time and memory of a build.
	Recompute
)

// String returns "quick", "totals", "whole" or "recompute".
func (d Level) String() string {
	return [...]string{Whole: "whole", Quick: "quick", Totals: "totals", Recompute: "recompute"}[d]
}

// ParseLevel reads what String returns. Any other text gives an error that wraps
// ErrLevel.
func ParseLevel(text string) (Level, error) {
	var names []string
	for _, d := range []Level{Quick, Totals, Whole, Recompute} {
		if text == d.String() {
			return d, nil
		}
		names = append(names, d.String())
	}
	return 0, fmt.Errorf("%w %q: use one of %s", ErrLevel, text, strings.Join(names, ", "))
}

// published compares the SHA-256 of a layer with what was published.
func (c *checker) published(report *LayerReport, m format.Manifest) {
	if !c.options.Published {
		return
	}
	sum, ok := format.Published(m.Key())
	report.Published = ok && sum == m.SHA256
	if ok && !report.Published {
		report.add(FaultPublished, fmt.Errorf("%v: its SHA-256 is %s, but %s is published", m.Key(), m.SHA256, sum))
	}
}

// recompute solves a layer anew and compares what its manifest says.
func (c *checker) recompute(ctx context.Context, report *LayerReport, m format.Manifest, g game.Game, layers *held.Layers) error {
	for beans := m.Beans - 2; beans >= 0; beans -= 2 {
		if layers.Layers[beans] == nil {
			return c.notRecomputed(report, format.KeyOf(g, beans))
		}
	}
	x := c.db.Index(m.Width)
	cells, heap := solver.Footprint(x, m.Beans, c.options.Workers)
	if taken, _ := layers.Size(); taken+cells+heap > c.options.Memory {
		return fmt.Errorf("%w: to solve it anew takes %s, and %s are allowed; check it with --depth whole", held.ErrMemory, store.MiB(taken+cells+heap), store.MiB(c.options.Memory))
	}
	var block memory.Block
	defer block.Free()
	solved, err := solver.Solve(ctx, solver.Problem{
		Game: g, Index: x, Beans: m.Beans, Lower: layers, Workers: c.options.Workers, Memory: &block,
		Report: func(p solver.Progress) { c.report(m.Key(), Comparing, p.Done, p.Total) },
	})
	if err != nil {
		return err
	}
	total := format.NewSummary()
	found := m
	found.Endless = solved.Leaning()
	for kind := range found.Tables() {
		err := total.AddTable(ctx, solver.Kind(kind), m.Positions, func(first uint64, dst []game.Score) ([]game.Score, error) {
			solved.Copy(solver.Kind(kind), first, dst)
			return dst, nil
		})
		if err != nil {
			return err
		}
	}
	total.Fill(&found)
	report.Compared = m.Positions
	report.compareTotals(found, m)
	return nil
}

// notRecomputed reports that a layer can't be solved anew for want of a lower one.
func (c *checker) notRecomputed(report *LayerReport, lower format.Key) error {
	m, err := c.db.Manifest(lower)
	if errors.Is(err, store.ErrClosed) {
		return err
	}
	if err == nil {
		if _, fits := c.form(m, c.layers); !fits {
			return fmt.Errorf("%w: to solve %v anew takes those below it, and %v fits neither in the %s that are allowed nor on the disk; check it with --depth whole",
				held.ErrMemory, report.Key, lower, store.MiB(c.options.Memory))
		}
		err = fmt.Errorf("%v is damaged", lower)
	}
	report.add(FaultLower, fmt.Errorf("%v cannot be solved anew: %w", report.Key, err))
	return nil
}
