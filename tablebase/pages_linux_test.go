package tablebase_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"bohnenspiel/tablebase"
)

// TestReleasePages maps files, writes to them, and wants only those that are meant to
// leave the memory of the process, and no byte to change.
func TestReleasePages(t *testing.T) {
	const size = 16 << 20
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dir, "with a blank")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	names := []string{"a.log", "b.log", "c.txt"}
	for _, name := range names {
		file, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Truncate(size); err != nil {
			t.Fatal(err)
		}
		mapped, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Munmap(mapped) //nolint:errcheck // the test is over
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		copy(mapped, bytes.Repeat([]byte(name), size/len(name)))
	}
	before := mappedMemory(t)
	tablebase.ReleasePages(dir, ".log")
	released := before - mappedMemory(t)
	if released < 2*size-1<<20 || released > 2*size+1<<20 {
		t.Errorf("released %d bytes, want about %d", released, 2*size)
	}
	for _, name := range names {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if want := bytes.Repeat([]byte(name), size/len(name)); err != nil || !bytes.HasPrefix(got, want) {
			t.Errorf("%s is not what was written, error %v", name, err)
		}
	}
}

// mappedMemory returns the bytes of mapped files in the memory of the process.
func mappedMemory(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var all, resident, shared int
	if _, err := fmt.Sscan(string(text), &all, &resident, &shared); err != nil {
		t.Fatal(err)
	}
	return shared * os.Getpagesize()
}
