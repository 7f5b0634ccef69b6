package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/solver/game"
)

// positionFlags are the flags of the commands that answer positions, each an argument
// or a line of standard input.
type positionFlags struct {
	*session.Options
	noBuild bool
	limit   uint64
}

// answerFunc returns what there is to print about a position.
type answerFunc func(ctx context.Context, s *session.Session, g game.Game, d game.Diagram) ([]byte, error)

// register sets up a command to answer positions. Limit is the default of --limit.
func (o *positionFlags) register(cmd *cobra.Command, c console.Console, limit uint64, answer answerFunc) {
	command := cmd.Name()
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p := positionPrinter{positionFlags: o, command: command, answer: answer}
		return p.run(cmd.Context(), c, args)
	}
	cmd.Flags().BoolVar(&o.noBuild, "no-build", false, "never build: fail when a table is missing")
	cmd.Flags().Uint64Var(&o.limit, "limit", limit, "look at `N` positions at most to find depths that are\nnot stored")
}

// positionPrinter prints the answers to the positions of a command line.
type positionPrinter struct {
	*positionFlags
	command string
	answer  answerFunc
	printed int // answers so far
}

func (p *positionPrinter) run(ctx context.Context, c console.Console, args []string) (err error) {
	if len(args) == 0 {
		return session.Usagef("%s needs a position, or - to read positions from standard input", p.command)
	}
	fromInput := len(args) == 1 && args[0] == "-"
	var diagrams []game.Diagram
	if !fromInput {
		if diagrams, err = p.parse(args); err != nil {
			return err
		}
	}
	s, err := session.New(c, p.Options, p.noBuild)
	if err != nil {
		return err
	}
	defer s.End(&err)
	if fromInput {
		return p.printLines(ctx, s)
	}
	for _, d := range diagrams {
		if err := p.print(ctx, s, d); err != nil {
			return err
		}
	}
	return nil
}

// parse reads all positions before any is answered.
func (p *positionPrinter) parse(args []string) ([]game.Diagram, error) {
	diagrams := make([]game.Diagram, len(args))
	for i, arg := range args {
		d, err := game.ParseDiagram(arg, p.FieldWidth)
		switch {
		case arg == "-":
			return nil, session.Usagef("%s takes positions or -, not both", p.command)
		case err != nil && len(args) > 1:
			return nil, fmt.Errorf("argument %d: %w (a position with blanks needs quotes)", i+1, err)
		case err != nil:
			return nil, err
		}
		diagrams[i] = d
	}
	return diagrams, nil
}

// printLines answers the positions on standard input, each as soon as its line is
// there.
func (p *positionPrinter) printLines(ctx context.Context, s *session.Session) error {
	lines := readLines(ctx, s.In)
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
		d, err := game.ParseDiagram(next.text, p.FieldWidth)
		if err == nil {
			err = p.print(ctx, s, d)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", next.number, err)
		}
	}
}

// print prints the answer to one position, texts with a blank line between them.
func (p *positionPrinter) print(ctx context.Context, s *session.Session, d game.Diagram) error {
	g, err := game.New(p.Rules, d.Width)
	if err != nil {
		return err
	}
	text, err := p.answer(ctx, s, g, d)
	if err != nil {
		return err
	}
	if p.printed > 0 && !p.JSON {
		text = append([]byte{'\n'}, text...)
	}
	p.printed++
	_, err = s.Out.Write(text)
	return err
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
			err = session.Usagef("%w: it is too long", game.ErrPosition)
		}
		if err != nil {
			send(line{number: number, err: err})
		}
	}()
	return lines
}
