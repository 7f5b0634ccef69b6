package main

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program runs this program in a folder of the test's.
type program struct {
	t    *testing.T
	path string
	dir  string
	// before is what the command line begins with, such as a shell that limits memory.
	before []string
}

func newProgram(t *testing.T) *program {
	t.Helper()
	path, err := exec.LookPath("bohnenspiel")
	if err != nil {
		t.Fatal(err)
	}
	return &program{t: t, path: path, dir: t.TempDir()}
}

// command returns a command that has not begun. It ends by itself when it takes so long
// that it must hang.
func (p *program) command(args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(p.t.Context(), 5*time.Minute)
	p.t.Cleanup(cancel)
	words := append(append([]string{}, p.before...), p.path)
	words = append(words, args...)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...) //nolint:gosec // it is this program
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", "GOTRACEBACK=single")
	return cmd
}

// run runs a command to its end and returns status and output.
func (p *program) run(args ...string) (status int, out string) {
	p.t.Helper()
	text, err := p.command(args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	if exit != nil {
		return exit.ExitCode(), string(text)
	}
	return 0, string(text)
}

// succeed runs a command that must exit with status 0.
func (p *program) succeed(args ...string) string {
	p.t.Helper()
	status, out := p.run(args...)
	if status != 0 {
		p.t.Fatalf("%s: status %d: %s", strings.Join(args, " "), status, out)
	}
	return out
}

// kill starts a command, kills it at a random moment before so much time has gone by, and
// reports whether it was still at work, and how long it ran.
func (p *program) kill(within time.Duration, args ...string) (killed bool, lasted time.Duration) {
	p.t.Helper()
	cmd := p.command(args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	began, after := time.Now(), rand.N(within)
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	killer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() }) // it may have ended
	err := cmd.Wait()
	killer.Stop()
	if err == nil {
		return false, time.Since(began)
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() || status.Signal() != syscall.SIGKILL {
		p.t.Errorf("%s, to be killed after %v, ends by itself: %v: %s", strings.Join(args, " "), after, err, &out)
	}
	return true, time.Since(began)
}

// killFive kills a command up to five times, which goes on each time from where it was and
// takes so long when it begins anew. It returns how many times it was still at work, and
// how long it takes as the machine is now.
func (p *program) killFive(took time.Duration, args ...string) (kills int, now time.Duration) {
	p.t.Helper()
	for range 5 {
		killed, lasted := p.kill(took, args...)
		switch {
		case killed:
			kills++
			continue
		case kills == 0:
			return kills, lasted
		}
		break
	}
	return kills, took + took/10 // it may have become slower
}

// wantPublished fails the test unless a database holds so many sound layers with the
// published hashes.
func (p *program) wantPublished(db string, layers int) {
	p.t.Helper()
	out := p.succeed("check", "--db", db, "--depth", "totals", "--published")
	if got := strings.Count(out, "the same"); got != layers {
		p.t.Errorf("%d layers have the published hash, want %d:\n%s", got, layers, out)
	}
}

// wantLine fails the test unless a failure is one line of ours that ends with status 1.
func (p *program) wantLine(what string, status int, out string) {
	p.t.Helper()
	if status != statusFailed || !isErrorLine(out) {
		p.t.Errorf("%s: status %d, want %d and one line: %s", what, status, statusFailed, out)
	}
}
