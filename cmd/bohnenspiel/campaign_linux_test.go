package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bohnenspiel/tablebase/campaign"
)

// TestCampaignPieces has three processes work on three copies of a campaign that are
// merged now and then, and kills them at random. No line is ever lost, what each of them
// proves serves the others, and the score is right.
func TestCampaignPieces(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	t.Parallel()
	const (
		kills = 20
		start = "6-6-6-6-6-6-6-6-0-0-S"
	)
	p := newProgram(t)
	p.succeed("build", "--db", "tables", "--width", "4", "--beans", "16", "--quiet")
	p.succeed("campaign", "new", "0", start)
	names := []string{"0", "1", "2"}
	whole, err := os.ReadFile(filepath.Join(p.dir, "0"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names[1:] {
		if err := os.WriteFile(filepath.Join(p.dir, name), whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w := make([]*worker, len(names))
	for i := range w {
		w[i] = &worker{program: p, args: []string{
			"campaign", "run", "--db", "tables", "--workers", "1", "--memory", "100MiB", "--quiet", "--job-positions", "10000",
			"--part", fmt.Sprintf("%d/%d", i+1, len(names)), names[i],
		}}
		w[i].start()
	}
	seen := make(map[string]bool) // lines
	killed := 0
	for deadline := time.Now().Add(5 * time.Minute); !p.campaignDone(names[0]); {
		if time.Now().After(deadline) {
			t.Fatal("no end")
		}
		time.Sleep(time.Duration(rand.IntN(250)) * time.Millisecond)
		if i := rand.IntN(len(w)); killed < kills && w[i].kill() {
			killed++
			w[i].start()
		}
		for _, name := range names {
			p.lines(name, seen)
		}
		for i := range names {
			p.succeed("campaign", "merge", names[i], names[(i+1)%len(names)], names[(i+2)%len(names)])
		}
	}
	for _, w := range w {
		w.wait()
	}
	if killed < kills/2 { // all may be done sooner than on other machines
		t.Errorf("killed %d times, want %d", killed, kills)
	}
	all := make(map[string]bool)
	p.lines(names[0], all)
	for line := range seen {
		if !all[line] {
			t.Errorf("lost: %s", line)
		}
	}
	s := p.campaignStatus(names[0])
	if s.Questions[0].Answer == nil || s.Questions[0].Bounds != [2]int8{} {
		t.Errorf("got %+v", s)
	}
	t.Logf("%d kills, %d jobs, %d positions", killed, s.JobsDone, s.Visited)
}

// worker is a process that works on a campaign.
type worker struct {
	program *program
	args    []string
	command *exec.Cmd
	ended   chan error
	errors  *bytes.Buffer // what it says on standard error
}

// start starts the process.
func (w *worker) start() {
	w.program.t.Helper()
	w.command, w.ended = w.program.command(w.args...), make(chan error, 1)
	w.errors = new(bytes.Buffer)
	w.command.Stderr = w.errors
	if err := w.command.Start(); err != nil {
		w.program.t.Fatal(err)
	}
	go func(c *exec.Cmd, ended chan error) { ended <- c.Wait() }(w.command, w.ended)
}

// kill kills the process, and reports whether it was at work.
func (w *worker) kill() bool {
	select {
	case err := <-w.ended:
		w.ended <- err
		return false
	default:
	}
	_ = w.command.Process.Kill() // it may have ended
	return <-w.ended != nil
}

// wait waits until the process has ended by itself.
func (w *worker) wait() {
	w.program.t.Helper()
	if err := <-w.ended; err != nil {
		w.program.t.Errorf("%s: %v: %s", strings.Join(w.args, " "), err, w.errors)
	}
}

// lines adds the whole lines of a file to those that were seen.
func (p *program) lines(name string, seen map[string]bool) {
	p.t.Helper()
	lines, err := campaign.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, l := range lines {
		seen[l.String()] = true
	}
}

// campaignState is what the test reads of a status.
type campaignState struct {
	Questions []struct {
		Bounds [2]int8
		Answer *bool
	}
	JobsDone int `json:"jobs_done"`
	Visited  uint64
}

// campaignStatus returns how far a campaign is.
func (p *program) campaignStatus(name string) campaignState {
	p.t.Helper()
	var s campaignState
	if err := json.Unmarshal([]byte(p.succeed("campaign", "status", "--json", name)), &s); err != nil {
		p.t.Fatal(err)
	}
	return s
}

// campaignDone reports whether all is answered.
func (p *program) campaignDone(name string) bool {
	p.t.Helper()
	return p.campaignStatus(name).Questions[0].Answer != nil
}
