package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"bohnenspiel/cmd/internal/console"
)

// TestStopped checks that commands which are interrupted say so in their own words, and
// fail. It is not parallel to tests that start processes, which would share its locks.
func TestStopped(t *testing.T) {
	db := t.TempDir()
	exec := func(ctx context.Context, input string, args ...string) (status int, stderr string) {
		var errors bytes.Buffer
		status = run(ctx, append(args, "--db", db, "--quiet"), console.Console{
			In: strings.NewReader(input), Out: new(bytes.Buffer), Err: &errors,
			Getenv: func(string) string { return "" },
		})
		return status, errors.String()
	}
	if status, stderr := exec(t.Context(), "", "build", "--beans", "4"); status != statusAnswered {
		t.Fatalf("build: got status %d, %s", status, stderr)
	}
	const (
		position = "0-1-0-1-0-0-0-1-0-1-0-0-0-0-S"
		game     = `[Position "` + position + `"]` + "\n2"
		study    = `[Stipulation "best"]` + game
	)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, test := range []struct {
		input string
		args  []string
	}{
		{args: []string{"stats", "--beans", "4", "--facts"}},
		{args: []string{"study", "find", "--beans", "4"}},
		{args: []string{"line", position}},
		{args: []string{"query", position}},
		{strings.Repeat(position+"\n", 100), []string{"line", "-"}},
		{strings.Repeat(position+"\n", 100), []string{"query", "-"}},
		{study, []string{"study", "verify", "-"}},
		{study, []string{"study", "solve", "-"}},
		{game, []string{"replay", "-"}},
		{args: []string{"build", "--beans", "6"}},
		{args: []string{"build", "--beans", "4", "--dtc"}},
	} {
		status, stderr := exec(stopped, test.input, test.args...)
		if status != statusFailed || !strings.HasPrefix(stderr, "bohnenspiel: stopped") || strings.Contains(stderr, "canceled") {
			t.Errorf("%v: got status %d, %q; want %d and a line that begins with \"bohnenspiel: stopped\"", test.args, status, stderr, statusFailed)
		}
	}
}
