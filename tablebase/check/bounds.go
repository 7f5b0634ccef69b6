package check

import (
	"context"
	"errors"
	"fmt"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase/fault"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/proof"
)

// add lists a fault of the bounds with a key.
func (r *BoundsReport) add(key []byte, err error) {
	r.Faults = append(r.Faults, BoundsFault{key, err})
}

// bounds checks the kept bounds of positions of a layer, or of all: that they are what was
// written, and from Whole on that they don't contradict the tables or each other.
func (c *checker) bounds(ctx context.Context, report *BoundsReport, prefix []byte) error {
	keys, err := c.db.Values().Keys(prefix, 0)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if err := ctx.Err(); err != nil {
			return err
		}
		g, p, ok := proof.ParseBoundsKey(key)
		if !ok {
			report.add(key, fmt.Errorf("%w: bounds of what is no position; check --repair deletes them", format.ErrCorrupt))
			continue
		}
		kept, current, err := proof.BoundsOf(c.db, g, p)
		switch {
		case fault.ClassOf(err) == fault.BadData:
			report.add(key, err)
			continue
		case err != nil:
			return err
		}
		if current && (c.options.Level == Whole || c.options.Level == Recompute) {
			compared, err := c.compareBounds(g, p, kept.Bounds)
			switch {
			case errors.Is(err, errContradicted):
				report.add(key, err)
				continue
			case err != nil:
				return err
			case compared:
				report.Compared++
			}
		}
		report.Kept++
		if !current {
			report.Others++
		}
	}
	return nil
}

// errContradicted is the error for bounds that cannot be right.
var errContradicted = errors.New("the bounds are contradicted")

// compareBounds compares bounds with the score in the tables; or, where these don't have
// it, with what is known of the positions one move later. It reports whether there was
// anything to compare with.
func (c *checker) compareBounds(g game.Game, p game.Position, b search.Bounds) (compared bool, err error) {
	beans := p.Beans()
	known, found, err := c.tabled(g, p)
	if err != nil {
		return false, err
	}
	if !found {
		known = search.Trivial(beans)
		known.High = known.Low
		for _, m := range g.Successors(nil, p) {
			after, has, err := c.known(g, m.Next)
			if err != nil {
				return false, err
			}
			found = found || has
			known.Low = max(known.Low, game.Score(m.Captured)-after.High)
			known.High = max(known.High, game.Score(m.Captured)-after.Low)
		}
	}
	if b.Low > known.High || b.High < known.Low {
		return true, fmt.Errorf("%w: from %d to %d are kept for %v of %v, and the tables give %d to %d",
			errContradicted, b.Low, b.High, append(p.Mover.Pits(g.Width()), p.Opponent.Pits(g.Width())...),
			format.KeyOf(g, beans), known.Low, known.High)
	}
	return found, nil
}

// known returns the bounds of a score without a search: those of the tables, those that are
// kept, or else, and then it has not found any, those of the number of beans. Damaged ones
// count as none, as they are faults of their own.
func (c *checker) known(g game.Game, p game.Position) (b search.Bounds, found bool, err error) {
	if b, found, err = c.tabled(g, p); found || err != nil {
		return b, found, err
	}
	kept, current, err := proof.BoundsOf(c.db, g, p)
	switch {
	case fault.ClassOf(err) == fault.BadData, err == nil && !current:
		return search.Trivial(p.Beans()), false, nil
	case err != nil:
		return search.Bounds{}, false, err
	}
	return kept.Bounds, true, nil
}

// tabled returns the score that the rules or the tables give, if they do.
func (c *checker) tabled(g game.Game, p game.Position) (b search.Bounds, found bool, err error) {
	value, err := c.db.Probe(g, p)
	switch {
	case err == nil:
		return search.Bounds{Low: value.Score, High: value.Score}, true, nil
	case errors.Is(err, format.ErrNoLayer), errors.Is(err, format.ErrTooManyBeans), fault.ClassOf(err) == fault.BadData:
		return search.Bounds{}, false, nil
	}
	return search.Bounds{}, false, err
}
