package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
)

// databases are what a server reads from, in the order in which they are asked. There
// is at least one.
type databases []*tablebase.DB

// holder returns the first database that has a layer, readable or not. If there is
// none, the first of all will say so.
func (dbs databases) holder(k format.Key) *tablebase.DB {
	for _, db := range dbs {
		if _, err := db.Manifest(k); !errors.Is(err, format.ErrNoLayer) {
			return db
		}
	}
	return dbs[0]
}

// answer looks up a position, and its depths as far as they take a look at no more
// than limit positions.
func (dbs databases) answer(ctx context.Context, rules game.Rules, d game.Diagram, limit int) (tablebase.Answer, error) {
	key := format.Key{Rules: rules, Width: d.Width, Beans: d.Position().Beans()}
	a, err := dbs.holder(key).Answer(ctx, rules, d, uint64(limit))
	return a, dbs.explain(err, key)
}

// line returns best play from a position. It looks at no more than limit positions.
func (dbs databases) line(ctx context.Context, rules game.Rules, d game.Diagram, limit int) (tablebase.Line, error) {
	key := format.Key{Rules: rules, Width: d.Width, Beans: d.Position().Beans()}
	line, err := dbs.holder(key).Line(ctx, rules, d, tablebase.LineOptions{Limit: uint64(limit)})
	return line, dbs.explain(err, key)
}

// manifest describes a layer.
func (dbs databases) manifest(k format.Key) (format.Manifest, error) {
	m, err := dbs.holder(k).Manifest(k)
	return m, dbs.explain(err, k)
}

// statistics returns the numbers of a layer. Facts take too long for a server.
func (dbs databases) statistics(m format.Manifest) (tablebase.Statistics, error) {
	return dbs.holder(m.Key()).Statistics(m)
}

// manifests describes all layers of a game that can be read, the smaller first; each
// once, as the first database has it.
func (dbs databases) manifests(rules game.Rules, width int) []format.Manifest {
	found := map[int]format.Manifest{}
	most := 0
	for _, db := range dbs {
		for _, m := range db.Layers() {
			if _, known := found[m.Beans]; !known && m.Rules == rules && m.Width == width {
				found[m.Beans] = m
				most = max(most, m.Beans)
			}
		}
	}
	list := make([]format.Manifest, 0, len(found))
	for beans := range most + 1 {
		if m, ok := found[beans]; ok {
			list = append(list, m)
		}
	}
	return list
}

// beansOf lists the beans of layers, such as "0, 2, 4".
func beansOf(layers []format.Manifest) string {
	words := make([]string, len(layers))
	for i, m := range layers {
		words[i] = fmt.Sprint(m.Beans)
	}
	return strings.Join(words, ", ")
}

// missingError is an error about a layer that no database has.
type missingError struct {
	err  error // wraps tablebase.ErrNoLayer
	hint string
}

// Error returns the text of the error beneath.
func (e *missingError) Error() string { return e.err.Error() }

// Unwrap returns the error beneath.
func (e *missingError) Unwrap() error { return e.err }

// explain adds to an error about a missing layer which layers there are.
func (dbs databases) explain(err error, k format.Key) error {
	if !errors.Is(err, format.ErrNoLayer) {
		return err
	}
	have := cmp.Or(beansOf(dbs.manifests(k.Rules, k.Width)), "none")
	hint := fmt.Sprintf("layers of %v 2×%d that are here: %s; ask about a position with so many beans on the board", k.Rules, k.Width, have)
	if index.New(k.Width, k.Beans).Size(k.Beans) <= index.MaxSize {
		hint += fmt.Sprintf(", or have the tables extended by bohnenspiel build --rules %v --width %d --beans %d", k.Rules, k.Width, k.Beans)
		if k.Beans%2 == 1 {
			hint += " --parity odd"
		}
	}
	return &missingError{err, hint}
}
