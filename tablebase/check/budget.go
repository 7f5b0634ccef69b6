package check

import (
	"fmt"
	"math"

	"bohnenspiel/solver"
	"bohnenspiel/solver/memory"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/store"
)

// Budget returns how a check keeps the process within this many bytes: what to set
// Options.Memory to, and the most that the Go heap may take, for
// [runtime/debug.SetMemoryLimit]. It returns ErrMemory when that is too little to check
// anything.
func Budget(db *tablebase.DB, o Options, process uint64) (layers uint64, heapLimit int64, err error) {
	o.Workers = solver.Workers(o.Workers)
	keys := o.Keys
	if keys == nil {
		keys = db.Keys()
	}
	var heap, mapped uint64
	for _, k := range keys {
		_, tables := solver.Footprint(db.Index(k.Width), k.Beans, o.Workers)
		heap = max(heap, tables)
	}
	if !store.ReleasesPages {
		mapped = below(db, keys, func(m format.Manifest) uint64 { return m.Bytes })
	}
	heap += below(db, keys, func(m format.Manifest) uint64 { return uint64(m.Tables()) * min(m.Positions, held.SpillMemory) })
	heap += held.BaseMemory - held.BaseMapped + uint64(db.CacheBytes())
	need := heap + held.BaseMapped + mapped
	if need > process {
		return 0, 0, fmt.Errorf("%w: checking takes at least %s, and %s are allowed", held.ErrMemory, store.MiB(need), store.MiB(process))
	}
	layers = process - need
	if !memory.OutsideHeap {
		heap += layers
	}
	return max(layers, 1), int64(min(heap, math.MaxInt64)), nil
}

// below sums up what each of some layers, and of all that they need, takes.
func below(db *tablebase.DB, keys []format.Key, takes func(format.Manifest) uint64) uint64 {
	sum := uint64(0)
	for _, m := range db.Layers() {
		for _, k := range keys {
			if k.Rules == m.Rules && k.Width == m.Width && k.Beans >= m.Beans && (k.Beans-m.Beans)%2 == 0 {
				sum += takes(m)
				break
			}
		}
	}
	return sum
}
