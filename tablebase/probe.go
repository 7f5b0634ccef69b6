package tablebase

import (
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
)

// Value is what the tables know of a position.
type Value struct {
	// Score is what the mover will still win less what the opponent will, with
	// endless play worth 0 (rule 8).
	Score game.Score
	// Low and High bound the score whatever endless play is worth. They are equal
	// to Score unless it leans on rule 8.
	Low, High game.Score
}

// Endless reports whether the score leans on rule 8.
func (v Value) Endless() bool { return v.Low < v.High }

// Probe looks up a position. Where play is over it needs no tables. It returns game.ErrPosition when the position is not
// one of the board, ErrNoLayer when its layer, or one that its captures lead to, has
// not been built, and a *CorruptError when what is stored is damaged. It reads the block
// of the position, one for each capture, and further ones where a capture may be worth
// more than what is stored; those that are in the cache cost next to nothing.
func (db *DB) Probe(g game.Game, p game.Position) (Value, error) {
	if _, err := CountBeans(g.Width(), p); err != nil {
		return Value{}, err
	}
	pr := prober{db: db, game: g}
	return pr.value(p)
}

// prober looks up positions of one game. It remembers the layers that it has met.
type prober struct {
	db     *DB
	game   game.Game
	layers [12*game.MaxWidth + 1]*layer // by beans
}

// layer returns a layer that can be read.
func (pr *prober) layer(beans int) (*layer, error) {
	if l := pr.layers[beans]; l != nil {
		return l, nil
	}
	l, err := pr.db.layer(format.KeyOf(pr.game, beans))
	if err == nil {
		pr.layers[beans] = l
	}
	return l, err
}

// value looks up a position of the board. Where play is over the rules have the answer.
func (pr *prober) value(p game.Position) (Value, error) {
	if pr.game.Over(p) {
		score := pr.game.Final(p)
		return Value{Score: score, Low: score, High: score}, nil
	}
	l, err := pr.layer(p.Beans())
	if err != nil {
		return Value{}, err
	}
	if !l.tables.lean() {
		score, err := pr.score(l, p)
		return Value{Score: score, Low: score, High: score}, err
	}
	var values [3]game.Score
	for kind := range values {
		if values[kind], err = l.tables[kind].at(p); err != nil {
			return Value{}, err
		}
	}
	return Value{Score: values[solver.Scores], Low: values[solver.Lows], High: values[solver.Highs]}, nil
}

// score returns the score of a position of layer l: what its block holds, or what
// its best conversion gives, if that is more.
func (pr *prober) score(l *layer, p game.Position) (game.Score, error) {
	if pr.game.Over(p) {
		return pr.game.Final(p), nil
	}
	best, err := l.tables[solver.Scores].at(p)
	if err != nil || !l.manifest.Settled {
		return best, err
	}
	for pit := range pr.game.Width() {
		if p.Mover.Pit(pit) == 0 {
			continue
		}
		next, captured := pr.game.Play(p, pit)
		if captured == 0 {
			continue
		}
		if best, err = pr.raise(best, next, captured); err != nil {
			return 0, err
		}
	}
	return best, nil
}

// raise returns the larger of best and what a capture gives that leads to a position.
// What the opponent gets there at least is in one block; only if that leaves the
// mover more than best is it worth a closer look.
func (pr *prober) raise(best game.Score, next game.Position, captured int) (game.Score, error) {
	l, err := pr.layer(next.Beans())
	if err != nil {
		return 0, err
	}
	least, err := l.tables[solver.Scores].at(next)
	if err != nil || game.Score(captured)-least <= best {
		return best, err
	}
	score, err := pr.score(l, next)
	return max(best, game.Score(captured)-score), err
}

// CountBeans returns the beans of a position, or an error that wraps
// game.ErrPosition or game.ErrWidth when it is none of a board of this width.
func CountBeans(width int, p game.Position) (int, error) {
	if width < game.MinWidth || width > game.MaxWidth {
		return 0, fmt.Errorf("%w %d: a side has %d to %d pits", game.ErrWidth, width, game.MinWidth, game.MaxWidth)
	}
	beans := 0
	for _, row := range []game.Row{p.Mover, p.Opponent} {
		for pit := range width {
			beans += row.Pit(pit)
		}
		if row != game.RowOf(row.Pits(width)...) {
			return 0, fmt.Errorf("%w: it has pits beyond the %d of a side", game.ErrPosition, width)
		}
	}
	if most := game.MaxBeans(width); beans > most {
		return 0, fmt.Errorf("%w: %d beans are more than the %d of the game", game.ErrPosition, beans, most)
	}
	return beans, nil
}
