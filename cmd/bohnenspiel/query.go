package main

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/spf13/cobra"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

func newQueryCommand(c console, shared *options) *cobra.Command {
	o := &positionFlags{options: shared}
	o.render = o.renderAnswer
	var budget time.Duration
	o.above = func(ctx context.Context, s *session, g game.Game, d game.Diagram) ([]byte, error) {
		return o.searchAnswer(ctx, s, g, d, budget)
	}
	cmd := &cobra.Command{
		Use:   "query POSITION… | -",
		Short: "Say who wins a position, by how much, and by which moves",
		Long: `query answers each position given as an argument or, for "-", each line of
standard input; there, blank lines and lines that begin with # are skipped.
A position is pits 1 to 12, South's store, North's store and the side to move,
or South's row / North's row, each from its owner's left. At the first bad line
it stops with status 2; the lines before have been answered.

Missing tables of up to 16 beans are built on the spot. A position with more
beans than that and than the tables is searched for the time of --budget; what
is proved until then is the answer: the score, or bounds of it.`,
		Example: `  bohnenspiel query 0-2-1-1-1-1-3-3-3-1-0-0-26-30-S
  bohnenspiel query --json '0 2 1 1 1 1 / 3 3 3 1 0 0'`,
	}
	o.register(cmd, c, tablebase.QuickDepthLimit)
	const someTime = 10 * time.Second
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if budget < 0 {
			return usagef("--budget %v: want 0 or more", budget)
		}
		return nil
	}
	cmd.Flags().DurationVar(&budget, "budget", someTime, "search a position above the tables for `T`; 0 means not\nat all")
	return cmd
}

// renderAnswer prints what the tables say about a position and its moves.
func (o *positionFlags) renderAnswer(ctx context.Context, s *session, g game.Game, d game.Diagram) ([]byte, error) {
	a, err := s.db.Answer(ctx, o.rules, d, o.limit)
	if err != nil {
		return nil, err
	}
	if o.json {
		var text bytes.Buffer
		err := json.NewEncoder(&text).Encode(a)
		return text.Bytes(), err
	}
	endless, err := endlessMoves(s.db, g, d, a)
	if err != nil {
		return nil, err
	}
	return []byte(answerText(g, d, a, endless)), nil
}

// endlessMoves reports for each move of an answer whether the score after it leans
// on rule 8.
func endlessMoves(db *tablebase.DB, g game.Game, d game.Diagram, a tablebase.Answer) ([]bool, error) {
	endless := make([]bool, len(a.Moves))
	for i, move := range a.Moves {
		number := 0
		if move.Pit != nil {
			number = *move.Pit
		}
		next, _, err := d.Play(g, number)
		if err != nil {
			return nil, err
		}
		value, err := db.Probe(g, next.Position())
		if err != nil {
			return nil, err
		}
		endless[i] = value.Endless()
	}
	return endless, nil
}
