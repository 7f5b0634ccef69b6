package database_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/proof"
	"bohnenspiel/tablebase/store"
)

// childVariable holds what a test asks of its child, a process that runs this same
// program: "read", "create", "build", "keep", "search" or "solve", and a directory. To keep is to
// build and keep the state of the layer in work as often as can be; to search is to prove
// the score of searched and to keep the state of that as often as can be. A child that
// builds or keeps prints a line for each report, and waits for a byte after each: the test
// may be slower than it is.
const childVariable = "TABLEBASE_TEST_CHILD"

// childBeans is the last layer that a child builds.
const childBeans = 10

// searched is the position that a child searches, above the tables.
const searched = "1-2-1-2-1-2-2-1-2-1-2-1-0-0-S"

// TestMain runs the tests, or what a test asks of its child.
func TestMain(m *testing.M) {
	verb, dir, isChild := strings.Cut(os.Getenv(childVariable), " ")
	if !isChild {
		m.Run()
		return
	}
	if err := runChild(os.Stdin, os.Stdout, verb, dir); err != nil {
		_, _ = fmt.Fprintln(os.Stdout, "error:", err)
	}
}

func runChild(in io.Reader, out io.Writer, verb, dir string) error {
	g, err := game.New(game.Bohnenspiel, game.StandardWidth)
	if err != nil {
		return err
	}
	if verb == "read" {
		db, err := database.Open(dir, tablebase.Options{})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(out, len(db.Layers()), "layers")
		return errors.Join(err, db.Close())
	}
	if verb == "search" {
		return searchInChild(out, dir)
	}
	if verb == "solve" {
		return solveInChild(out, dir)
	}
	db, err := database.Create(dir, tablebase.Options{})
	if err != nil {
		return err
	}
	if verb == "build" || verb == "keep" {
		every := time.Hour
		if verb == "keep" {
			every = time.Nanosecond
		}
		_, err = build.Scores(context.Background(), db, build.Options{
			Game: g, Beans: childBeans, CheckpointEvery: every,
			Report: func(p build.Progress) {
				_, _ = fmt.Fprintln(out, p.Beans, p.Phase, p.Sweep, p.Done) // nobody may listen any more
				_, _ = io.ReadFull(in, make([]byte, 1))                     // or write
			},
		})
	}
	return errors.Join(err, db.Close())
}

// searchInChild goes on with a search, prints the score, and keeps it.
func searchInChild(out io.Writer, dir string) error {
	s, err := childSearcher(dir, searched, proof.Options{Memory: 64 << 20, SaveEvery: time.Millisecond})
	if err != nil {
		return err
	}
	defer s.Free()
	solution, err := s.Solve(context.Background(), 0, nil)
	if err == nil {
		err = tabletest.KeepBounds(s)
	}
	if err == nil {
		_, err = fmt.Fprintln(out, "bounds", solution.Bounds)
	}
	return err
}

// solveInChild goes on with a search as the program does, and prints what it has found.
// The position is long.
func solveInChild(out io.Writer, dir string) error {
	s, err := childSearcher(dir, tabletest.Long, proof.Options{Beans: tabletest.LongTables, Memory: 128 << 20})
	if err != nil {
		return err
	}
	defer s.Free()
	solution, err := s.Solve(context.Background(), 0, nil)
	if err == nil {
		_, err = fmt.Fprintln(out, "bounds", solution.Bounds[0], solution.Bounds[1], "visited", solution.Visited)
	}
	return err
}

// childSearcher returns a searcher of one worker for a position, above the tables in dir.
func childSearcher(dir, position string, o proof.Options) (*proof.Searcher, error) {
	d, err := game.ParseDiagram(position, 0)
	if err != nil {
		return nil, err
	}
	db, err := database.Open(dir, tablebase.Options{})
	if err != nil {
		return nil, err
	}
	o.Rules, o.Diagram, o.Workers = game.Bohnenspiel, d, 1
	s, err := proof.NewSearcher(context.Background(), db, o)
	return s, errors.Join(err, db.Close())
}

// child returns a command that runs a child, as a user without privileges if so
// asked. That user can reach the program and the parents of dir.
//
// Tests with children are not parallel to others: until it runs its program, a child
// shares the locks of all databases that were open when it was started.
func child(t *testing.T, verb, dir string, unprivileged bool) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), program)
	// The race detector would have each child sleep a second before it ends.
	command.Env = append(os.Environ(), childVariable+"="+verb+" "+dir, "GORACE=atexit_sleep_ms=0")
	if unprivileged && os.Geteuid() == 0 {
		data := tabletest.ReadFile(t, program)
		home := t.TempDir()
		command.Path = filepath.Join(home, "child")
		tabletest.WriteFile(t, command.Path, data)
		if err := os.Chmod(command.Path, 0o755); err != nil {
			t.Fatal(err)
		}
		admit(t, home)
		admit(t, filepath.Dir(dir))
		command.Dir = home
		asNobody(t, command)
	}
	return command
}

