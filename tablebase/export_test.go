package tablebase

import (
	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase/format"
)

// Cache is a cache with one table.
type Cache struct {
	cache *cache
	table *table[game.Score]
}

// NewCache returns a cache with a table of a layer of the traditional board, whose
// blocks come from decode.
func NewCache(budget int64, beans int, decode func(number, positions int) ([]game.Score, error)) Cache {
	c := newCache(budget)
	t := format.NewBlocking(index.New(game.StandardWidth, beans), beans)
	return Cache{c, newTable(c, format.Key{Width: game.StandardWidth, Beans: beans}, solver.Scores, t,
		func(id format.BlockID, into []game.Score) (format.Stamp, error) {
			scores, err := decode(int(id.Number), id.Positions)
			copy(into, scores)
			return format.Stamp{}, err
		})}
}

// Blocks returns the number of blocks of the table.
func (c Cache) Blocks() int { return c.table.blocking.Blocks() }

// Block returns a block of the table.
func (c Cache) Block(number int) ([]game.Score, error) { return c.table.block(number) }

// At returns what the table holds for a position.
func (c Cache) At(p game.Position) (game.Score, error) { return c.table.at(p) }

// Bytes returns the bytes of scores in the cache, as it counts them and as they are.
func (c Cache) Bytes() (counted, actual int64) {
	for i := range c.table.slots {
		if b := c.table.slots[i].Load(); b != nil {
			actual += int64(len(b.values))
		}
	}
	return c.cache.bytes, actual
}
