package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// console is what a command talks to: the standard streams and the environment.
type console struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(name string) string
}

// print writes results to standard output.
func (c console) print(text string) error {
	_, err := io.WriteString(c.out, text)
	return err
}

// printJSON writes values to standard output, one JSON object a line.
func printJSON[T any](c console, values ...T) error {
	lines, err := jsonLines(values...)
	if err != nil {
		return err
	}
	_, err = c.out.Write(lines)
	return err
}

// jsonLines returns values as JSON, one object a line.
func jsonLines[T any](values ...T) ([]byte, error) {
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
