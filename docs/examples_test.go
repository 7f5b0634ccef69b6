package docs_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// example is a command in a document and the lines that it is said to print,
// standard output and standard error together. A line … stands for any lines.
type example struct {
	line    int // of the command, counted from 1
	command string
	want    []string
}

// The commands of console blocks, by what the tests do with them.
var (
	// Those that call the program are run.
	callsProgram = regexp.MustCompile(`(^|\| *)(go run \./cmd/bohnenspiel|bohnenspiel)( |$)`)
	// A test that runs tests would not end; their arguments are checked.
	callsTests = regexp.MustCompile(`^go test( |$)`)
	// Others that a reader needs are left alone.
	leftAlone = regexp.MustCompile(`^(bash|cd|git|go build|go install) |^benchmarks/\w+\.sh( |$)`)
)

const (
	prompt     = "$ "
	askStatus  = "echo $?" // prints the exit status of the command before
	anyLines   = "…"
	goRun      = "go run ./cmd/bohnenspiel"
	programDir = "./cmd/bohnenspiel"
)

// TestExamples runs the commands of the console blocks, each document by itself
// and beginning without tables, and compares what they print.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("builds tables")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	programs := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", programs+string(filepath.Separator), programDir)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("PATH", programs+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, p := range pages(t) {
		t.Run(p.path, func(t *testing.T) {
			t.Setenv("BOHNENSPIEL_DB", "")
			t.Setenv("XDG_DATA_HOME", t.TempDir())
			folder := t.TempDir()
			status := 0
			for _, e := range examples(p) {
				var got string
				switch {
				case e.command == askStatus:
					got = fmt.Sprintln(status)
				case callsProgram.MatchString(e.command):
					got, status = run(t, folder, e.command)
				default:
					continue
				}
				if !matches(e.want, got) {
					diff := cmp.Diff(strings.Join(e.want, "\n")+"\n", got)
					t.Errorf("%s:%d: %s prints something else (-document +program):\n%s", p.path, e.line, e.command, diff)
				}
			}
		})
	}
}

// TestExamplesAreKnown wants no command in a console block that the tests would
// pass over without meaning to.
func TestExamplesAreKnown(t *testing.T) {
	for _, p := range pages(t) {
		for _, e := range examples(p) {
			switch {
			case callsTests.MatchString(e.command):
				if err := checkGoTest(t, e.command); err != nil {
					t.Errorf("%s:%d: %s: %v", p.path, e.line, e.command, err)
				}
			case e.command != askStatus && !callsProgram.MatchString(e.command) && !leftAlone.MatchString(e.command):
				t.Errorf("%s:%d: %s: the tests don't know what to do with this command", p.path, e.line, e.command)
			}
		}
	}
}

// examples returns the commands of the console blocks of a page.
func examples(p page) []example {
	var all []example
	for _, b := range p.blocks {
		if b.info != "console" {
			continue
		}
		first := len(all)
		for i, line := range b.lines {
			if command, ok := strings.CutPrefix(line, prompt); ok {
				all = append(all, example{line: b.line + i, command: command})
			} else if len(all) > first {
				last := &all[len(all)-1]
				last.want = append(last.want, line)
			}
		}
	}
	return all
}

// run runs a command of a document in a folder of its own and returns what it
// prints and its exit status.
func run(t *testing.T, folder, command string) (out string, status int) {
	t.Helper()
	shell := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(command, goRun, "bohnenspiel"))
	shell.Dir = folder
	printed, err := shell.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(printed), shell.ProcessState.ExitCode()
}

// matches reports whether got is the lines of want, where a line … stands for
// any number of lines.
func matches(want []string, got string) bool {
	var pattern strings.Builder
	for _, line := range want {
		if line == anyLines {
			pattern.WriteString(`(.*\n)*`)
		} else {
			pattern.WriteString(regexp.QuoteMeta(line) + `\n`)
		}
	}
	return regexp.MustCompile(`^` + pattern.String() + `$`).MatchString(got)
}

// checkGoTest says what is wrong with the arguments of a go test command. Flags
// have to be written with =, so that all other arguments are packages.
func checkGoTest(t *testing.T, command string) error {
	t.Helper()
	for _, argument := range strings.Fields(command)[2:] {
		if strings.HasPrefix(argument, "-") {
			continue
		}
		list := exec.CommandContext(t.Context(), "go", "list", argument)
		list.Dir = root
		if out, err := list.CombinedOutput(); err != nil || len(out) == 0 {
			return fmt.Errorf("%s is no package: %s", argument, out)
		}
	}
	return nil
}

func TestExamplesOfPage(t *testing.T) {
	text := strings.Join([]string{
		"```console",        // 1
		"a line before any", // 2
		"$ bohnenspiel one", // 3
		"first",             // 4
		"",                  // 5
		"$ echo $?",         // 6
		"0",                 // 7
		"```",               // 8
		"```sh",             // 9
		"$ no example",      // 10
		"```",               // 11
	}, "\n")
	want := []example{
		{line: 3, command: "bohnenspiel one", want: []string{"first", ""}},
		{line: 6, command: "echo $?", want: []string{"0"}},
	}
	if diff := cmp.Diff(want, examples(parse("x.md", text)), cmp.AllowUnexported(example{})); diff != "" {
		t.Errorf("examples (-want +got):\n%s", diff)
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		want []string
		got  string
		same bool
	}{
		{nil, "", true},
		{nil, "a\n", false},
		{[]string{"a.", "b"}, "a.\nb\n", true},
		{[]string{"a."}, "ab\n", false},
		{[]string{"a"}, "a", false},
		{[]string{"a"}, "a\nb\n", false},
		{[]string{"…"}, "", true},
		{[]string{"a", "…", "b"}, "a\nb\n", true},
		{[]string{"a", "…", "b"}, "a\nx\ny\nb\n", true},
		{[]string{"a", "…", "b"}, "a\nx\ny\n", false},
		{[]string{"a", "x … y"}, "a\nx z y\n", false},
	} {
		if same := matches(c.want, c.got); same != c.same {
			t.Errorf("matches(%q, %q) = %t, want %t", c.want, c.got, same, c.same)
		}
	}
}
