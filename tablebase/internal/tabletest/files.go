package tabletest

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// ReadFile returns what a file holds.
func ReadFile(tb testing.TB, path string) []byte {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// WriteFile makes a file, or overwrites it.
func WriteFile(tb testing.TB, path string, data []byte) {
	tb.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		tb.Fatal(err)
	}
}

// Listing returns names and contents of all files below a directory, to tell whether
// anything was written there.
func Listing(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		tb.Fatal(err)
	}
	return files
}

// Copy returns a copy of the directory of a database of a few layers. Its files are sparse,
// and long while they are written to.
func Copy(tb testing.TB, dir string) (copied string) {
	tb.Helper()
	copied = tb.TempDir()
	entries, err := os.ReadDir(dir)
	if err != nil {
		tb.Fatal(err)
	}
	for _, entry := range entries {
		if err := copySparse(filepath.Join(dir, entry.Name()), filepath.Join(copied, entry.Name())); err != nil {
			tb.Fatal(err)
		}
	}
	return copied
}

// copySparse copies a file of which only the first megabytes have been written.
func copySparse(from, to string) (err error) {
	const written = 2 << 20
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if _, err := io.CopyN(out, in, min(written, info.Size())); err != nil {
		return err
	}
	return out.Truncate(info.Size())
}

// CheckpointPath returns the file that keeps the state of the layer in work.
func CheckpointPath(dir string) string { return filepath.Join(dir, "LAYER-IN-WORK") }

// WantNoCheckpoint fails the test if a file with the state of a layer is left.
func WantNoCheckpoint(tb testing.TB, dir string) {
	tb.Helper()
	wantNone(tb, CheckpointPath(dir)+"*")
}

// WantNoSpill fails the test if a file with a layer that did not fit in memory is left.
func WantNoSpill(tb testing.TB, dir string) {
	tb.Helper()
	wantNone(tb, filepath.Join(dir, "LOWER-*"))
}

func wantNone(tb testing.TB, pattern string) {
	tb.Helper()
	left, err := filepath.Glob(pattern)
	if err != nil || len(left) > 0 {
		tb.Errorf("files are left: %v, %v", left, err)
	}
}
