package store_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/store"
)

func TestFreeDisk(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "new"), filepath.Join(dir, "new", "below"), filepath.Join(dir, "file"), "new"} {
		if free, known := store.FreeDisk(path); !known || free == 0 {
			t.Errorf("FreeDisk(%q): got %d bytes, known %t, want some", path, free, known)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
		t.Error("asking for free space made the directory")
	}
}

// TestBuildWantsRoomForALayer fills the disk, as far as a database can see, between
// two layers.
func TestBuildWantsRoomForALayer(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	disk, db := tabletest.NewFaulty(t, t.TempDir(), false)
	tabletest.CheckAtEnd(t, db)
	manifests, err := build.Scores(context.Background(), db, build.Options{Game: g, Beans: 6, Report: func(p build.Progress) {
		if p.Beans == 4 && p.Phase == build.Storing {
			disk.FreeBytes = new(uint64(100 << 20))
		}
	}})
	tabletest.WantError(t, err, store.ErrStorage)
	if len(manifests) != 3 {
		t.Errorf("got %d layers, want 0, 2 and 4", len(manifests))
	}
	for _, want := range []string{"layer 6", "129 MiB", "100 MiB", db.Dir()} {
		if err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not speak of %q", err, want)
		}
	}
	disk.FreeBytes = new(uint64(200 << 20))
	if manifests = tabletest.Build(t, db, g, 6, format.Even); len(manifests) != 1 {
		t.Errorf("with room, got %d layers, want layer 6", len(manifests))
	}
}

// TestCheckDisk compares plans with the disk that the tests run on.
func TestCheckDisk(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	dir := filepath.Join(t.TempDir(), "new")
	if err := build.PlanScores(build.Options{Game: g, Beans: 4}, nil).CheckDisk(dir); err != nil {
		t.Errorf("no room for layer 4: %v", err)
	}
	if err := build.PlanScores(build.Options{Game: g, Beans: -1}, nil).CheckDisk(dir); err != nil {
		t.Errorf("no room for nothing: %v", err)
	}
	large := build.PlanScores(build.Options{Game: g, Beans: 54}, nil)
	if free, known := store.FreeDisk(dir); !known || free > 2*(large.Total().Bytes+large.Total().Kept) {
		t.Skip("the disk has room for everything")
	}
	err := large.CheckDisk(dir)
	tabletest.WantError(t, err, store.ErrStorage)
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
