package benchmarks_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestScripts runs the scripts on small layers, so that they keep up with the
// commands that they call. Their figures mean nothing there.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the baseline and the program")
	}
	for _, program := range []string{"bash", "g++", "/usr/bin/time"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	for _, c := range []struct {
		command []string
		want    []string // beginnings of the rows, as regular expressions
	}{
		{
			command: []string{"./compare.sh", "--runs", "2", "--workers", "1 2", "4", "8"},
			want: []string{
				`\| beans `, `\|---:`,
				`\| 4 \| 1444 \| naive \| 1 `, `\| 4 \| 1444 \| bohnenspiel \| 1 `, `\| 4 \| 1444 \| bohnenspiel \| 2 `,
				`\| 8 \| 89402 \| naive \| 1 `, `\| 8 \| 89402 \| bohnenspiel \| 1 `, `\| 8 \| 89402 \| bohnenspiel \| 2 `,
			},
		},
		{
			command: []string{"./sizes.sh", "4"},
			want:    []string{`\| beans `, `\|---:`, `\| 0 \| 1 \| \d+ `, `\| 2 \| 78 \| \d+ `, `\| 4 \| 1,365 \| \d+ `},
		},
	} {
		t.Run(c.command[0], func(t *testing.T) {
			script := exec.CommandContext(t.Context(), "bash", c.command...)
			var progress strings.Builder
			script.Stderr = &progress
			out, err := script.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, progress.String())
			}
			rows := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
			if len(rows) != len(c.want) {
				t.Fatalf("got %d rows, want %d:\n%s", len(rows), len(c.want), out)
			}
			for i, row := range rows {
				if !regexp.MustCompile("^" + c.want[i]).MatchString(row) {
					t.Errorf("got row %s, want %s", row, c.want[i])
				}
			}
		})
	}
}

// TestScriptsRefuse wants bad arguments to be refused.
func TestScriptsRefuse(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	for _, arguments := range [][]string{
		{"./compare.sh", "ten"},
		{"./compare.sh", "--runs"},
		{"./compare.sh", "--workers", "-1"},
		{"./sizes.sh", "--fast"},
	} {
		if out, err := exec.CommandContext(t.Context(), "bash", arguments...).CombinedOutput(); err == nil {
			t.Errorf("%v: got success, want an error:\n%s", arguments, out)
		}
	}
}
