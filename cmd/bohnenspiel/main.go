package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/tablebase/fault"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal asks for a clean stop; from then on a second one kills.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], console.Console{
		In:     os.Stdin,
		Out:    os.Stdout,
		Err:    os.Stderr,
		Getenv: os.Getenv,
	}))
}

// run executes the command line args, which begin with the name of the command,
// and returns the exit status. An error becomes one line on c.err.
func run(ctx context.Context, args []string, c console.Console) int {
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
	_, _ = fmt.Fprintf(c.Err, "bohnenspiel: %s\n", oneLine(err.Error()))
	return exitStatus(err)
}

// The exit statuses.
const (
	statusAnswered = 0
	statusFailed   = 1 // the question can't be answered, or the data is bad
	statusUsage    = 2 // wrong usage, or a bad position
)

func exitStatus(err error) int {
	var usage *session.UsageError
	if errors.As(err, &usage) || fault.ClassOf(err) == fault.Usage {
		return statusUsage
	}
	return statusFailed
}

// oneLine joins the lines of a text, as a quoted argument may hold line breaks.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}
