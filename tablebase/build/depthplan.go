package build

import (
	"math"
	"time"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/store"
)

const (
	// depthsPerSecond is how many DTCs a worker finds and stores, on the side of caution.
	depthsPerSecond = 1_200_000
	// depthBits is what a DTC takes on the disk, likewise. It hardly depends on the beans.
	depthBits = 2.5
)

// PlanDepths returns what Depths would do with these options in a database that has
// all scores, and the depth tables that have reports as present; have may be nil when
// there are none.
func PlanDepths(o Options, have func(format.Key) bool) Plan {
	o = o.withDefaults()
	beans := min(o.Beans, game.MaxBeans(o.Game.Width()))
	if beans < 0 {
		return Plan{Memory: o.Memory}
	}
	x := index.New(o.Game.Width(), beans)
	return choosePlan(o, beans, func(p *Plan) { p.addDepths(o, x, beans, have) })
}

// addDepths adds the layers up to most whose depths are to be built, given how layers
// are kept.
func (p *Plan) addDepths(o Options, x *index.Index, most int, have func(format.Key) bool) {
	var cells, mapped float64 // memory for cells is kept from one layer to the next
	for _, parity := range []format.Parity{format.Even, format.Odd} {
		if o.Parity != format.Both && o.Parity != parity {
			continue
		}
		for beans := int(parity); beans <= most; beans += 2 {
			positions := float64(min(x.Size(beans), index.MaxSize))
			bytes := float64(2*format.BlockHeaderSize*(beans+1)) + positions*depthBits/8
			if !store.ReleasesPages {
				mapped += bytes + disk(positions, beans, leans(o.Game, beans))
			}
			key := format.KeyOf(o.Game, beans)
			if have != nil && have(key) {
				continue
			}
			use := depthNeed(o.Game, x, beans, o.Workers, p.form)
			cells = max(cells, use.cells)
			took := min(positions/depthsPerSecond/float64(o.Workers)*float64(time.Second), math.MaxInt64/2)
			cost := Cost{Layers: 1, Positions: uint64(positions), Bytes: whole(bytes), Kept: whole(use.files), Time: time.Duration(took)}
			use.cells, use.mapped = cells, mapped
			cost.Memory = use.total()
			p.outside = max(p.outside, use.outside())
			p.Layers = append(p.Layers, LayerCost{Key: key, DTC: true, Cost: cost})
		}
	}
}

// depthNeed returns what is taken while the depths of one layer are built, but for
// mapped. The layers below it have the forms that as returns, and its own scores that of
// ownForm.
func depthNeed(g game.Game, x *index.Index, beans, workers int, as func(beans int) held.Form) need {
	if x.Size(beans) > index.MaxSize {
		return need{cells: math.MaxInt64}
	}
	cells, heap := solver.DepthFootprint(x, beans, workers)
	use := need{cells: float64(cells), heap: float64(heap)}
	use.addLower(x, beans, leans(g, beans), as)
	own := ownForm(as(beans))
	if leans(g, beans) {
		own = held.Bytewise
		use.lower += 2 * float64(held.FlatBytes(beans, x.Size(beans), own))
	}
	use.lower += float64(held.FlatBytes(beans, x.Size(beans), own))
	const depthBlocks = 4 * 5 * format.BlockPositions // DTCs and the value of each block of a worker
	use.heap += float64(workers)*depthBlocks + format.DepthSummaryBytes
	return use
}

// ownForm returns how the scores of a layer are kept while its depths are built, where
// it is to be kept in another form for those above. They are read in an order for which
// files are too slow.
func ownForm(as held.Form) held.Form {
	if as == held.Spilled {
		return held.Packed
	}
	return as
}
