package session

import (
	"context"
	"errors"
	"fmt"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/format"
)

// BuildLayers builds what is missing, with progress on standard error. If ctx ends
// first, the error says which layers are kept.
func BuildLayers(ctx context.Context, c console.Console, o *Options, db *tablebase.DB, b build.Options) ([]console.Table, error) {
	progress := console.NewBuild(c, o.Quiet, db, b.Game)
	b.Workers, b.Report = o.Workers, progress.Report
	manifests, err := build.Scores(ctx, db, b)
	built := words.Mapped(manifests, console.Scores)
	progress.End(built)
	if err == nil || ctx.Err() == nil {
		return built, err
	}
	present, _, err := Layers(db, b.Game, b.Beans, b.Parity)
	if err != nil {
		return built, err
	}
	if len(present) == 0 {
		return built, errors.New("stopped before a layer was finished; nothing is kept")
	}
	return built, fmt.Errorf("stopped; %s kept in %s, and the same command goes on from there", words.LayersAre(present), db.Dir())
}

// BuildDepths builds the depth tables that are missing, as BuildLayers does layers.
func BuildDepths(ctx context.Context, c console.Console, o *Options, db *tablebase.DB, b build.Options) ([]console.Table, error) {
	progress := console.NewBuild(c, o.Quiet, db, b.Game)
	b.Workers, b.Report = o.Workers, progress.Report
	manifests, err := build.Depths(ctx, db, b)
	built := words.Mapped(manifests, console.Depths)
	progress.End(built)
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
	return built, fmt.Errorf("stopped; all layers and DTC of %s are kept in %s, and the same command goes on from there", words.LayerList(present), db.Dir())
}
