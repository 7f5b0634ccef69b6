package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// queryFlags are the flags of query.
type queryFlags struct {
	*options
	noBuild bool
	width   int // 0 unless --width is given
	answers int // printed so far
}

func newQueryCommand(c console, shared *options) *cobra.Command {
	o := queryFlags{options: shared}
	cmd := &cobra.Command{
		Use:   "query POSITION… | -",
		Short: "Say who wins a position, by how much, and by which moves",
		Long: `query answers each position given as an argument or, for "-", each line of
standard input; there, blank lines and lines that begin with # are skipped.
A position is pits 1 to 12, South's store, North's store and the side to move,
or South's row / North's row, each from its owner's left. At the first bad line
it stops with status 2; the lines before have been answered.

Missing tables of up to 16 beans are built on the spot.`,
		Example: `  bohnenspiel query 0-2-1-1-1-1-3-3-3-1-0-0-26-30-S
  bohnenspiel query --json '0 2 1 1 1 1 / 3 3 3 1 0 0'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.width = shared.fieldWidth(cmd)
			return o.run(cmd.Context(), c, args)
		},
	}
	cmd.Flags().BoolVar(&o.noBuild, "no-build", false, "never build: fail when a table is missing")
	return cmd
}

func (o *queryFlags) run(ctx context.Context, c console, args []string) (err error) {
	if len(args) == 0 {
		return usagef("query needs a position, or - to read positions from standard input")
	}
	fromInput := len(args) == 1 && args[0] == "-"
	var diagrams []game.Diagram
	if !fromInput {
		if diagrams, err = o.parse(args); err != nil {
			return err
		}
	}
	s, err := newSession(c, o.options, o.noBuild)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := s.close(); err == nil {
			err = closeErr
		}
	}()
	if fromInput {
		return o.answerLines(ctx, s)
	}
	for _, d := range diagrams {
		if err := o.answer(ctx, s, d); err != nil {
			return err
		}
	}
	return nil
}

// parse reads all positions before any is answered.
func (o *queryFlags) parse(args []string) ([]game.Diagram, error) {
	diagrams := make([]game.Diagram, len(args))
	for i, arg := range args {
		d, err := game.ParseDiagram(arg, o.width)
		switch {
		case arg == "-":
			return nil, usagef("query takes positions or -, not both")
		case err != nil && len(args) > 1:
			return nil, fmt.Errorf("argument %d: %w (a position with blanks needs quotes)", i+1, err)
		case err != nil:
			return nil, err
		}
		diagrams[i] = d
	}
	return diagrams, nil
}

// answerLines answers the positions on standard input, each as soon as its line is
// there.
func (o *queryFlags) answerLines(ctx context.Context, s *session) error {
	lines := readLines(ctx, s.in)
	for {
		var next line
		var more bool
		select {
		case <-ctx.Done():
			return errors.New("stopped")
		case next, more = <-lines:
		}
		switch text := strings.TrimSpace(next.text); {
		case !more:
			return nil
		case next.err != nil:
			return fmt.Errorf("line %d of standard input: %w", next.number, next.err)
		case text == "" || strings.HasPrefix(text, "#"):
			continue
		}
		d, err := game.ParseDiagram(next.text, o.width)
		if err == nil {
			err = o.answer(ctx, s, d)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", next.number, err)
		}
	}
}

// line is a line of standard input, or the error that reading it gave.
type line struct {
	number int // counted from 1
	text   string
	err    error
}

// readLines sends the lines of r until they or ctx end. The reading goes on in the
// background, so that a signal need not wait for the next line.
func readLines(ctx context.Context, r io.Reader) <-chan line {
	lines := make(chan line)
	send := func(l line) bool {
		select {
		case lines <- l:
			return true
		case <-ctx.Done():
			return false
		}
	}
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(r)
		number := 1
		for ; scanner.Scan(); number++ {
			if !send(line{number: number, text: scanner.Text()}) {
				return
			}
		}
		err := scanner.Err()
		if errors.Is(err, bufio.ErrTooLong) {
			err = usagef("%w: it is too long", game.ErrPosition)
		}
		if err != nil {
			send(line{number: number, err: err})
		}
	}()
	return lines
}

// answer prints the answer to one position.
func (o *queryFlags) answer(ctx context.Context, s *session, d game.Diagram) error {
	g, err := game.New(o.rules, d.Width)
	if err != nil {
		return err
	}
	if err := s.prepare(ctx, g, d.Position().Beans()); err != nil {
		return err
	}
	a, err := s.db.Answer(o.rules, d)
	if err != nil {
		return err
	}
	text, err := o.render(s.db, g, d, a)
	if err != nil {
		return err
	}
	o.answers++
	_, err = s.out.Write(text)
	return err
}

func (o *queryFlags) render(db *tablebase.DB, g game.Game, d game.Diagram, a tablebase.Answer) ([]byte, error) {
	var text bytes.Buffer
	if o.json {
		err := json.NewEncoder(&text).Encode(a)
		return text.Bytes(), err
	}
	endless, err := endlessMoves(db, g, d, a)
	if err != nil {
		return nil, err
	}
	if o.answers > 0 {
		text.WriteByte('\n')
	}
	text.WriteString(answerText(g, d, a, endless))
	return text.Bytes(), nil
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
