package tablebase

import (
	"slices"
	"sync"
	"sync/atomic"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
)

// cache keeps decoded blocks of many tables within a budget. It is safe for
// concurrent use.
//
// Each table has a slot for each of its blocks, so finding a block that is there
// takes one atomic load and no lock. What leaves the cache stays valid for whoever still has it;
// its memory goes back when nobody does. Blocks leave by the clock algorithm (Corbató,
// A Paging Experiment with the Multics System, 1968): a hand goes round all blocks,
// spares those used since it last came by, and takes the first other. Being read from
// the disk is no use: blocks that are needed once leave before those needed again.
type cache struct {
	budget int64 // bytes of scores; at least one block is kept
	decode func(format.BlockID) ([]game.Score, error)

	// loading keeps two goroutines from decoding the same block at once. A block
	// has one of these locks, which it shares with others.
	loading [64]sync.Mutex

	mu    sync.Mutex // guards what follows
	ring  []*cachedBlock
	hand  int
	bytes int64 // of scores in the ring
}

// newCache returns an empty cache that gets its blocks from decode.
func newCache(budget int64, decode func(format.BlockID) ([]game.Score, error)) *cache {
	return &cache{budget: budget, decode: decode}
}

// cachedBlock is a block in the cache, or one that has left it.
type cachedBlock struct {
	scores []game.Score
	used   atomic.Bool // since the hand last came by
	slot   *atomic.Pointer[cachedBlock]
}

// table is the decoded blocks of one kind of a layer, as far as a cache holds them.
type table struct {
	cache  *cache
	key    format.Key
	kind   solver.Kind
	tiling *format.Blocking
	slots  []atomic.Pointer[cachedBlock] // one a block
}

// newTable returns a table with no block in the cache. It takes 8 bytes a block.
func (c *cache) newTable(key format.Key, kind solver.Kind, t *format.Blocking) *table {
	return &table{cache: c, key: key, kind: kind, tiling: t, slots: make([]atomic.Pointer[cachedBlock], t.Blocks())}
}

// At returns what the table holds for a position of the layer.
func (t *table) at(p game.Position) (game.Score, error) {
	number, at := t.tiling.Locate(p)
	scores, err := t.block(number)
	if err != nil {
		return 0, err
	}
	return scores[at], nil
}

// Block returns what a block holds, which must not be changed.
func (t *table) block(number int) ([]game.Score, error) {
	if b := t.slots[number].Load(); b != nil {
		if !b.used.Load() { // a store by every reader would slow all of them
			b.used.Store(true)
		}
		return b.scores, nil
	}
	return t.load(number)
}

// Load decodes a block and puts it into the cache.
func (t *table) load(number int) ([]game.Score, error) {
	lock := &t.cache.loading[(number+31*t.key.Beans+7*int(t.kind))%len(t.cache.loading)]
	lock.Lock()
	defer lock.Unlock()
	slot := &t.slots[number]
	if b := slot.Load(); b != nil {
		return b.scores, nil // another goroutine was faster
	}
	scores, err := t.cache.decode(t.id(number))
	if err != nil {
		return nil, err
	}
	b := &cachedBlock{scores: scores, slot: slot}
	slot.Store(b)
	t.cache.add(b)
	return scores, nil
}

// ID returns the name of a block.
func (t *table) id(number int) format.BlockID { return t.tiling.ID(t.key, t.kind, number) }

// Add takes account of a new block and makes room for it.
func (c *cache) add(b *cachedBlock) {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := int64(len(b.scores))
	for len(c.ring) > 0 && c.bytes+size > c.budget {
		if c.hand == len(c.ring) {
			c.hand = 0
		}
		old := c.ring[c.hand]
		if old.used.Swap(false) {
			c.hand++
			continue
		}
		old.slot.CompareAndSwap(old, nil)
		c.bytes -= int64(len(old.scores))
		c.ring = slices.Delete(c.ring, c.hand, c.hand+1)
	}
	// Behind the hand, which so comes to the new block last.
	if c.hand == 0 {
		c.ring = append(c.ring, b)
	} else {
		c.ring = slices.Insert(c.ring, c.hand, b)
		c.hand++
	}
	c.bytes += size
}

// Tables are the tables of one layer, by kind. Where nothing leans on rule 8, all
// three are the same.
type tables [3]*table

// newTables returns the tables of a layer in a cache.
func (c *cache) newTables(m format.Manifest, t *format.Blocking) *tables {
	var all tables
	for kind := range all {
		all[kind] = all[solver.Scores]
		if kind == int(solver.Scores) || m.Endless > 0 {
			all[kind] = c.newTable(m.Key(), solver.Kind(kind), t)
		}
	}
	return &all
}

// lean reports whether any position leans on rule 8.
func (t *tables) lean() bool { return t[solver.Lows] != t[solver.Scores] }
