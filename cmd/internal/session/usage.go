package session

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// UsageError is an error of the person who typed the command.
type UsageError struct{ err error }

// Error returns the text of the error beneath.
func (e *UsageError) Error() string { return e.err.Error() }

// Unwrap returns the error beneath.
func (e *UsageError) Unwrap() error { return e.err }

// Usage returns an error as one of usage.
func Usage(err error) error { return &UsageError{err} }

// Usagef makes a usage error, as fmt.Errorf does.
func Usagef(format string, args ...any) error {
	return &UsageError{fmt.Errorf(format, args...)}
}

// UnknownCommand returns the usage error for a command that is not there, with similar ones.
func UnknownCommand(cmd *cobra.Command, name string) error {
	cmd.SuggestionsMinimumDistance = 2
	hint := ""
	if similar := cmd.SuggestionsFor(name); len(similar) > 0 {
		hint = fmt.Sprintf(" did you mean %s?", strings.Join(similar, " or "))
	}
	return Usagef("unknown command %q;%s see %s --help", name, hint, cmd.CommandPath())
}
