package tablebase

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
)

// checker is a run of Check.
type checker struct {
	db      *DB
	options CheckOptions
	source  *source // of the game whose turn it is; nil at first
}

// layer checks one layer.
func (c *checker) layer(ctx context.Context, k Key) (LayerReport, error) {
	report := LayerReport{Key: k}
	m, err := c.db.Manifest(k)
	if err != nil {
		if errors.Is(err, ErrClosed) {
			return report, err
		}
		report.add(FaultManifest, err)
		return report, nil
	}
	g, err := game.New(k.Rules, k.Width)
	if err != nil {
		return report, err
	}
	c.turn(g)
	if err := c.read(ctx, &report, m, c.source.layers[k.Beans]); err != nil {
		return report, err
	}
	if report.Blocks < m.Blocks {
		return report, nil // there are faults already
	}
	return report, c.compare(ctx, &report, g)
}

// turn opens all layers of a game for reading, unless it is that game's turn already.
func (c *checker) turn(g game.Game) {
	if c.source != nil && c.source.game == g {
		return
	}
	cache := newCache(budgetOr(c.options.CacheBytes, math.MaxInt64), c.db.decodeBlock)
	c.source = newSource(g, game.MaxBeans(g.Width()), cache)
	for _, m := range c.db.Layers() {
		if m.Key() == KeyOf(g, m.Beans) {
			c.source.add(m)
		}
	}
}

// decodedBlock is a block on its way from the disk to the totals of its layer.
type decodedBlock struct {
	id      blockID
	size    int
	err     error
	digest  digest
	leaning uint64 // positions with a low below their high
}

// read decodes all blocks of a layer and recomputes what its manifest says.
func (c *checker) read(ctx context.Context, report *LayerReport, m Manifest, t *tables) error {
	perTable := blocksOf(m.Positions)
	decode := func(number int, block *decodedBlock) error {
		table, number := t[number/perTable], number%perTable
		block.id = table.id(number)
		var scores []game.Score
		scores, block.size, block.err = c.db.readBlock(block.id)
		if block.err != nil {
			return nil
		}
		table.put(number, scores)
		block.digest.of(scores)
		block.leaning = 0
		if block.id.kind == solver.Highs {
			lows, err := t[solver.Lows].block(number)
			if err != nil {
				return nil //nolint:nilerr // reported for the block of the lows
			}
			for i, high := range scores {
				if lows[i] < high {
					block.leaning++
				}
			}
		}
		return nil
	}
	total := newSummary()
	found := m
	found.Bytes, found.Endless = 0, 0
	done := uint64(0)
	take := func(_ int, block *decodedBlock) error {
		done += uint64(block.id.positions)
		c.report(m.Key(), Reading, done, uint64(m.tables())*m.Positions)
		if err := block.err; err != nil {
			if ClassOf(err) != ClassBadData {
				return err
			}
			report.add(FaultBlock, err)
			return nil
		}
		total.add(block.id.kind, &block.digest)
		report.Blocks++
		report.Bytes += uint64(block.size)
		found.Endless += block.leaning
		return nil
	}
	if err := inOrder(ctx, c.options.Workers, int(m.Blocks), decode, take); err != nil {
		return err
	}
	if report.Blocks == m.Blocks {
		found.Bytes = report.Bytes
		total.fill(&found)
		report.compareTotals(found, m)
	}
	return nil
}

// compareTotals lists what the manifest says otherwise than the scores.
func (r *LayerReport) compareTotals(found, said Manifest) {
	for _, total := range []struct {
		name        string
		found, said any
	}{
		{"wins", found.Wins, said.Wins},
		{"draws", found.Draws, said.Draws},
		{"losses", found.Losses, said.Losses},
		{"sum of scores", found.ScoreSum, said.ScoreSum},
		{"positions leaning on rule 8", found.Endless, said.Endless},
		{"bytes", found.Bytes, said.Bytes},
		{"SHA-256", found.SHA256, said.SHA256},
	} {
		if total.found != total.said {
			r.add(FaultTotals, fmt.Errorf("%v: %s: the blocks give %v, the manifest says %v", r.Key, total.name, total.found, total.said))
		}
	}
	if !slices.Equal(found.Histogram, said.Histogram) {
		r.add(FaultTotals, fmt.Errorf("%v: the manifest's histogram is not that of the blocks", r.Key))
	}
}

// compare recomputes scores from those of the successors.
func (c *checker) compare(ctx context.Context, report *LayerReport, g game.Game) error {
	k := report.Key
	for beans := k.Beans - 2; beans >= 0; beans -= 2 {
		if c.source.layers[beans] == nil {
			report.add(FaultLower, fmt.Errorf("%v cannot be compared with its successors: %v: %w", k, KeyOf(g, beans), ErrNoLayer))
			return nil
		}
	}
	compared, err := solver.Check(ctx, solver.Review{
		Game: g, Index: c.db.indexes[k.Width](), Beans: k.Beans, Tables: c.source,
		Workers: c.options.Workers, Sample: c.options.Sample,
		Report: func(done, total uint64) { c.report(k, Comparing, done, total) },
	})
	report.Compared = compared
	var mismatch *solver.MismatchError
	switch {
	case errors.As(err, &mismatch):
		report.add(FaultScore, err)
	case ClassOf(err) == ClassBadData:
		report.add(FaultLower, fmt.Errorf("%v cannot be compared with its successors: %w", k, err))
	default:
		return err
	}
	return nil
}

// report tells the caller how far the check is.
func (c *checker) report(k Key, phase CheckPhase, done, total uint64) {
	if c.options.Report != nil {
		c.options.Report(CheckProgress{Key: k, Phase: phase, Done: done, Total: total})
	}
}
