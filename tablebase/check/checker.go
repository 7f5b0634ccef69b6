package check

import (
	"context"

	"bohnenspiel/solver/memory"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/fault"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/store"
)

// checker is a run of Check.
type checker struct {
	db      *tablebase.DB
	options Options
	layers  *held.Layers // sound layers of the game in work; nil before the first
	scratch memory.Block
}

// free gives all memory and files back.
func (c *checker) free() {
	c.scratch.Free()
	if c.layers != nil {
		c.layers.Free()
	}
}

// below brings the layers below one to hand that are sound and not there yet.
func (c *checker) below(ctx context.Context, m format.Manifest, layers *held.Layers) error {
	for lower := m.Beans % 2; lower < m.Beans; lower += 2 {
		if layers.Layers[lower] != nil {
			continue
		}
		about, err := c.db.Manifest(format.KeyOf(layers.Game, lower))
		if err != nil {
			return nil //nolint:nilerr // what is missing is reported when it is needed
		}
		as, fits := c.form(about, layers)
		if !fits {
			return nil
		}
		if err := c.loader(layers).Load(ctx, about, as); fault.ClassOf(err) == fault.BadData {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// form returns how a layer can be kept, if it can and all below it are.
func (c *checker) form(m format.Manifest, layers *held.Layers) (as held.Form, fits bool) {
	for beans := m.Beans - 2; beans >= 0; beans -= 2 {
		if layers.Layers[beans] == nil {
			return 0, false
		}
	}
	taken, _ := layers.Size()
	tables := uint64(m.Tables())
	if taken+tables*m.Positions <= c.options.Memory {
		return held.Bytewise, true
	}
	taken += uint64(held.LargestRectangle(c.db.Index(m.Width), m.Beans)) // on the way
	if taken+tables*held.TableBytes(m.Beans, m.Positions, held.Packed) <= c.options.Memory && tables == 1 {
		return held.Packed, true
	}
	free, known := c.db.FreeDisk()
	if taken > c.options.Memory || !known || free < tables*m.Positions+store.SpareBytes {
		return 0, false
	}
	return held.Spilled, held.CanSpill(c.db.Dir())
}

// loader returns what brings layers to hand.
func (c *checker) loader(layers *held.Layers) *held.Loader {
	return &held.Loader{
		From: c.db, Index: c.db.Index(layers.Game.Width()), Workers: c.options.Workers, Lower: layers, Scratch: &c.scratch,
	}
}

// report tells the caller how far the check is.
func (c *checker) report(k format.Key, phase Phase, done, total uint64) {
	c.db.Values().Trim()
	if c.options.Report != nil {
		c.options.Report(Progress{Key: k, Phase: phase, Done: done, Total: total})
	}
}
