package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/store"
)

func TestFreeDisk(t *testing.T) {
	dir := t.TempDir()
	tabletest.WriteFile(t, filepath.Join(dir, "file"), nil)
	for _, path := range []string{dir, filepath.Join(dir, "new"), filepath.Join(dir, "new", "below"), filepath.Join(dir, "file"), "new"} {
		if free, known := store.FreeDisk(path); !known || free == 0 {
			t.Errorf("FreeDisk(%q): got %d bytes, known %t, want some", path, free, known)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
		t.Error("asking for free space made the directory")
	}
}

func TestCheckSpace(t *testing.T) {
	dir := t.TempDir()
	if err := store.CheckSpace(dir, 0); err != nil {
		t.Errorf("no room for nothing: %v", err)
	}
	err := store.CheckSpace(dir, 1<<60)
	tabletest.WantError(t, err, store.ErrStorage)
	if !strings.Contains(err.Error(), "no space left on the disk of "+dir) {
		t.Errorf("got %q, want it to name %s", err, dir)
	}
}
