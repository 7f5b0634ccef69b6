package build

import (
	"fmt"
	"math"
	"slices"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/memory"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/store"
)

// Plan is what a build would do, and what that takes.
type Plan struct {
	// Layers are those that are missing, in the order in which they are built.
	Layers []LayerCost
	// Packed tells that the layers below the one in work are kept two scores to a
	// byte where they can be, for want of memory: it takes a little longer.
	Packed bool
	// SpilledFrom, if not 0, tells that layers of this many beans and more are kept in
	// files while they serve the layer in work, for want of memory: it takes longer
	// still, and disk.
	SpilledFrom int
	// Memory is the most bytes that the process may take, or a number that nothing
	// exceeds when that is not known.
	Memory uint64

	outside uint64 // bytes of memory at the peak that are not on the heap
}

// PlanScores returns what Scores would do with these options in a database that has the
// layers which have reports as present; have may be nil when there are none. Beans
// beyond the board, and layers too large for any database, count as in Estimate.
func PlanScores(o Options, have func(format.Key) bool) Plan { return choosePlan(o, have, scoreModel) }

// PlanDepths returns what Depths would do with these options in a database that has
// all scores, and the depth tables that have reports as present; have may be nil when
// there are none.
func PlanDepths(o Options, have func(format.Key) bool) Plan { return choosePlan(o, have, depthModel) }

// choosePlan returns the first plan that fits memory, if any does: with layers below
// bytewise, then packed, then in files.
func choosePlan(o Options, have func(format.Key) bool, modelOf func(Options, *index.Index) model) Plan {
	o = o.withDefaults()
	beans := min(o.Beans, game.MaxBeans(o.Game.Width()))
	if beans < 0 {
		return Plan{Memory: o.Memory}
	}
	m := modelOf(o, index.New(o.Game.Width(), beans))
	p := Plan{Memory: o.Memory, SpilledFrom: o.spillFrom}
	p.add(o, m, beans, have)
	if p.Total().Memory > o.Memory {
		p = Plan{Memory: o.Memory, Packed: true}
		p.add(o, m, beans, have)
	}
	for from := beans - 1; from > 0 && p.Total().Memory > o.Memory; from-- {
		spilling := Plan{Memory: o.Memory, Packed: true, SpilledFrom: from}
		spilling.add(o, m, beans, have)
		if spilling.Total().Memory < p.Total().Memory {
			p = spilling
		}
	}
	return p
}

// form returns how a layer below the one in work is kept.
func (p *Plan) form(beans int) held.Form {
	switch {
	case p.SpilledFrom > 0 && beans >= p.SpilledFrom:
		return held.Spilled
	case p.Packed:
		return held.Packed
	}
	return held.Bytewise
}

// add adds the tables up to a layer that are to be built, given how layers below are kept.
func (p *Plan) add(o Options, m model, most int, have func(format.Key) bool) {
	// Memory for cells and first looks is kept from one layer to the next.
	var cells, first, mapped float64
	for _, parity := range []format.Parity{format.Even, format.Odd} {
		if o.Parity != format.Both && o.Parity != parity {
			continue
		}
		for beans := int(parity); beans <= most; beans += 2 {
			positions := float64(min(m.index.Size(beans), index.MaxSize))
			bytes := m.disk(positions, beans)
			if !store.ReleasesPages {
				mapped += bytes + m.read(positions, beans)
			}
			key := format.KeyOf(o.Game, beans)
			if have != nil && have(key) {
				continue
			}
			use := m.memory(beans, p.form)
			cells = max(cells, use.cells)
			cost := Cost{Layers: 1, Positions: uint64(positions), Bytes: whole(bytes), Time: m.time(positions, beans)}
			if m.keepsState && cost.Time >= o.CheckpointEvery {
				cost.Kept = 2 * whole(use.cells) // a new state is written before the old one goes
			}
			cost.Kept += whole(use.files)
			use.cells, use.mapped = cells, mapped
			first = max(first, m.firstLooks(beans))
			use.first = first
			keeps := use.total() <= o.Memory
			if !keeps {
				use.first, first = 0, 0
			}
			cost.Memory = use.total()
			p.outside = max(p.outside, use.outside())
			p.Layers = append(p.Layers, LayerCost{Key: key, DTC: m.dtc, Cost: cost, firstLooks: keeps})
		}
	}
}

// Total returns what all layers together take.
func (p Plan) Total() Cost {
	var total Cost
	for _, layer := range p.Layers {
		total.Layers++
		total.Positions += layer.Positions
		total.Bytes += layer.Bytes
		total.Kept = max(total.Kept, layer.Kept)
		total.Memory = max(total.Memory, layer.Memory)
		total.Time += layer.Time
	}
	if total.Layers > 0 {
		total.Bytes += databaseBytes
		total.Time += baseTime
	}
	return total
}

// Join returns a plan to do first what p says and then what the other one does, to be
// shown and checked.
func (p Plan) Join(other Plan) Plan {
	p.Layers = append(slices.Clip(p.Layers), other.Layers...)
	p.outside = max(p.outside, other.outside)
	return p
}

// CheckMemory returns an error that wraps ErrMemory unless the process may take what
// the plan needs.
func (p Plan) CheckMemory() error {
	need := p.Total().Memory
	if need <= p.Memory {
		return nil
	}
	return fmt.Errorf("%w: building up to %v takes %s, and %s are allowed; allow more, or build fewer beans",
		held.ErrMemory, p.largest(), store.MiB(need), store.MiB(p.Memory))
}

// CheckDisk returns an error that wraps ErrStorage unless the disk of a directory, which
// need not be there yet, has room for all that the plan stores. Where the free space
// can't be told, it returns nil.
func (p Plan) CheckDisk(dir string) error {
	free, known := store.FreeDisk(dir)
	if !known || len(p.Layers) == 0 {
		return nil
	}
	total := p.Total()
	return store.RoomFor(fmt.Sprintf("building up to %v", p.largest()), total.Bytes+total.Kept, free, dir)
}

// largest returns the layer with the most positions.
func (p Plan) largest() format.Key {
	largest := p.Layers[0]
	for _, layer := range p.Layers {
		if layer.Positions >= largest.Positions {
			largest = layer
		}
	}
	return largest.Key
}

// HeapLimit returns the most bytes that the Go heap may take so that the process stays
// within Memory. It is what [runtime/debug.SetMemoryLimit] takes.
func (p Plan) HeapLimit() int64 {
	limit := p.Memory
	if memory.OutsideHeap {
		limit -= min(p.outside, limit)
	}
	return int64(min(limit, math.MaxInt64))
}

// Estimate returns what building the layers of a game up to beans will take,
// except those that have reports as present; have may be nil when there are none.
// More beans than the board has count as all. A layer too large for any database
// counts as one of 2^40 positions. Workers 0 means one a processor.
func Estimate(g game.Game, beans int, parity format.Parity, workers int, have func(format.Key) bool) Cost {
	return PlanScores(Options{Game: g, Beans: beans, Parity: parity, Workers: workers}, have).Total()
}
