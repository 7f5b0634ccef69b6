package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bohnenspiel/tablebase/store"
)

// TestFaultDisk builds and imports on disks that are too small or fill up meanwhile.
func TestFaultDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const beans, layers = 14, 8
	p := newProgram(t)
	p.succeed("build", "--db", "whole", "--beans", fmt.Sprint(beans), "--quiet")
	p.succeed("export", "--db", "whole", "--beans", fmt.Sprint(beans), "whole.bns")
	disk := filepath.Join(p.dir, "disk")
	sizes := []int{1, 8, 100, 128, 129, 130, 131, 132, 133, 135, 140, 200}
	if _, full := fullFaults(); !full {
		sizes = []int{8, 130, 200}
	}
	for _, mebibytes := range sizes {
		if err := os.Mkdir(disk, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%dm", mebibytes)); err != nil {
			t.Skipf("no disk can be mounted: %v", err)
		}
		func() {
			defer func() {
				if err := syscall.Unmount(disk, 0); err != nil {
					t.Fatal(err)
				}
				if err := os.Remove(disk); err != nil {
					t.Fatal(err)
				}
			}()
			for _, command := range [][]string{
				{"build", "--db", "disk/built", "--beans", fmt.Sprint(beans), "--quiet"},
				{"import", "--db", "disk/imported", "--quiet", "whole.bns"},
				{"export", "--db", "whole", "--beans", fmt.Sprint(beans), "--quiet", "disk/file.bns"},
			} {
				status, out := p.run(command...)
				if status != 0 {
					p.wantLine(fmt.Sprintf("%s on %d MiB", command[0], mebibytes), status, out)
				}
				t.Logf("%d MiB: %s: status %d %s", mebibytes, command[0], status, strings.TrimSpace(out))
				// What is there is right, or nothing is.
				if command[0] == "export" {
					if _, err := os.Stat(filepath.Join(p.dir, "disk/file.bns")); (err == nil) != (status == 0) {
						t.Errorf("%d MiB: export: status %d, and the file: %v", mebibytes, status, err)
					}
					continue
				}
				if status == 0 {
					p.wantPublished(command[2], layers)
				} else if status, out := p.run("check", "--db", command[2], "--depth", "totals", "--published"); status != 0 {
					p.wantLine("check", status, out)
					if !strings.Contains(out, store.ErrNoDatabase.Error()) {
						t.Errorf("%d MiB: what %s left is no database: %s", mebibytes, command[0], out)
					}
				}
				if err := os.RemoveAll(filepath.Join(p.dir, command[2])); err != nil {
					t.Fatal(err)
				}
			}
		}()
	}
}

// TestFaultMemory builds with less and less address space. The program says that memory is
// short, or is ended by the runtime; a build with enough goes on from there.
func TestFaultMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	if raceDetector {
		t.Skip("the race detector needs terabytes of addresses")
	}
	const beans, layers = 14, 8
	p := newProgram(t)
	step := pick(1500, 1500, 100)
	for mebibytes := 7000; mebibytes > 100; mebibytes -= step {
		p.before = []string{"sh", "-c", fmt.Sprintf(`ulimit -v %d; exec "$@"`, mebibytes<<10), "sh"}
		status, out := p.run("build", "--db", "db", "--beans", fmt.Sprint(beans), "--quiet")
		p.before = nil
		switch {
		case status == 0:
		case isErrorLine(out):
			p.wantLine(fmt.Sprintf("%d MiB", mebibytes), status, out)
		case !outOfMemory(out):
			t.Errorf("%d MiB: status %d, want one line, or that the runtime is out of memory: %s", mebibytes, status, out)
		}
		first, _, _ := strings.Cut(out, "\n")
		t.Logf("%d MiB: status %d %s", mebibytes, status, first)
		p.succeed("build", "--db", "db", "--beans", fmt.Sprint(beans), "--quiet")
		p.wantPublished("db", layers)
		if err := os.RemoveAll(filepath.Join(p.dir, "db")); err != nil {
			t.Fatal(err)
		}
	}
	status, out := p.run("build", "--db", "db", "--beans", fmt.Sprint(beans), "--quiet", "--memory", "20MiB")
	p.wantLine("--memory 20MiB", status, out)
}

// outOfMemory reports whether the runtime or the shell ended a program for want of
// memory.
func outOfMemory(out string) bool {
	for _, text := range []string{"out of memory", "cannot allocate memory", "failed to reserve", "failed to allocate", "pthread_create failed", "errno=12"} {
		if strings.Contains(out, text) {
			return true
		}
	}
	return strings.TrimSpace(out) == ""
}
