package build_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/store"
)

func TestPlanBuild(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	o := build.Options{Game: g, Beans: 7, Parity: format.Both, Workers: 2}
	p := build.PlanScores(o, func(k format.Key) bool { return k.Beans < 3 })
	beans := make([]int, 0, len(p.Layers))
	for _, layer := range p.Layers {
		if layer.Key != format.KeyOf(g, layer.Key.Beans) || layer.Layers != 1 || layer.Kept != 0 {
			t.Errorf("got %+v", layer)
		}
		beans = append(beans, layer.Key.Beans)
	}
	if want := []int{4, 6, 3, 5, 7}; !slices.Equal(beans, want) {
		t.Errorf("got layers %v, want %v", beans, want)
	}
	total := p.Total()
	if total.Layers != 5 || total.Positions != 1365+12376+364+4368+31824 {
		t.Errorf("got %+v", total)
	}
	if p.Memory == 0 || p.Packed {
		t.Errorf("got a budget of %d bytes, packed %t, want that of the machine", p.Memory, p.Packed)
	}
	if err := p.CheckMemory(); err != nil {
		t.Error(err)
	}
	if limit := p.HeapLimit(); limit <= 0 || uint64(limit) > p.Memory {
		t.Errorf("the heap may take %d of %d bytes", limit, p.Memory)
	}
}

// TestPlanKeepsTheState wants disk for the state of layers that take long.
func TestPlanKeepsTheState(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	for _, c := range []struct {
		every time.Duration
		kept  bool
	}{{time.Nanosecond, true}, {time.Hour, false}} {
		layer := build.PlanScores(build.Options{Game: g, Beans: 12, CheckpointEvery: c.every}, nil).Layers[6]
		if kept := layer.Kept >= 2*layer.Positions; kept != c.kept {
			t.Errorf("every %v: layer 12 keeps %d bytes", c.every, layer.Kept)
		}
	}
}

// TestPlanPacks allows less and less memory. First looks are the first to go.
func TestPlanPacks(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	o := build.Options{Game: g, Beans: 20, Workers: 2}
	roomy := build.PlanScores(o, nil)
	o.Memory = roomy.Total().Memory - 1
	lean := build.PlanScores(o, nil)
	if lean.Packed || lean.Total().Memory > o.Memory-84672315 {
		t.Errorf("allowed %d bytes: got packed %t, %d bytes; want to do without first looks at layer 20", o.Memory, lean.Packed, lean.Total().Memory)
	}
	o.Memory = lean.Total().Memory - 1
	packed := build.PlanScores(o, nil)
	if !packed.Packed || packed.Total().Memory > o.Memory || packed.HeapLimit() >= roomy.HeapLimit() {
		t.Errorf("allowed %d bytes: got packed %t, %d bytes, heap %d", o.Memory, packed.Packed, packed.Total().Memory, packed.HeapLimit())
	}
	o.Memory = packed.Total().Memory - 1
	tabletest.WantError(t, build.PlanScores(o, nil).CheckMemory(), held.ErrMemory)

	db := tabletest.Create(t, t.TempDir())
	manifests, err := build.Scores(context.Background(), db, o)
	tabletest.WantError(t, err, held.ErrMemory)
	if len(manifests) > 0 || len(db.Layers()) > 0 {
		t.Errorf("a build that is refused has built %d layers", len(manifests))
	}
}

// TestBuildWantsRoomForALayer fills the disk, as far as a database can see, between
// two layers.
func TestBuildWantsRoomForALayer(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	disk, db := tabletest.NewFaulty(t, t.TempDir(), false)
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
