package tablebase

import (
	"cmp"
	"context"
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/memory"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/store"
)

// LayerFacts are facts about a layer that DB.Facts finds. Positions are as game.Diagram
// prints them.
type LayerFacts struct {
	// LargestScore is the largest score, and LargestPosition the first that has it in the
	// order of package index.
	LargestScore    game.Score `json:"largestScore"`
	LargestPosition string     `json:"largestPosition"`
	// OnlyMoves counts the positions with two legal moves or more of which exactly one
	// keeps the score, Zugzwangs those of mutual zugzwang: see [solver.Facts].
	OnlyMoves uint64 `json:"onlyMoves"`
	Zugzwangs uint64 `json:"zugzwangs"`
}

// FactsOptions say how facts are found.
type FactsOptions struct {
	// Workers is the number of goroutines that compute; 0 means one a processor.
	Workers int
	// Memory is the most bytes that the layers may take which are brought into memory;
	// 0 means three quarters of what the machine has.
	Memory uint64
	// Report, if not nil, is called from time to time, never by two goroutines at once,
	// with the number of positions looked at and to be looked at.
	Report func(done, total uint64)
}

// Facts returns facts about a layer. It brings the layer and those below it into memory
// and looks at each position once. The error wraps ErrNoLayer where one of these is
// missing, ErrMemory where they don't fit, or is that of damaged data or the context.
func (db *DB) Facts(ctx context.Context, k format.Key, o FactsOptions) (LayerFacts, error) {
	o.Workers, o.Memory = solver.Workers(o.Workers), cmp.Or(o.Memory, held.MostMemory())
	g, err := game.New(k.Rules, k.Width)
	if err != nil {
		return LayerFacts{}, err
	}
	var manifests []format.Manifest
	need := map[held.Form]uint64{}
	for beans := k.Beans % 2; beans <= k.Beans; beans += 2 {
		m, err := db.Manifest(format.KeyOf(g, beans))
		if err != nil {
			return LayerFacts{}, err
		}
		manifests = append(manifests, m)
		for _, as := range []held.Form{held.Bytewise, held.Packed} {
			one := as
			if m.Endless > 0 {
				one = held.Bytewise
			}
			need[as] += uint64(m.Tables()) * held.TableBytes(beans, m.Positions, one)
		}
	}
	as := held.Bytewise
	if need[as] > o.Memory {
		as = held.Packed
	}
	if need[as] > o.Memory {
		return LayerFacts{}, fmt.Errorf("%w: facts of %v take %s for scores, and %s are allowed; allow more, or ask for a smaller layer",
			held.ErrMemory, k, store.MiB(need[as]), store.MiB(o.Memory))
	}
	x := db.Index(k.Width)
	layers, scratch := held.NewLayers(g, k.Beans), new(memory.Block)
	defer layers.Free()
	defer scratch.Free()
	for _, m := range manifests {
		l := &held.Loader{From: db, Index: x, Workers: o.Workers, Scratch: scratch, Lower: layers}
		if err := l.Load(ctx, m, as); err != nil {
			return LayerFacts{}, err
		}
	}
	facts, err := solver.FindFacts(ctx, solver.Review{
		Game: g, Index: x, Beans: k.Beans, Tables: layers, Workers: o.Workers, Report: o.Report,
	})
	if err != nil {
		return LayerFacts{}, err
	}
	return LayerFacts{
		LargestScore: facts.Largest, LargestPosition: diagramOf(k, facts.LargestIndex),
		OnlyMoves: facts.OnlyMoves, Zugzwangs: facts.Zugzwangs,
	}, nil
}

// diagramOf returns the position of a layer with an index as game.Diagram prints it, with
// South to move and empty stores.
func diagramOf(k format.Key, i uint64) string {
	p := index.New(k.Width, k.Beans).Unrank(k.Beans, i)
	return game.Diagram{Width: k.Width, Rows: [2]game.Row{p.Mover, p.Opponent}}.String()
}
