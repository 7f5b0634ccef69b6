package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"bohnenspiel/solver/game"
)

// positionFlags are the flags of the commands that answer positions, each an argument
// or a line of standard input.
type positionFlags struct {
	*options
	command string
	noBuild bool
	limit   uint64
	width   int // 0 unless --width is given
	answers int // printed so far
	// render returns what there is to print about a position. The tables are there.
	render func(ctx context.Context, s *session, g game.Game, d game.Diagram) ([]byte, error)
	// above, if not nil, answers a position whose tables are missing and are too large to
	// be built on the spot. It returns nothing where it does not.
	above func(ctx context.Context, s *session, g game.Game, d game.Diagram) ([]byte, error)
}

// register sets up a command to take positions. Limit is the default of --limit.
func (o *positionFlags) register(cmd *cobra.Command, c console, limit uint64) {
	o.command = cmd.Name()
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.width = o.fieldWidth(cmd)
		return o.run(cmd.Context(), c, args)
	}
	cmd.Flags().BoolVar(&o.noBuild, "no-build", false, "never build: fail when a table is missing")
	cmd.Flags().Uint64Var(&o.limit, "limit", limit, "look at `N` positions at most to find depths that are\nnot stored")
}

func (o *positionFlags) run(ctx context.Context, c console, args []string) (err error) {
	if len(args) == 0 {
		return usagef("%s needs a position, or - to read positions from standard input", o.command)
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
	defer s.end(&err)
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
func (o *positionFlags) parse(args []string) ([]game.Diagram, error) {
	diagrams := make([]game.Diagram, len(args))
	for i, arg := range args {
		d, err := game.ParseDiagram(arg, o.width)
		switch {
		case arg == "-":
			return nil, usagef("%s takes positions or -, not both", o.command)
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
func (o *positionFlags) answerLines(ctx context.Context, s *session) error {
	lines := readLines(ctx, s.in)
	for {
		var next line
		var more bool
		select {
		case <-ctx.Done():
			return ctx.Err()
		case next, more = <-lines:
		}
		switch text := strings.TrimSpace(next.text); {
		case !more:
			return ctx.Err()
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

// answer prints the answer to one position, texts with a blank line between them.
func (o *positionFlags) answer(ctx context.Context, s *session, d game.Diagram) error {
	g, err := game.New(o.rules, d.Width)
	if err != nil {
		return err
	}
	text, err := o.text(ctx, s, g, d)
	if err != nil {
		return err
	}
	if o.answers > 0 && !o.json {
		text = append([]byte{'\n'}, text...)
	}
	o.answers++
	_, err = s.out.Write(text)
	return err
}

// text returns what there is to print about a position.
func (o *positionFlags) text(ctx context.Context, s *session, g game.Game, d game.Diagram) ([]byte, error) {
	if o.above != nil {
		if text, err := o.above(ctx, s, g, d); text != nil || err != nil {
			return text, err
		}
	}
	if err := s.prepare(ctx, g, d.Position().Beans()); err != nil {
		return nil, err
	}
	return o.render(ctx, s, g, d)
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
