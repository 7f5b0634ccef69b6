package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"bohnenspiel/tablebase/fault"

	"golang.org/x/term"
)

// The exit statuses.
const (
	statusAnswered = 0
	statusFailed   = 1 // the question can't be answered, or the data is bad
	statusUsage    = 2 // wrong usage, or a bad position
)

// console is what a command talks to: the standard streams and the environment.
type console struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(name string) string
}

// run executes the command line args, which begin with the name of the command,
// and returns the exit status. An error becomes one line on c.err.
func run(ctx context.Context, args []string, c console) int {
	root := newRootCommand(c)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return statusAnswered
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("stopped")
	}
	// The status says the same if the line can't be written.
	_, _ = fmt.Fprintf(c.err, "bohnenspiel: %s\n", oneLine(err.Error()))
	return exitStatus(err)
}

// note writes a line about the progress of the work to standard error.
func (c console) note(format string, args ...any) {
	// Work doesn't stop because nobody can read how far it is.
	_, _ = fmt.Fprintf(c.err, format+"\n", args...)
}

// terminal returns the terminal that standard error is, and whether it is one
// that can move the cursor.
func (c console) terminal() (*os.File, bool) {
	file, ok := c.err.(*os.File)
	if !ok || c.getenv("TERM") == "dumb" {
		return nil, false
	}
	return file, term.IsTerminal(int(file.Fd()))
}

// usageError is an error of the person who typed the command.
type usageError struct{ err error }

// Error returns the text of the error beneath.
func (e *usageError) Error() string { return e.err.Error() }

// Unwrap returns the error beneath.
func (e *usageError) Unwrap() error { return e.err }

// usagef makes a usage error, as fmt.Errorf does.
func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

func exitStatus(err error) int {
	var usage *usageError
	if errors.As(err, &usage) || fault.ClassOf(err) == fault.Usage {
		return statusUsage
	}
	return statusFailed
}

// oneLine joins the lines of a text, as a quoted argument may hold line breaks.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}