// admit lets everybody into a directory of the test's and into those above it. It skips
// the test where others can't reach what is above those.
func admit(t *testing.T, dir string) {
	t.Helper()
	const others = 0o005 // may list and enter
	outer := filepath.Clean(os.TempDir())
	for ; len(dir) > len(outer); dir = filepath.Dir(dir) {
		if mode := modeOf(t, dir); mode&others != others {
			if err := os.Chmod(dir, mode|0o055); err != nil {
				t.Fatal(err)
			}
		}
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if modeOf(t, dir)&0o001 == 0 {
			t.Skipf("only root can reach %s", dir)
		}
	}
}

func modeOf(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// run runs a child without privileges and returns what it prints.
func run(t *testing.T, verb, dir string) string {
	t.Helper()
	out, err := child(t, verb, dir, true).CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL) {
		t.Skipf("root cannot become another user here: %v", err)
	}
	if err != nil {
		t.Fatalf("%s %s: %v: %s", verb, dir, err, out)
	}
	return strings.TrimSpace(string(out))
}

// killAfter starts a child that builds or keeps, kills it after it has printed so many lines
// and before it goes on after the next, and reports whether it was still at work.
func killAfter(t *testing.T, verb, dir string, lines int) bool {
	t.Helper()
	command := child(t, verb, dir, false)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(make([]byte, lines)); err != nil && !errors.Is(err, syscall.EPIPE) { // it may have ended
		t.Error(err)
	}
	scanner := bufio.NewScanner(out)
	for range lines {
		if !scanner.Scan() {
			break
		}
		if strings.HasPrefix(scanner.Text(), "error:") {
			t.Error(scanner.Text())
		}
	}
	if err := command.Process.Kill(); err != nil {
		t.Error(err)
	}
	_, _ = io.Copy(io.Discard, out)
	return command.Wait() != nil
}

func TestReadOnlyDirectory(t *testing.T) {
	_, dir := tabletest.Even(t, 4)
	readable(t, dir, 0o555)
	t.Cleanup(func() { readable(t, dir, 0o755) })
	before := tabletest.Listing(t, dir)
	if got, want := run(t, "read", dir), "3 layers"; got != want {
		t.Errorf("reading gives %q, want %q", got, want)
	}
	wantText(t, run(t, "create", dir), store.ErrReadOnly, dir)
	wantText(t, run(t, "create", filepath.Join(dir, "new")), store.ErrReadOnly, dir)
	if len(before) != len(tabletest.Listing(t, dir)) {
		t.Error("files were added")
	}
}

func TestUnreadableDirectory(t *testing.T) {
	dir := tabletest.Built(t, tabletest.NewGame(t, game.Bohnenspiel, 6), 4)
	if err := os.Chmod(dir, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { readable(t, dir, 0o755) })
	for _, verb := range []string{"read", "create"} {
		got := run(t, verb, dir)
		wantText(t, got, store.ErrStorage, dir)
		if !strings.HasSuffix(got, "permission denied") {
			t.Errorf("%s gives %q, want permission denied", verb, got)
		}
	}
}

// TestTornReadOnlyDirectory reads what a killed builder has left where nobody may
// write.
func TestTornReadOnlyDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	killAfter(t, "build", dir, 20)
	readable(t, dir, 0o555)
	t.Cleanup(func() { readable(t, dir, 0o755) })
	got := run(t, "read", dir)
	wantText(t, got, store.ErrReadOnly, dir)
	if !strings.Contains(got, "was killed") {
		t.Errorf("got %q, want it to say that the build was killed", got)
	}
}

// readable sets the mode of a directory and makes what is in it readable to all.
func readable(t *testing.T, dir string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(dir, mode); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if err := os.Chmod(filepath.Join(dir, entry.Name()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// wantText fails the test unless a child prints an error with the text of want that
// names the directory.
func wantText(t *testing.T, got string, want error, dir string) {
	t.Helper()
	if !strings.HasPrefix(got, "error: "+want.Error()) || !strings.Contains(got, dir) || strings.Contains(got, "\n") {
		t.Errorf("got %q, want %q in one line that names %s", got, want, dir)
	}
}

// TestKill kills one builder after another.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	whole := tabletest.Open(t, tabletest.Built(t, tabletest.NewGame(t, game.Bohnenspiel, 6), childBeans))
	for _, verb := range []string{"build", "keep"} {
		t.Run(verb, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "db")
			layers, resumed := 0, false
			lines := 1
			for killAfter(t, verb, dir, lines) {
				lines += 1 + lines/4
				if _, err := os.Stat(tabletest.CheckpointPath(dir)); err == nil {
					resumed = true
				}
				db, err := database.Open(dir, tablebase.Options{})
				if err != nil {
					tabletest.WantError(t, err, store.ErrNoDatabase)
					continue
				}
				tabletest.WantSound(t, db)
				if got := len(db.Layers()); got < layers {
					t.Errorf("%d layers are left of %d", got, layers)
				}
				layers = len(db.Layers())
				tabletest.Close(t, db)
			}
			db := tabletest.Open(t, dir)
			tabletest.WantLayers(t, db, whole.Layers())
			if resumed != (verb == "keep") {
				t.Errorf("state of a layer was left: %v", resumed)
			}
			tabletest.WantNoCheckpoint(t, dir)
		})
	}
}
