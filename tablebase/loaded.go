package tablebase

import (
	"context"
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/store"
)

// Loaded is the scores and depths of some layers of a game in memory, for whoever asks
// about all positions of a layer. It takes three bytes a position, and is safe for
// concurrent use until it is freed.
type Loaded struct {
	index  *index.Index
	layers *held.Layers
	depths [][]game.DTC // by beans
}

// LoadUpTo brings layer beans and all below it that its captures can lead to into
// memory, and computes their depths there, one byte a position more meanwhile.
// Workers is the number of goroutines; 0 means one a processor. It returns ErrNoLayer
// when one of the layers has not been built, ErrMemory where that is more than three
// quarters of the machine's memory, and the errors of reading blocks.
func (db *DB) LoadUpTo(ctx context.Context, g game.Game, beans, workers int) (*Loaded, error) {
	if beans < 0 || beans > game.MaxBeans(g.Width()) {
		return nil, fmt.Errorf("%v: %w", format.KeyOf(g, beans), format.ErrNoLayer)
	}
	workers = solver.Workers(workers)
	if err := db.roomToLoad(g, beans, workers); err != nil {
		return nil, err
	}
	l := &Loaded{index: db.Index(g.Width()), layers: held.NewLayers(g, beans), depths: make([][]game.DTC, beans+1)}
	for lower := beans % 2; lower <= beans; lower += 2 {
		if err := l.load(ctx, db, lower, workers); err != nil {
			l.Free()
			return nil, err
		}
	}
	return l, nil
}

// roomToLoad returns an error if layers are missing, or take too much memory.
func (db *DB) roomToLoad(g game.Game, beans, workers int) error {
	var need uint64
	for lower := beans % 2; lower <= beans; lower += 2 {
		m, err := db.Manifest(format.KeyOf(g, lower))
		if err != nil {
			return err
		}
		const bytesOfDepth = 2
		need += m.Positions * uint64(m.Tables()+bytesOfDepth)
	}
	cells, heap := solver.DepthFootprint(db.Index(g.Width()), beans, workers)
	need += cells + heap
	if most := held.MostMemory(); need > most {
		return fmt.Errorf("%w: loading layers up to %v takes %s, and %s are allowed; take fewer beans", held.ErrMemory, format.KeyOf(g, beans), store.MiB(need), store.MiB(most))
	}
	return nil
}

// load brings a layer into memory, after those below it.
func (l *Loaded) load(ctx context.Context, db *DB, beans, workers int) error {
	m, err := db.Manifest(format.KeyOf(l.layers.Game, beans))
	if err != nil {
		return err
	}
	read := &held.Loader{From: db, Index: l.index, Workers: workers, Lower: l.layers}
	if err := read.Load(ctx, m, held.Bytewise); err != nil {
		return err
	}
	problem := solver.DepthProblem{Game: l.layers.Game, Index: l.index, Beans: beans, Tables: l.layers, Workers: workers}
	solved, err := solver.SolveDepths(ctx, problem)
	if err != nil {
		return fmt.Errorf("depths of %v: %w", m.Key(), err)
	}
	l.depths[beans] = make([]game.DTC, m.Positions)
	solved.Copy(0, l.depths[beans])
	return nil
}

// Free gives the memory back. The layers can't be used any more.
func (l *Loaded) Free() {
	l.layers.Free()
}

// Size returns the number of positions of a layer.
func (l *Loaded) Size(beans int) uint64 { return l.index.Size(beans) }

// Position returns the position of a layer that has a number, from 0 to Size−1.
func (l *Loaded) Position(beans int, number uint64) game.Position {
	return l.index.Unrank(beans, number)
}

// Probe returns what DB.Probe returns for a position of the layers. It panics if the
// layer of the position is not among them.
func (l *Loaded) Probe(p game.Position) Value {
	beans, number := l.index.Rank(p)
	layer := l.layers.Layers[beans]
	at := func(kind solver.Kind) game.Score { return layer[kind].Scores[number] }
	return Value{Score: at(solver.Scores), Low: at(solver.Lows), High: at(solver.Highs)}
}

// Depth returns the DTC of a position of the layers. It panics as Probe does.
func (l *Loaded) Depth(p game.Position) game.DTC {
	beans, number := l.index.Rank(p)
	return l.depths[beans][number]
}
