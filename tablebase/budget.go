package tablebase

import (
	"fmt"
	"math"
	"runtime"

	"bohnenspiel/solver"
	"bohnenspiel/solver/memory"
)

// CheckBudget returns how a check keeps the process within so many bytes: what to set
// CheckOptions.Memory to, and the most that the Go heap may take, for
// [runtime/debug.SetMemoryLimit]. It returns ErrMemory when that is too little to check
// anything.
func (db *DB) CheckBudget(o CheckOptions, process uint64) (layers uint64, heapLimit int64, err error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	keys := o.Keys
	if keys == nil {
		keys = db.keys()
	}
	var heap, mapped uint64
	for _, k := range keys {
		_, tables := solver.Footprint(db.Index(k.Width), k.Beans, o.Workers)
		heap = max(heap, tables)
	}
	if !releasesPages {
		mapped = db.below(keys, func(m Manifest) uint64 { return m.Bytes })
	}
	heap += db.below(keys, func(m Manifest) uint64 { return uint64(m.tables()) * min(m.Positions, spillMemory) })
	heap += baseMemory - baseMapped + uint64(db.CacheBytes())
	need := heap + baseMapped + mapped
	if need > process {
		return 0, 0, fmt.Errorf("%w: checking takes at least %s, and %s are allowed", ErrMemory, mebibytes(need), mebibytes(process))
	}
	layers = process - need
	if !memory.OutsideHeap {
		heap += layers
	}
	return max(layers, 1), int64(min(heap, math.MaxInt64)), nil
}

// below sums up what each of some layers, and of all that they need, takes.
func (db *DB) below(keys []Key, takes func(Manifest) uint64) uint64 {
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
