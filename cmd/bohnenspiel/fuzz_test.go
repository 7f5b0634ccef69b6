package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
)

// FuzzByteSize reads sizes. What is taken is printed as a size again.
func FuzzByteSize(f *testing.F) {
	for _, text := range []string{"8GiB", "500MB", "1073741824", "0", "1.5GiB", "1k", "-1MB", "99999999999999EiB", "GiB", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var size, again session.ByteSize
		if err := size.Set(text); err != nil {
			return
		}
		if size == 0 {
			t.Errorf("%q is 0 bytes", text)
		}
		if err := again.Set(strings.ReplaceAll(size.String(), " ", "")); err != nil {
			t.Errorf("%q is printed as %q: %v", text, size.String(), err)
		}
	})
}

// FuzzCommandLine runs command lines of any words, which find no database. They end with a
// status, and say why in one line.
func FuzzCommandLine(f *testing.F) {
	for _, line := range []string{
		"query\n0-2-1-1-1-1-3-3-3-1-0-0-26-30-S", "query\n--json\n1 1 / 1 1", "query\n--rules\nnone\n-", "query\n--width\n-3\n1-1",
		"stats\n--beans\n99", "stats\n--beans=0x7", "check\n--memory\n1XB", "check\n--depth\ndeep\n--sample\n-1", "perft\n--plies\n1", "line\n-1",
		"export\n--beans\n3\n/nowhere/x", "version\nnow", "help\nnothing", "--workers\n9999999999999999999999", "\x00", "query\n\xff\xfe",
	} {
		f.Add(line)
	}
	dir := filepath.Join(f.TempDir(), "nothing")
	f.Fuzz(func(t *testing.T, text string) {
		args := strings.Split(text, "\n")
		for _, arg := range args {
			switch {
			case strings.HasPrefix(arg, "-") && strings.ContainsAny(arg, "hd"), strings.HasPrefix(arg, "--no"), strings.HasPrefix(arg, "--pl"):
				// Not another database, nor help, nor plies that take a year.
				return
			}
		}
		switch args[0] {
		case "query":
			args = append([]string{"query", "--no-build"}, args[1:]...)
		case "stats", "check", "line", "version":
		default: // others write, listen, or take long
			return
		}
		var out, problem bytes.Buffer
		status := run(context.Background(), args, console.Console{
			In: strings.NewReader(""), Out: &out, Err: &problem,
			Getenv: func(name string) string { return map[string]string{session.DatabaseVariable: dir}[name] },
		})
		switch {
		case status == statusAnswered && problem.Len() == 0:
		case status == statusUsage || status == statusFailed:
			if line := problem.String(); !strings.HasPrefix(line, "bohnenspiel: ") || strings.Index(line, "\n") != len(line)-1 {
				t.Errorf("%q: status %d and %q, want one line", args, status, line)
			}
		default:
			t.Errorf("%q: status %d and %q", args, status, problem.String())
		}
	})
}
