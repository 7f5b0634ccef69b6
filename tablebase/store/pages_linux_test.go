package store_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"bohnenspiel/tablebase/store"
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
	store.ReleasePages(dir, ".log")
	for name, stays := range map[string]bool{"a.log": false, "b.log": false, "c.txt": true} {
		got := resident(t, filepath.Join(dir, name))
		if !stays && got > 0 || stays && got < size/2 { // the system may take some
			t.Errorf("%s: %d of %d bytes are in memory, and they are to stay there: %v", name, got, size, stays)
		}
	}
	for _, name := range names {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if want := bytes.Repeat([]byte(name), size/len(name)); err != nil || !bytes.HasPrefix(got, want) {
			t.Errorf("%s is not what was written, error %v", name, err)
		}
	}
}

// resident returns the bytes of a file that the process has mapped into its memory.
func resident(t *testing.T, name string) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/smaps") // statm counts roughly on machines with many processors
	if err != nil {
		t.Fatal(err)
	}
	_, of, found := strings.Cut(string(text), name+"\n")
	_, rest, _ := strings.Cut(of, "\nRss:")
	var kibibytes int
	if _, err := fmt.Sscan(rest, &kibibytes); err != nil || !found {
		t.Fatalf("%s is not mapped: %v", name, err)
	}
	return kibibytes << 10
}
