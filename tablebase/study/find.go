package study

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
)

// Layers is the layers of a game that a search for puzzles looks at: a
// [tablebase.Loaded].
type Layers interface {
	// Size returns the number of positions of a layer.
	Size(beans int) uint64
	// Position returns the position of a layer with a number from 0 to Size−1.
	Position(beans int, number uint64) game.Position
	// Probe returns what is known of a position of one of the layers.
	Probe(p game.Position) tablebase.Value
	// Level returns its depth to conversion.
	Depth(p game.Position) game.DTC
}

// FindOptions say which puzzles to look for. The zero value of each field but Game
// and Beans is a choice that makes sense.
type FindOptions struct {
	Game  game.Game
	Beans int // the layer
	// Stipulation is what the side to move is to reach. For whom it is does not matter.
	Stipulation Stipulation
	// Stores are what South and North have won already. If it is nil, each position
	// gets those of a whole game with which the side to move just reaches what it has
	// to: wins by two beans, for example.
	Stores *[2]int
	// ToMove is the side to move in the diagrams.
	ToMove game.Side
	// Keys is the least number of keys; 0 means 1.
	Keys int
	// Limit is the most puzzles that are returned; 0 means all.
	Limit int
	// AnyCapture asks also for positions where no move takes more than the key.
	AnyCapture bool
	// Variants asks also for puzzles whose line joins that of a better one.
	Variants bool
	// Workers is the number of goroutines that look; 0 means one a processor. The
	// result does not depend on it.
	Workers int
}

// Findings are the puzzles of a layer.
type Findings struct {
	// Positions is how many positions are puzzles, whether listed or not.
	Positions uint64
	Puzzles   []Puzzle // the best first
}

// Find looks for puzzles among all positions of a layer. A position counts as one if
// its score does not lean on rule 8 and
//
//   - the side to move wins (or draws) with the stores given, or could have such stores,
//   - exactly one of two or more legal moves keeps that result: the key,
//   - another one takes more beans than the key, unless AnyCapture is set.
//
// Puzzles are ordered by the number of keys, most first, then by how many beans more
// than the key the greedy move takes, most first, then by their number in the layer.
// Of puzzles whose lines come together with more than half of the later one's keys
// still to come, only the first is listed, unless Variants is set.
//
// Time and memory grow with the layer: a look at the moves of each position, and 16
// bytes for each puzzle.
func Find(ctx context.Context, layers Layers, o FindOptions) (Findings, error) {
	o.Workers = solver.Workers(o.Workers)
	f := &finder{options: o, layers: layers}
	candidates, err := f.search(ctx)
	if err != nil {
		return Findings{}, err
	}
	slices.SortFunc(candidates, candidate.compare)
	return f.list(candidates), nil
}

// candidate is a puzzle as the search remembers it.
type candidate struct {
	number uint64 // in the layer
	keys   uint16
	bait   uint16 // beans that greedy moves take more than the key
}

// compare orders candidates, the best first.
func (c candidate) compare(other candidate) int {
	return cmp.Or(
		cmp.Compare(other.keys, c.keys),
		cmp.Compare(other.bait, c.bait),
		cmp.Compare(c.number, other.number),
	)
}

// finder looks for puzzles.
type finder struct {
	options FindOptions
	layers  Layers
}

// findChunk is the number of positions that a worker looks at in one go.
const findChunk = 1 << 14

