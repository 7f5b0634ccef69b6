package build

import (
	"fmt"
	"math"
	"runtime"
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
	// SpilledFrom, if not 0, tells that layers of so many beans and more are kept in
	// files while they serve the layer in work, for want of memory: it takes longer
	// still, and disk.
	SpilledFrom int
	// Memory is the most bytes that the process may take, or a number that nothing
	// exceeds when that is not known.
	Memory uint64

	outside    uint64 // bytes of memory at the peak that are not on the heap
	firstLooks []bool // of each layer, whether there is memory to keep the first looks
}

// PlanScores returns what Build would do with these options in a database that has the
// layers which have reports as present; have may be nil when there are none. Beans
// beyond the board, and layers too large for any database, count as in Estimate.
func PlanScores(o Options, have func(format.Key) bool) Plan {
	o = o.withDefaults()
	beans := min(o.Beans, game.MaxBeans(o.Game.Width()))
	if beans < 0 {
		return Plan{Memory: o.Memory}
	}
	x := index.New(o.Game.Width(), beans)
	return choosePlan(o, beans, func(p *Plan) { p.addLayers(o, x, beans, have) })
}

// choosePlan returns the first plan that fits memory, if any does: with layers below
// bytewise, then packed, then in files. Add adds the layers to a plan that says which.
func choosePlan(o Options, beans int, add func(p *Plan)) Plan {
	p := Plan{Memory: o.Memory, SpilledFrom: o.spillFrom}
	add(&p)
	if p.Total().Memory > o.Memory {
		p = Plan{Memory: o.Memory, Packed: true}
		add(&p)
	}
	for from := beans - 1; from > 0 && p.Total().Memory > o.Memory; from-- {
		spilling := Plan{Memory: o.Memory, Packed: true, SpilledFrom: from}
		add(&spilling)
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

// addLayers adds the layers up to most that are to be built, given how those below them
// are kept.
func (p *Plan) addLayers(o Options, x *index.Index, most int, have func(format.Key) bool) {
	// Memory for cells and first looks is kept from one layer to the next.
	var cells, first, mapped float64
	for _, parity := range []format.Parity{format.Even, format.Odd} {
		if o.Parity != format.Both && o.Parity != parity {
			continue
		}
		for beans := int(parity); beans <= most; beans += 2 {
			leans := leans(o.Game, beans)
			positions := float64(min(x.Size(beans), index.MaxSize))
			bytes := disk(positions, beans, leans)
			if !store.ReleasesPages {
				mapped += bytes
			}
			key := format.KeyOf(o.Game, beans)
			if have != nil && have(key) {
				continue
			}
			use := layerNeed(o.Game, x, beans, o.Workers, p.form)
			cells = max(cells, use.cells)
			cost := Cost{Layers: 1, Positions: uint64(positions), Bytes: uint64(bytes), Time: duration(positions, o.Workers, leans)}
			if cost.Time >= o.CheckpointEvery {
				cost.Kept = 2 * whole(use.cells) // a new state is written before the old one goes
			}
			cost.Kept += whole(use.files)
			use.cells, use.mapped = cells, mapped
			first = max(first, firstLooks(o.Game, x, beans))
			use.first = first
			keeps := use.total() <= o.Memory
			if !keeps {
				use.first, first = 0, 0
			}
			p.firstLooks = append(p.firstLooks, keeps)
			cost.Memory = use.total()
			p.outside = max(p.outside, use.outside())
			p.Layers = append(p.Layers, LayerCost{Key: key, Cost: cost})
		}
	}
}

// withDefaults puts in what zero stands for.
func (o Options) withDefaults() Options {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Memory == 0 {
		o.Memory = held.MachineMemory() / 8 * 7
	}
	if o.CheckpointEvery == 0 {
		o.CheckpointEvery = DefaultCheckpointEvery
	}
	return o
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
