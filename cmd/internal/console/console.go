package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// Console is what a command talks to: the standard streams and the environment.
type Console struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(name string) string
}

// Print writes results to standard output.
func (c Console) Print(text string) error {
	_, err := io.WriteString(c.Out, text)
	return err
}

// PrintJSON writes values to standard output, one JSON object a line.
func PrintJSON[T any](c Console, values ...T) error {
	lines, err := JSONLines(values...)
	if err != nil {
		return err
	}
	_, err = c.Out.Write(lines)
	return err
}

// JSONLines returns values as JSON, one object a line.
func JSONLines[T any](values ...T) ([]byte, error) {
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	for _, value := range values {
		if err := lines.Encode(value); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}

// Note writes a line about the progress of the work to standard error.
func (c Console) Note(format string, args ...any) {
	// Work doesn't stop because nobody can read how far it is.
	_, _ = fmt.Fprintf(c.Err, format+"\n", args...)
}

// terminal returns the terminal that standard error is, and whether it is one
// that can move the cursor.
func (c Console) terminal() (*os.File, bool) {
	file, ok := c.Err.(*os.File)
	if !ok || c.Getenv("TERM") == "dumb" {
		return nil, false
	}
	return file, term.IsTerminal(int(file.Fd()))
}
