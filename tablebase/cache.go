package tablebase

import (
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
)

// cache keeps decoded blocks of many tables within a budget. It is safe for concurrent use.
//
// Each table has a slot for each of its blocks, so finding a block that is there takes one
// atomic load and no lock. What leaves the cache stays valid for whoever still has it; its
// memory goes back when nobody does. Blocks leave by the clock algorithm (Corbató, A Paging
// Experiment with the Multics System, 1968): a hand goes round all blocks, spares those used
// since it last came by, and takes the first other. Being read from the disk is no use:
// blocks that are needed once leave before those needed again.
type cache struct {
	budget int64 // bytes of decoded blocks; at least one block is kept

	// loading keeps two goroutines from decoding the same block at once. A block
	// has one of these locks, which it shares with others.
	loading [64]sync.Mutex

	mu    sync.Mutex // guards what follows
	ring  []*cached
	hand  int
	bytes int64 // of the blocks in the ring
}

// newCache returns an empty cache.
func newCache(budget int64) *cache { return &cache{budget: budget} }

// cached is what the cache knows of a block.
type cached struct {
	used  atomic.Bool // since the hand last came by
	bytes int64
	evict func() // empties the block's slot
}

// add takes account of a new block and makes room for it.
func (c *cache) add(b *cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.ring) > 0 && c.bytes+b.bytes > c.budget {
		if c.hand == len(c.ring) {
			c.hand = 0
		}
		old := c.ring[c.hand]
		if old.used.Swap(false) {
			c.hand++
			continue
		}
		old.evict()
		c.bytes -= old.bytes
		c.ring = slices.Delete(c.ring, c.hand, c.hand+1)
	}
	// Behind the hand, which so comes to the new block last.
	if c.hand == 0 {
		c.ring = append(c.ring, b)
	} else {
		c.ring = slices.Insert(c.ring, c.hand, b)
		c.hand++
	}
	c.bytes += b.bytes
}

// table is the decoded blocks of one table of a layer, as far as a cache holds them: of
// scores, or of DTCs.
type table[V game.Score | game.DTC] struct {
	cache    *cache
	decode   func(id format.BlockID, values []V) (format.Stamp, error)
	key      format.Key
	kind     solver.Kind
	blocking *format.Blocking
	slots    []atomic.Pointer[cachedBlock[V]] // one a block
}

// cachedBlock is a block in the cache, or one that has left it.
type cachedBlock[V any] struct {
	cached
	values []V
}

// newTable returns a table with no block in the cache, which gets its blocks from decode. It
// takes 8 bytes a block.
func newTable[V game.Score | game.DTC](c *cache, key format.Key, kind solver.Kind, b *format.Blocking, decode func(format.BlockID, []V) (format.Stamp, error)) *table[V] {
	return &table[V]{cache: c, decode: decode, key: key, kind: kind, blocking: b, slots: make([]atomic.Pointer[cachedBlock[V]], b.Blocks())}
}

// at returns what the table holds for a position of the layer.
func (t *table[V]) at(p game.Position) (V, error) {
	number, at := t.blocking.Locate(p)
	values, err := t.block(number)
	if err != nil {
		return 0, err
	}
	return values[at], nil
}

// block returns what a block holds, which must not be changed.
func (t *table[V]) block(number int) ([]V, error) {
	if b := t.slots[number].Load(); b != nil {
		if !b.used.Load() { // a store by every reader would slow all of them
			b.used.Store(true)
		}
		return b.values, nil
	}
	return t.load(number)
}

// load decodes a block and puts it into the cache.
func (t *table[V]) load(number int) ([]V, error) {
	lock := &t.cache.loading[(number+31*t.key.Beans+7*int(t.kind))%len(t.cache.loading)]
	lock.Lock()
	defer lock.Unlock()
	slot := &t.slots[number]
	if b := slot.Load(); b != nil {
		return b.values, nil // another goroutine was faster
	}
	id := t.blocking.ID(t.key, t.kind, number)
	b := &cachedBlock[V]{values: make([]V, id.Positions)}
	if _, err := t.decode(id, b.values); err != nil {
		return nil, err
	}
	b.bytes = int64(len(b.values)) * int64(unsafe.Sizeof(b.values[0]))
	b.evict = func() { slot.CompareAndSwap(b, nil) }
	slot.Store(b)
	t.cache.add(&b.cached)
	return b.values, nil
}
