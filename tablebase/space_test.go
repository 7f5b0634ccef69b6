package tablebase_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

func TestFreeDisk(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "new"), filepath.Join(dir, "new", "below"), filepath.Join(dir, "file"), "new"} {
		if free, known := tablebase.FreeDisk(path); !known || free == 0 {
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
	g := newGame(t, game.Bohnenspiel, 6)
	db := create(t, t.TempDir())
	manifests, err := db.Build(context.Background(), tablebase.BuildOptions{Game: g, Beans: 6, Report: func(p tablebase.Progress) {
		if p.Beans == 4 && p.Phase == tablebase.Storing {
			db.SetFreeDisk(100 << 20)
		}
	}})
	wantError(t, err, tablebase.ErrStorage)
	if len(manifests) != 3 {
		t.Errorf("got %d layers, want 0, 2 and 4", len(manifests))
	}
	for _, want := range []string{"layer 6", "129 MiB", "100 MiB", db.Dir()} {
		if err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not speak of %q", err, want)
		}
	}
	db.SetFreeDisk(200 << 20)
	if manifests = build(t, db, g, 6, tablebase.Even); len(manifests) != 1 {
		t.Errorf("with room, got %d layers, want layer 6", len(manifests))
	}
}

// TestCheckDisk compares plans with the disk that the tests run on.
func TestCheckDisk(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	dir := filepath.Join(t.TempDir(), "new")
	if err := tablebase.PlanBuild(tablebase.BuildOptions{Game: g, Beans: 4}, nil).CheckDisk(dir); err != nil {
		t.Errorf("no room for layer 4: %v", err)
	}
	if err := tablebase.PlanBuild(tablebase.BuildOptions{Game: g, Beans: -1}, nil).CheckDisk(dir); err != nil {
		t.Errorf("no room for nothing: %v", err)
	}
	large := tablebase.PlanBuild(tablebase.BuildOptions{Game: g, Beans: 54}, nil)
	if free, known := tablebase.FreeDisk(dir); !known || free > 2*(large.Total().Bytes+large.Total().Kept) {
		t.Skip("the disk has room for everything")
	}
	err := large.CheckDisk(dir)
	wantError(t, err, tablebase.ErrStorage)
}

func TestCheckSpace(t *testing.T) {
	dir := t.TempDir()
	if err := tablebase.CheckSpace(dir, 0); err != nil {
		t.Errorf("no room for nothing: %v", err)
	}
	err := tablebase.CheckSpace(dir, 1<<60)
	wantError(t, err, tablebase.ErrStorage)
	if !strings.Contains(err.Error(), "no space left on the disk of "+dir) {
		t.Errorf("got %q, want it to name %s", err, dir)
	}
}
