package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/format"
)

// BuildDepths builds the depth tables that are missing, with progress on standard error.
// If ctx ends first, the error says which are kept.
func buildDepths(ctx context.Context, c console, o *options, db *tablebase.DB, b build.Options, s survey) ([]format.DepthManifest, error) {
	if cost := s.depths.Total(); cost.Layers > 0 && !o.quiet {
		c.note("building DTC of %s: %s, %s", layerList(beansOf(s.depths)), things(cost.Positions, "position"), costs(cost))
	}
	progress := newBuildProgress(c, o.quiet, db, b.Game)
	b.Workers, b.Report = o.workers, progress.report
	built, err := build.Depths(ctx, db, b)
	progress.endDepths(built)
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
	beans := make([]int, len(p.Layers))
	for i, layer := range p.Layers {
		beans[i] = layer.Key.Beans
	}
	return beans
}

// dtcSummary adds a line about depth tables to what a build says that it has done. What
// has nothing to say goes where the other has.
func dtcSummary(text []byte, g game.Game, dir string, built []format.DepthManifest, took time.Duration) []byte {
	if len(built) == 0 {
		return text
	}
	var positions, stored uint64
	beans := make([]int, len(built))
	for i, m := range built {
		beans[i] = m.Beans
		positions += m.Positions
		stored += m.Bytes
	}
	if string(text) == nothingToBuild {
		text = nil
	}
	return fmt.Appendf(text, "built DTC of %s of %v 2×%d in %s: %s, %s, %s\n",
		layerList(beans), g.Rules(), g.Width(), dir, things(positions, "position"), size(stored), span(took))
}

// builtLines returns as JSON the statistics of the layers of which anything was built.
func builtLines(db *tablebase.DB, layers []format.Manifest, depths []format.DepthManifest) ([]byte, error) {
	var keys []format.Key
	for _, m := range layers {
		keys = append(keys, m.Key())
	}
	for _, m := range depths {
		if !slices.Contains(keys, m.Key()) {
			keys = append(keys, m.Key())
		}
	}
	all := make([]tablebase.Statistics, len(keys))
	for i, k := range keys {
		m, err := db.Manifest(k)
		if err != nil {
			return nil, err
		}
		all[i] = tablebase.StatisticsOf(m)
		if d, err := db.DepthManifest(k); err == nil {
			all[i].Depths = tablebase.DepthStatisticsOf(d)
		}
	}
	return statisticsLines(all)
}
