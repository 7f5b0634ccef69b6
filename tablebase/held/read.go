package held

import (
	"context"

	"bohnenspiel/solver"
	"bohnenspiel/tablebase/format"
)

// Block is a block that has been read, or why it could not be.
type Block struct {
	ID    format.BlockID
	Stamp format.Stamp
	Err   error
}

// ReadBlocks reads the blocks of a table of a layer from one number up to another, on workers.
// read decodes a block into values, of which there are as many as the block has positions; for
// each that it could, place is called with its area and these values, on any worker. take gets
// the blocks in their order, one by one.
func ReadBlocks[V any](ctx context.Context, workers int, b *format.Blocking, key format.Key, kind solver.Kind, from, to int,
	read func(id format.BlockID, values []V) (format.Stamp, error), place func(a format.Area, values []V), take func(b Block) error,
) error {
	type result struct {
		Block
		values []V
	}
	compute := func(number int, r *result) error {
		r.ID = b.ID(key, kind, from+number)
		if r.values == nil {
			r.values = make([]V, format.BlockPositions)
		}
		values := r.values[:r.ID.Positions]
		if r.Stamp, r.Err = read(r.ID, values); r.Err == nil {
			place(b.Area(from+number), values)
		}
		return nil
	}
	return InOrder(ctx, workers, to-from, compute, func(_ int, r *result) error { return take(r.Block) })
}
