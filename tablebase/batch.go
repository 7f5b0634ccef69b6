package tablebase

import (
	"cmp"
	"slices"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
)

// ProbeAll looks up many positions of one game, and sets values, which has the same
// length, to what Probe returns for each. It goes through them in the order of their
// blocks, so that each block is read once even where the cache holds few. At the first
// error it stops; values are then not to be used. Errors are those of Probe.
func (db *DB) ProbeAll(g game.Game, positions []game.Position, values []Value) error {
	type place struct {
		beans, block, number int // the last is the place among positions
	}
	pr := prober{db: db, game: g}
	places := make([]place, len(positions))
	for i, p := range positions {
		beans, err := CountBeans(g.Width(), p)
		if err != nil {
			return err
		}
		if g.Over(p) {
			places[i].number = i // in no layer
			continue
		}
		l, err := pr.layer(beans)
		if err != nil {
			return err
		}
		block, _ := l.tables[solver.Scores].blocking.Locate(p)
		places[i] = place{beans, block, i}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.beans, b.beans), cmp.Compare(a.block, b.block), cmp.Compare(a.number, b.number))
	})
	for _, at := range places {
		value, err := pr.value(positions[at.number])
		if err != nil {
			return err
		}
		values[at.number] = value
	}
	return nil
}
