package tablebase

import (
	"fmt"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
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

// Probe looks up a position. It returns game.ErrPosition when the position is not
// one of the board, ErrNoLayer when its layer has not been built and a
// *CorruptError when what is stored is damaged.
func (db *DB) Probe(g game.Game, p game.Position) (Value, error) {
	beans, err := countBeans(g.Width(), p)
	if err != nil {
		return Value{}, err
	}
	l, err := db.layer(KeyOf(g, beans))
	if err != nil {
		return Value{}, err
	}
	_, at := db.indexes[g.Width()]().Rank(p)
	var values [3]game.Score
	for kind := range values {
		if kind > 0 && !l.tables.lean() {
			values[kind] = values[solver.Scores]
			continue
		}
		scores, err := l.tables[kind].read(at, 1, nil)
		if err != nil {
			return Value{}, err
		}
		values[kind] = scores[0]
	}
	return Value{Score: values[solver.Scores], Low: values[solver.Lows], High: values[solver.Highs]}, nil
}

// countBeans returns the beans of a position, or an error that wraps
// game.ErrPosition or game.ErrWidth when it is none of a board of this width.
func countBeans(width int, p game.Position) (int, error) {
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
