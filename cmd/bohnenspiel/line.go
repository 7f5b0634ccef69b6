package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// lineFlags are the flags of line.
type lineFlags struct{ positionFlags }

func newLineCommand(c console.Console, shared *session.Options) *cobra.Command {
	o := &lineFlags{positionFlags{Options: shared}}
	cmd := &cobra.Command{
		Use:   "line POSITION… | -",
		Short: "Play best play from a position to the end",
		Long: `line plays each position, given as for query, to the end: the side that gets
more from the board converts (captures, or ends the game) as soon as it can, the
other as late as it can. Each move comes with what it takes, the stores and the
score that is left after it, its depth to conversion (DTC), and the pits 1 to 12.
Where play is endless, it shows the cycle.

Depths that no table holds (build --dtc) are found by a search, which says how
many positions it looked at. Missing tables of up to 16 beans are built on the spot.`,
		Example: `  bohnenspiel line 0-2-1-1-1-1-3-3-3-1-0-0-26-30-S
  bohnenspiel line --json '0 2 1 1 1 1 / 3 3 3 1 0 0'`,
	}
	o.register(cmd, c, tablebase.DefaultDepthLimit, o.answer)
	return cmd
}

// answer returns best play from a position.
func (o *lineFlags) answer(ctx context.Context, s *session.Session, g game.Game, d game.Diagram) ([]byte, error) {
	if err := s.Prepare(ctx, g, d.Position().Beans()); err != nil {
		return nil, err
	}
	if o.limit == 0 {
		return nil, session.Usagef("--limit 0: want 1 or more")
	}
	l, err := s.DB.Line(ctx, o.Rules, d, tablebase.LineOptions{Limit: o.limit})
	if errors.Is(err, tablebase.ErrDepthBudget) {
		return nil, fmt.Errorf("%w; allow more with --limit, or store depths with build --dtc", err)
	}
	if err != nil {
		return nil, err
	}
	if o.JSON {
		return console.JSONLines(l)
	}
	return []byte(lineText(g, d, l)), nil
}

// lineText prints a line for people: the board, the moves in a table, the board at the
// end, and the result.
func lineText(g game.Game, d game.Diagram, l tablebase.Line) string {
	v := words.NewVerdict(g, d, tablebase.Answer{Beans: l.Beans, Score: &l.Score, Outcome: &l.Outcome, Final: l.Final})
	var text strings.Builder
	text.WriteString(d.Board())
	text.WriteByte('\n')
	if v.Over() {
		text.WriteString(v.Sentence() + "\n")
		return text.String()
	}
	fmt.Fprintf(&text, "%s%s\n", v.Turn(), v.Result())
	if !v.Given {
		text.WriteString("No stores are given, so this counts the beans on the board alone.\n")
	}
	text.WriteByte('\n')
	end, table := plyTable(g, d, l)
	text.WriteString(table)
	fmt.Fprintf(&text, `left  what %v still wins less what %v does
DTC   plies to the next capture or the end of play; who gets more of what is left
      hurries, the other delays
Stores, left, DTC and pits (1 to %d) are those after the move.

`, d.ToMove, d.ToMove.Other(), 2*d.Width)
	text.WriteString(ending(g, end, l))
	text.WriteString(cost(l))
	return text.String()
}

// plyTable lists the moves of a line. It returns the diagram after the last as well.
func plyTable(g game.Game, d game.Diagram, l tablebase.Line) (end game.Diagram, table string) {
	rows := words.NewTable()
	rows.Row("ply", "side", "move", "takes", "South–North", "left", "DTC", "pits")
	for i, ply := range l.Plies {
		number := words.MoveNumber(ply.Pit)
		// The moves of a line are legal.
		side := d.ToMove
		d, _, _ = d.Play(g, number)
		rows.Row(fmt.Sprint(i+1), side.String(), words.MoveName(number), fmt.Sprint(ply.Captured),
			fmt.Sprintf("%d–%d", d.Stores[game.South], d.Stores[game.North]), words.Signed(ply.Left), ply.DTC.String(), pitsText(d))
	}
	return d, rows.String()
}

// pitsText writes the beans of pits 1 to 2w.
func pitsText(d game.Diagram) string {
	var rows [2]string
	for side, row := range d.Rows {
		rows[side] = strings.Trim(fmt.Sprint(row.Pits(d.Width)), "[]")
	}
	return rows[game.South] + " / " + rows[game.North]
}

// ending says how a line ends.
func ending(g game.Game, end game.Diagram, l tablebase.Line) string {
	if l.Endless {
		first, last := *l.Cycle, len(l.Plies)
		if first == last {
			return fmt.Sprintf("Play is endless: ply %d comes again and again.\n", first)
		}
		return fmt.Sprintf("Play is endless: plies %d to %d come again and again.\n", first, last)
	}
	v := words.NewVerdict(g, end, tablebase.Answer{Beans: end.Position().Beans(), Score: new(game.Score)})
	return fmt.Sprintf("%s The stores hold %d–%d at the end.\n", v.Ending(), l.Final.South, l.Final.North)
}

// cost says what finding a line took.
func cost(l tablebase.Line) string {
	if l.Visited == 0 {
		return "The depths come from the tables.\n"
	}
	return fmt.Sprintf("A search through %s found the depths.\n", words.Things(l.Visited, "position"))
}
