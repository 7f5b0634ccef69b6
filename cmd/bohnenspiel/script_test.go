package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/store"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"bohnenspiel": main, "interrupt": interrupt})
}

// TestScripts runs the scripts of testdata/script. Besides the commands of package
// testscript they have
//
//	exits STATUS ARG…          run bohnenspiel, which must exit with the status
//	fails STATUS ARG…          the same, and the error is one line and all there is
//	start NAME PATTERN ARG…    run bohnenspiel in the background, and wait until a
//	                           line that it prints matches; on standard input it
//	                           gets one position, and waits for more
//	await GLOB BYTES           wait until a file is so large
//	signal NAME INT|KILL       send it a signal and wait for its end; files NAME.stdout,
//	                           NAME.stderr and NAME.status hold what came of it
//	overwrite FILE OFFSET HEX  write other bytes over those of a file
//	resident SIZE ARG…         run bohnenspiel, which must succeed and never have so
//	                           many bytes in memory
//	get FILE TARGET            ask the server whose address is the text of a file, and
//	                           write the status and the body to standard output
//	get -same WANT FILE TARGET the same, and the body must be the text of a file
//	snapshot DIR FILE          list names, sizes and contents of a tree in a file
//
// and with exec the program
//
//	interrupt DIR BEANS SWEEP  build up to so many beans, keep the state of the last
//	                           layer in a sweep, and stop there
//
// This process opens no database meanwhile: each process that it starts shares its locks
// until it runs its program, even those that have been given back.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_DATA_HOME", filepath.Join(env.WorkDir, "data"))
			env.Setenv("TERM", "xterm")
			// Programs with a race detector sleep for a second when they exit.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			// So that tests can be run as on a machine of other size.
			env.Setenv("GOMAXPROCS", os.Getenv("GOMAXPROCS"))
			env.Values[backgroundKey{}] = map[string]*background{}
			return nil
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "root":
				return os.Geteuid() == 0, nil
			case "race":
				return raceDetector, nil
			case "terminals":
				file, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
				if err == nil {
					err = file.Close()
				}
				return err == nil, nil
			case "vast":
				free, known := store.FreeDisk(os.TempDir())
				return !known || free > vastDisk, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":     cmdExits,
			"fails":     cmdFails,
			"start":     cmdStart,
			"await":     cmdAwait,
			"signal":    cmdSignal,
			"overwrite": cmdOverwrite,
			"resident":  cmdResident,
			"get":       cmdGet,
			"snapshot":  cmdSnapshot,
		},
	})
}

func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exits STATUS ARG…")
	}
	got := 0
	if err := ts.Exec("bohnenspiel", args[1:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Check(err)
		}
		got = exit.ExitCode()
	}
	if want := args[0]; strconv.Itoa(got) != want {
		ts.Fatalf("exit status: got %d, want %s", got, want)
	}
}

func cmdFails(ts *testscript.TestScript, neg bool, args []string) {
	cmdExits(ts, neg, args)
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("standard output of a failure: got %q, want nothing", out)
	}
	if line := ts.ReadFile("stderr"); !isErrorLine(line) {
		ts.Fatalf("standard error: got %q, want one line that begins with bohnenspiel:", line)
	}
}

// isErrorLine reports whether a text is one error line of ours, without words of
// the libraries below.
func isErrorLine(text string) bool {
	for _, foreign := range []string{"badger", "context canceled", "goroutine", "%!"} {
		if strings.Contains(strings.ToLower(text), foreign) {
			return false
		}
	}
	return strings.HasPrefix(text, "bohnenspiel: ") && strings.Index(text, "\n") == len(text)-1
}

// vastDisk is more than 28 layers take, to that of 54 beans, in bytes.
const vastDisk = 4 << 40

// background is a process that a script started.
type background struct {
	cmd            *exec.Cmd
	stdout, stderr string // files
}

// backgroundKey finds the processes of a script by their names.
type backgroundKey struct{}

func cmdStart(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: start NAME PATTERN ARG…")
	}
	name := args[0]
	pattern, err := regexp.Compile(args[1])
	ts.Check(err)
	path, err := exec.LookPath("bohnenspiel")
	ts.Check(err)

	ctx, kill := context.WithCancel(context.Background())
	ts.Defer(kill) // in case the script does not end it
	cmd := exec.CommandContext(ctx, path, args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = []string{"XDG_DATA_HOME=" + ts.Getenv("XDG_DATA_HOME")}
	b := &background{cmd: cmd, stdout: ts.MkAbs(name + ".stdout"), stderr: ts.MkAbs(name + ".stderr")}
	stdout, err := os.Create(b.stdout)
	ts.Check(err)
	stderr, err := os.Create(b.stderr)
	ts.Check(err)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	stdin, err := cmd.StdinPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	_, err = stdin.Write([]byte("0 1 0 0 0 1 / 0 0 0 0 0 0\n"))
	ts.Check(err)
	ts.Check(errors.Join(stdout.Close(), stderr.Close()))
	backgrounds, ok := ts.Value(backgroundKey{}).(map[string]*background)
	if !ok {
		ts.Fatalf("no table of processes")
	}
	backgrounds[name] = b

	waitFor(ts, fmt.Sprintf("a line of %s or %s that matches %q", b.stdout, b.stderr, args[1]), func() bool {
		return slices.ContainsFunc([]string{b.stdout, b.stderr}, func(name string) bool {
			text, err := os.ReadFile(name)
			ts.Check(err)
			return pattern.Match(text)
		})
	})
}

