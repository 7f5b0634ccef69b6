package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"bohnenspiel/tablebase/store"
)

// faultsVariable says how many percent of the full number of faults are to be tried;
// without it, few are. docs/verification.md has the command.
const faultsVariable = "BOHNENSPIEL_FAULTS"

// fullFaults reports whether more than a few faults are to be tried, and what percentage
// of all.
func fullFaults() (percent int, full bool) {
	percent, err := strconv.Atoi(os.Getenv(faultsVariable))
	return percent, err == nil
}

// counts returns how often to try: with -short, in all tests, or what is asked for of the
// full number.
func counts(short, usual, full int) int {
	percent, ok := fullFaults()
	switch {
	case ok:
		return full * percent / 100
	case testing.Short():
		return short
	}
	return usual
}

// pick is counts for what is no number of tries.
func pick(short, usual, full int) int {
	_, ok := fullFaults()
	switch {
	case ok:
		return full
	case testing.Short():
		return short
	}
	return usual
}

// TestFaultKills kills builds and imports at random moments. What comes after goes on
// from there, and ends with the published layers.
func TestFaultKills(t *testing.T) {
	t.Parallel()
	beans := pick(8, 10, 18)
	p := newProgram(t)
	last := fmt.Sprint(beans)
	began := time.Now()
	p.succeed("build", "--db", "whole", "--beans", last, "--quiet")
	took := time.Since(began)
	layers := beans/2 + 1
	p.wantPublished("whole", layers)
	p.succeed("export", "--db", "whole", "--beans", last, "whole.bns")

	kills, rounds := 0, 0
	for want := counts(2, 6, 200); kills < want; rounds++ {
		db := fmt.Sprintf("killed-%d", rounds)
		var killed int
		killed, took = p.killFive(took, "build", "--db", db, "--beans", last, "--quiet")
		kills += killed
		p.succeed("build", "--db", db, "--beans", last, "--quiet")
		p.wantPublished(db, layers)
		if err := os.RemoveAll(filepath.Join(p.dir, db)); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d kills of a build to %d beans in %d rounds", kills, beans, rounds)

	began = time.Now()
	p.succeed("import", "--db", "imported", "whole.bns")
	took = time.Since(began)
	kills = 0
	for want := counts(1, 4, 50); kills < want; {
		killed, lasted := p.kill(took, "import", "--db", "cut", "whole.bns")
		if !killed {
			took = lasted
			if err := os.RemoveAll(filepath.Join(p.dir, "cut")); err != nil { // it is whole
				t.Fatal(err)
			}
			continue
		}
		kills++
		took += took / 10 // it may have become slower
		// Nothing is there, or all of it.
		if status, out := p.run("stats", "--db", "cut"); status == 0 {
			p.wantPublished("cut", layers)
		} else {
			p.wantLine("stats after a killed import", status, out)
		}
		if kills%5 == 0 || kills == want {
			p.succeed("import", "--db", "cut", "whole.bns")
			p.wantPublished("cut", layers)
			if err := os.RemoveAll(filepath.Join(p.dir, "cut")); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d kills of an import", kills)
}

// TestFaultDepthKills kills builds of scores and depths at random moments. What comes after
// goes on from there, to the same scores and depths.
func TestFaultDepthKills(t *testing.T) {
	t.Parallel()
	beans := fmt.Sprint(pick(6, 8, 14))
	p := newProgram(t)
	build := func(db string) []string {
		return []string{"build", "--dtc", "--db", db, "--beans", beans, "--quiet"}
	}
	began := time.Now()
	p.succeed(build("whole")...)
	took := time.Since(began)
	want := p.succeed("stats", "--db", "whole", "--json") // with the hashes of both
	kills := 0
	for most := counts(2, 6, 50); kills < most; {
		var killed int
		killed, took = p.killFive(took, build("db")...)
		kills += killed
		p.succeed(build("db")...)
		p.succeed("check", "--db", "db", "--depth", "totals")
		if got := p.succeed("stats", "--db", "db", "--json"); got != want {
			t.Errorf("after %d kills: got %s, want %s", kills, got, want)
		}
		if err := os.RemoveAll(filepath.Join(p.dir, "db")); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d kills of a build of scores and depths to %s beans", kills, beans)
}

// TestFaultSolveKills kills searches at random moments, also while they keep what they have
// proved. Tables and kept bounds stay sound, and what comes after finds the same score.
func TestFaultSolveKills(t *testing.T) {
	t.Parallel()
	const beans, layers = 4, 3
	p := newProgram(t)
	solve := []string{"solve", "--db", "db", "--no-build", "--memory", "200MiB", "--quiet", "--json", "1 2 3 4 5 6 / 1 2 3 4 5 3"}
	build := func() {
		p.succeed("build", "--db", "db", "--beans", fmt.Sprint(beans), "--quiet")
	}
	scoreOf := func(out string) string {
		var found struct {
			Score  *int
			Bounds [2]int
		}
		if err := json.Unmarshal([]byte(out), &found); err != nil || found.Score == nil {
			t.Fatalf("no score, %v: %s", err, out)
		}
		return fmt.Sprint(*found.Score, found.Bounds)
	}
	build()
	began := time.Now()
	want := scoreOf(p.succeed(solve...))
	took := time.Since(began)
	remove := func() {
		if err := os.RemoveAll(filepath.Join(p.dir, "db")); err != nil {
			t.Fatal(err)
		}
	}
	remove()
	kills, ends := 0, 0
	for most := counts(2, 6, 50); kills < most; {
		build()
		for range 5 {
			killed, lasted := p.kill(took, solve...)
			p.wantPublished("db", layers)
			if !killed {
				took = lasted
				break
			}
			kills++
			took += took / 10 // it may have become slower
		}
		if got := scoreOf(p.succeed(solve...)); got != want {
			t.Errorf("after %d kills: got %s, want %s", kills, got, want)
		}
		if out := p.succeed("check", "--db", "db", "--published"); !strings.Contains(out, "sound: kept bounds of 1 position") {
			t.Errorf("after %d kills: no bounds are kept: %s", kills, out)
		}
		ends++
		remove()
	}
	t.Logf("%d kills of a search, %d ends", kills, ends)
}

// TestFaultWrites has the k-th system call fail that writes to a file of the database, in
// each thread, for each k. The program stops with one line, and a build without failures
// goes on from there.
func TestFaultWrites(t *testing.T) {
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("there is no strace")
	}
	const beans, layers = 10, 6
	most := pick(1, 4, 1000)
	for _, failing := range []struct {
		calls, failure string
		onFiles        bool // whether others than files of the database use these calls
	}{
		{"write,pwrite64,rename,renameat,renameat2,unlink,unlinkat", "EIO", true},
		{"msync,fsync,fdatasync,ftruncate,fallocate", "ENOSPC", false},
		{"msync,fsync,fdatasync,ftruncate,fallocate", "EIO", false},
	} {
		for k := 1; k <= most; k++ {
			p := newProgram(t)
			trace := filepath.Join(p.dir, "trace")
			db := filepath.Join(p.dir, "db")
			p.before = []string{
				strace, "-f", "-qq", "-o", trace, "-e", "trace=" + failing.calls,
				"-e", fmt.Sprintf("inject=%s:error=%s:when=%d", failing.calls, failing.failure, k),
			}
			for _, name := range []string{
				"", "MANIFEST", "MANIFEST-REWRITE", "KEYREGISTRY", "KEYREGISTRY-REWRITE", "REWRITE-KEYREGISTRY", "DISCARD",
				"000001.vlog", "000002.vlog", "00001.mem", "00002.mem", "00003.mem", "000001.sst", "000002.sst", "000003.sst",
				"LAYER-IN-WORK", "LAYER-IN-WORK.new",
			} {
				if failing.onFiles {
					p.before = append(p.before, "-P", filepath.Join(db, name))
				}
			}
			status, out := p.run("build", "--db", db, "--beans", fmt.Sprint(beans), "--quiet")
			if strings.Contains(out, "ptrace") || strings.Contains(out, "PTRACE") {
				t.Skipf("strace can't trace here: %s", out)
			}
			text, err := os.ReadFile(trace)
			if err != nil {
				t.Fatal(err)
			}
			injected := bytes.Count(text, []byte("INJECTED"))
			what := fmt.Sprintf("%s: %s at call %d, %d times", failing.calls, failing.failure, k, injected)
			if status != 0 {
				p.wantLine(what, status, out)
			}
			t.Logf("%s: status %d %s", what, status, strings.TrimSpace(out))
			p.before = nil
			if status, out := p.run("build", "--db", db, "--beans", fmt.Sprint(beans), "--quiet"); status != 0 {
				// A disk that fails may leave a database that can't be opened again.
				p.wantLine(what+", then without failures", status, out)
				t.Logf("%s: it has to be repaired: %s", what, strings.TrimSpace(out))
				if !strings.Contains(out, "check --repair") {
					t.Errorf("%s, then without failures: %s", what, out)
				}
				if status, out := p.run("check", "--db", db, "--repair"); status != statusFailed || !strings.Contains(out, "given up") {
					t.Errorf("%s, repair: status %d: %s", what, status, out)
				}
				p.succeed("build", "--db", db, "--beans", fmt.Sprint(beans), "--quiet")
			}
			p.wantPublished(db, layers)
			if injected == 0 {
				t.Logf("%s: no thread makes %d calls", failing.calls, k)
				break
			}
			if t.Failed() {
				t.Fatalf("%s: %s", what, text)
			}
		}
	}
}

// TestFaultTwo has commands meet in one database.
func TestFaultTwo(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	p := newProgram(t)
	p.succeed("build", "--db", "db", "--beans", "8", "--quiet")
	builder := p.command("build", "--db", "db", "--beans", fmt.Sprint(pick(18, 18, 22)), "--workers", "1")
	stderr, err := builder.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := builder.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stderr).ReadString('\n'); err != nil { // of the first layer
		t.Fatalf("the builder says %q, then %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, stderr) }()
	position := "0 1 0 0 0 1 / 0 0 0 0 0 0"
	met := 0
	for range counts(3, 10, 100) {
		for _, command := range [][]string{{"query", "--no-build", position}, {"build", "--beans", "10"}, {"check", "--beans", "8"}, {"check", "--repair"}} {
			args := append([]string{command[0], "--db", "db"}, command[1:]...)
			switch status, out := p.run(args...); {
			case status == 0:
			case strings.Contains(out, store.ErrLocked.Error()) || strings.Contains(out, store.ErrInUse.Error()):
				p.wantLine(command[0], status, out)
				met++
			default:
				t.Errorf("%s: status %d: %s", command[0], status, out)
			}
		}
	}
	if err := builder.Wait(); err != nil {
		t.Error(err)
	}
	if met == 0 {
		t.Error("no command met the builder")
	}
	p.succeed("check", "--db", "db", "--published", "--depth", "totals")
}
