package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
)

// Open opens the database for reading.
func (o *options) open(c console, t tablebase.Options) (*tablebase.DB, error) {
	dir, err := c.directory(o)
	if err != nil {
		return nil, err
	}
	return database.Open(dir, t)
}

// storedLayer returns the manifest of a layer. If there is none, the error says how
// to build it.
func storedLayer(db *tablebase.DB, o *options, g game.Game, beans int) (format.Manifest, error) {
	key := format.KeyOf(g, beans)
	m, err := db.Manifest(key)
	if errors.Is(err, format.ErrNoLayer) {
		return m, missingLayer(o, g, key, db, db.Dir())
	}
	return m, err
}

// missingLayer is the error for a layer that db, which may be nil, does not have. It
// says how to build it and what that takes.
func missingLayer(o *options, g game.Game, key format.Key, db *tablebase.DB, dir string) error {
	if db != nil && db.Archived() {
		return fmt.Errorf("%v: %w in %s, which is an exported file; name a larger one or a database", key, format.ErrNoLayer, dir)
	}
	cost := build.Estimate(g, key.Beans, parityOf(key.Beans), o.workers, hasLayer(db))
	return fmt.Errorf("%v: %w in %s; run %s (%s)", key, format.ErrNoLayer, dir, buildCommand(o, g, key.Beans), costs(cost))
}

// Layers sorts the layers of a game up to beans by whether db has them. A nil db
// has none.
func layers(db *tablebase.DB, g game.Game, beans int, parity format.Parity) (present, missing []int, err error) {
	for n := range beans + 1 {
		if !parity.Has(n) {
			continue
		}
		err := format.ErrNoLayer
		if db != nil {
			_, err = db.Manifest(format.KeyOf(g, n))
		}
		switch {
		case err == nil:
			present = append(present, n)
		case errors.Is(err, format.ErrNoLayer):
			missing = append(missing, n)
		default:
			return nil, nil, err
		}
	}
	return present, missing, nil
}

// buildLayers builds what is missing, with progress on standard error. If ctx ends
// first, the error says which layers are kept.
func buildLayers(ctx context.Context, c console, o *options, db *tablebase.DB, b build.Options) ([]format.Manifest, error) {
	progress := newBuildProgress(c, o.quiet, db, b.Game)
	b.Workers = o.workers
	b.Report = progress.report
	built, err := build.Scores(ctx, db, b)
	progress.end(built)
	if err == nil || ctx.Err() == nil {
		return built, err
	}
	present, _, err := layers(db, b.Game, b.Beans, b.Parity)
	if err != nil {
		return built, err
	}
	if len(present) == 0 {
		return built, fmt.Errorf("stopped before a layer was finished; nothing is kept")
	}
	return built, fmt.Errorf("stopped; %s kept in %s, and the same command goes on from there", layersAre(present), db.Dir())
}

// checkBeans reports why a layer can't be of a board, or can't be numbered.
func checkBeans(g game.Game, beans int) error {
	most := game.MaxBeans(g.Width())
	if beans < 0 || beans > most {
		return usagef("--beans %d: a 2×%d board has 0 to %d beans", beans, g.Width(), most)
	}
	x := index.New(g.Width(), most)
	fits := func(beans int) bool { return x.Size(beans) <= index.MaxSize && x.HasRowMoves(beans) }
	if fits(beans) {
		return nil
	}
	for most = beans - 1; !fits(most); {
		most--
	}
	return usagef("--beans %d: the layer has too many positions; the largest possible on a 2×%d board is layer %d, with %s",
		beans, g.Width(), most, things(x.Size(most), "position"))
}

// buildCommand returns the command line that builds the layers up to beans, as one
// could type it.
func buildCommand(o *options, g game.Game, beans int) string {
	words := []string{"bohnenspiel build"}
	if o.db != "" {
		words = append(words, "--db "+quote(o.db))
	}
	if g.Rules() != game.Bohnenspiel {
		words = append(words, "--rules "+g.Rules().String())
	}
	if g.Width() != game.StandardWidth {
		words = append(words, fmt.Sprintf("--width %d", g.Width()))
	}
	if parity := parityOf(beans); parity != format.Even {
		words = append(words, "--parity "+parity.String())
	}
	return strings.Join(append(words, fmt.Sprintf("--beans %d", beans)), " ")
}

// quote makes a word of the shell.
func quote(word string) string {
	if !strings.ContainsAny(word, " \t\n'\"\\$`&|;<>()*?[]#~!{}") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func parityOf(beans int) format.Parity {
	if beans%2 == 1 {
		return format.Odd
	}
	return format.Even
}

// costs says in words what a build takes.
func costs(cost build.Cost) string {
	meanwhile := ""
	if cost.Kept > 0 {
		meanwhile = fmt.Sprintf(" (%s more meanwhile)", size(cost.Kept))
	}
	return fmt.Sprintf("about %s, %s of disk%s and %s of memory", span(cost.Time), size(cost.Bytes), meanwhile, size(cost.Memory))
}

// layersAre names some layers as the subject of a sentence, such as
// "layers 0, 2, …, 16 are".
func layersAre(beans []int) string {
	if len(beans) == 1 {
		return layerList(beans) + " is"
	}
	return layerList(beans) + " are"
}

// layerList names some layers, given in ascending order. Long series with equal
// steps are cut short.
func layerList(beans []int) string {
	words := make([]string, len(beans))
	equal := len(beans) > 4
	for i, n := range beans {
		words[i] = fmt.Sprint(n)
		equal = equal && (i < 2 || n-beans[i-1] == beans[1]-beans[0])
	}
	if equal {
		words = []string{words[0], words[1], "…", words[len(words)-1]}
	}
	noun := "layers "
	if len(beans) == 1 {
		noun = "layer "
	}
	return noun + strings.Join(words, ", ")
}

// hasLayer returns a function that reports whether a database has a layer. A nil
// database has none.
func hasLayer(db *tablebase.DB) func(format.Key) bool {
	return func(k format.Key) bool {
		if db == nil {
			return false
		}
		_, err := db.Manifest(k)
		return err == nil
	}
}

// closeDatabase closes db. Its error counts if there is no other.
func closeDatabase(db *tablebase.DB, err *error) {
	if closeErr := db.Close(); *err == nil {
		*err = closeErr
	}
}