func cmdAwait(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: await GLOB BYTES")
	}
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	waitFor(ts, fmt.Sprintf("%s of %d bytes", args[0], size), func() bool {
		names, err := filepath.Glob(ts.MkAbs(args[0]))
		ts.Check(err)
		return slices.ContainsFunc(names, func(name string) bool {
			info, err := os.Stat(name) // it may be gone meanwhile
			return err == nil && info.Size() >= size
		})
	})
}

// waitFor waits for something, with the patience that a busy machine needs.
func waitFor(ts *testscript.TestScript, what string, there func() bool) {
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if there() {
			return
		}
	}
	ts.Fatalf("waited five minutes for %s", what)
}

func cmdSignal(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]syscall.Signal{"INT": syscall.SIGINT, "KILL": syscall.SIGKILL}
	if neg || len(args) != 2 || signals[args[1]] == 0 {
		ts.Fatalf("usage: signal NAME INT|KILL")
	}
	backgrounds, _ := ts.Value(backgroundKey{}).(map[string]*background)
	b := backgrounds[args[0]]
	if b == nil {
		ts.Fatalf("no process %s", args[0])
	}
	ts.Check(b.cmd.Process.Signal(signals[args[1]]))
	var exit *exec.ExitError
	if err := b.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		ts.Check(err)
	}
	status := fmt.Sprintln(b.cmd.ProcessState.ExitCode())
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".status"), []byte(status), 0o666))
}

func cmdOverwrite(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: overwrite FILE OFFSET BYTES")
	}
	offset, err := strconv.Atoi(args[1])
	ts.Check(err)
	replacement, err := hex.DecodeString(args[2])
	ts.Check(err)
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	if offset+len(replacement) > len(data) || bytes.Equal(data[offset:offset+len(replacement)], replacement) {
		ts.Fatalf("%s has no other bytes than %s at %d", args[0], args[2], offset)
	}
	copy(data[offset:], replacement)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o666))
}

// interrupt is the program of that name.
func interrupt() {
	if err := interruptBuild(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func interruptBuild(args []string) error {
	if len(args) != 3 {
		return errors.New("usage: interrupt DIR BEANS SWEEP")
	}
	beans, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	sweep, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	g, err := game.New(game.Bohnenspiel, game.StandardWidth)
	if err != nil {
		return err
	}
	db, err := database.Create(args[0], tablebase.Options{})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err = build.Scores(ctx, db, build.Options{
		Game: g, Beans: beans, CheckpointEvery: time.Nanosecond,
		Report: func(p build.Progress) {
			if p.Beans == beans && p.Sweep == sweep && p.Done > p.Total/2 {
				cancel()
			}
		},
	})
	if !errors.Is(err, context.Canceled) {
		return fmt.Errorf("build: got error %w, want that of the context", err)
	}
	return db.Close()
}

func cmdResident(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: resident SIZE ARG…")
	}
	var most session.ByteSize
	ts.Check(most.Set(args[0]))
	path, err := exec.LookPath("bohnenspiel")
	ts.Check(err)
	cmd := exec.CommandContext(context.Background(), path, args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = []string{"XDG_DATA_HOME=" + ts.Getenv("XDG_DATA_HOME")}
	if out, err := cmd.CombinedOutput(); err != nil {
		ts.Fatalf("%v: %s", err, out)
	}
	peak, known := peakMemory(cmd.ProcessState)
	if known && peak >= uint64(most) {
		ts.Fatalf("it took %d bytes of memory, want less than %d", peak, most)
	}
}

// cmdGet speaks HTTP itself: only the server knows package net/http.
func cmdGet(ts *testscript.TestScript, neg bool, args []string) {
	want := ""
	if len(args) == 4 && args[0] == "-same" {
		want = ts.ReadFile(args[1])
		args = args[2:]
	}
	if neg || len(args) != 2 {
		ts.Fatalf("usage: get [-same WANT] FILE TARGET")
	}
	address := strings.Trim(strings.TrimPrefix(ts.ReadFile(args[0]), "http:"), "/\n")
	connection, err := net.Dial("tcp", address) //nolint:noctx // the deadline bounds it
	ts.Check(err)
	defer func() { _ = connection.Close() }() // all has been read
	ts.Check(connection.SetDeadline(time.Now().Add(time.Minute)))
	_, err = fmt.Fprintf(connection, "GET %s HTTP/1.0\r\n\r\n", args[1])
	ts.Check(err)
	answer, err := io.ReadAll(connection)
	ts.Check(err)
	head, body, _ := strings.Cut(string(answer), "\r\n\r\n")
	if want != "" && body != want {
		ts.Fatalf("body: got %s, want %s", body, want)
	}
	status := strings.Fields(head)[1]
	_, err = fmt.Fprintf(ts.Stdout(), "%s\n%s", status, body)
	ts.Check(err)
}

func cmdSnapshot(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: snapshot DIR FILE")
	}
	root := ts.MkAbs(args[0])
	var list strings.Builder
	ts.Check(filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			fmt.Fprintf(&list, "%s/\n", path)
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%s %d %x\n", path, len(data), sha256.Sum256(data))
		return nil
	}))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(list.String()), 0o666))
}