// search returns all puzzles of the layer.
func (f *finder) search(ctx context.Context) ([]candidate, error) {
	size := f.layers.Size(f.options.Beans)
	found := make([][]candidate, (size+findChunk-1)/findChunk)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(f.options.Workers)
	for chunk := range found {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			first := uint64(chunk) * findChunk
			for number := first; number < min(first+findChunk, size); number++ {
				if c, ok := f.judge(number); ok {
					found[chunk] = append(found[chunk], c)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("search of %v: %w", format.KeyOf(f.options.Game, f.options.Beans), err)
	}
	return slices.Concat(found...), nil
}

// judge reports whether a position is a puzzle.
func (f *finder) judge(number uint64) (candidate, bool) {
	p := f.layers.Position(f.options.Beans, number)
	value := f.layers.Probe(p)
	if value.Endless() || f.options.Game.Over(p) {
		return candidate{}, false
	}
	d, ok := f.diagram(p, value.Score)
	if !ok {
		return candidate{}, false
	}
	w := f.walk(d, value.Score)
	first := w.look()
	if !first.alone || first.greedy == first.best.Captured && !f.options.AnyCapture {
		return candidate{}, false
	}
	for w.step() {
	}
	if w.endless || len(w.keys) < f.options.Keys {
		return candidate{}, false
	}
	return candidate{number: number, keys: uint16(len(w.keys)), bait: uint16(first.greedy - first.best.Captured)}, true
}

// diagram gives a position its stores and its side to move. It reports whether the
// side to move can then do what is asked for.
func (f *finder) diagram(p game.Position, score game.Score) (game.Diagram, bool) {
	g, side, asked := f.options.Game, f.options.ToMove, f.options.Stipulation
	d := game.Diagram{Width: g.Width(), ToMove: side}
	d.Rows[side], d.Rows[side.Other()] = p.Mover, p.Opponent
	if f.options.Stores != nil {
		d.Stores = *f.options.Stores
		_, met := asked.need(d.Lead(), score)
		return d, met
	}
	beans := game.MaxBeans(g.Width()) - f.options.Beans
	lead := beans % 2 // where the stores don't matter
	switch asked.Goal {
	case Win:
		lead = 2 - int(score)
	case WinBy:
		lead = asked.Beans + asked.Beans%2 - int(score)
	case Draw:
		lead = -int(score)
	case Score, Best:
	}
	stores, ok := storesOf(beans, lead, side)
	d.Stores = stores
	_, met := asked.need(lead, score)
	return d, ok && met
}

// need returns the least lead at the end that keeps the stipulation for the side to
// move, who is ahead by lead and has a score, and whether best play reaches it.
func (s Stipulation) need(lead int, score game.Score) (least int, met bool) {
	best := lead + int(score)
	switch s.Goal {
	case Win:
		return 1, best >= 1
	case WinBy:
		return s.Beans, best >= s.Beans
	case Draw:
		return 0, best == 0
	case Score:
		return best, int(score) == s.Beans
	default: // Best
		return best, true
	}
}

// storesOf shares out this many beans that a side is ahead by lead, if that can be.
func storesOf(beans, lead int, side game.Side) (stores [2]int, ok bool) {
	if lead < -beans || lead > beans || (beans+lead)%2 != 0 {
		return stores, false
	}
	stores[side] = (beans + lead) / 2
	stores[side.Other()] = (beans - lead) / 2
	return stores, true
}

// list describes the best puzzles, each by its own line.
func (f *finder) list(candidates []candidate) Findings {
	findings := Findings{Positions: uint64(len(candidates)), Puzzles: []Puzzle{}}
	met := make(map[game.Position]bool) // where keys of listed puzzles are due
	for _, c := range candidates {
		if limit := f.options.Limit; limit > 0 && len(findings.Puzzles) == limit {
			break
		}
		p := f.layers.Position(f.options.Beans, c.number)
		score := f.layers.Probe(p).Score
		d, _ := f.diagram(p, score)
		due := f.due(d, score)
		if !f.options.Variants && slices.ContainsFunc(due[:(len(due)+1)/2], func(p game.Position) bool { return met[p] }) {
			continue
		}
		for _, p := range due {
			met[p] = true
		}
		findings.Puzzles = append(findings.Puzzles, f.puzzle(d, score))
	}
	return findings
}

// due returns the positions of a line where a key is due.
func (f *finder) due(d game.Diagram, score game.Score) []game.Position {
	var due []game.Position
	for w := f.walk(d, score); ; {
		p, keys := w.diagram.Position(), len(w.keys)
		if !w.step() {
			return due
		}
		if len(w.keys) > keys {
			due = append(due, p)
		}
	}
}
