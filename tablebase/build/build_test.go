package build_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

func TestBuildSkipsWhatIsThere(t *testing.T) {
	g, dir := tabletest.Even(t, 6)
	db := tabletest.Create(t, dir)
	before := db.Layers()
	more := tabletest.Build(t, db, g, 10, format.Even)
	got := make([]int, len(more))
	for i, m := range more {
		got[i] = m.Beans
	}
	if diff := cmp.Diff([]int{8, 10}, got); diff != "" {
		t.Errorf("layers built differ (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, db.Layers()[:len(before)]); diff != "" {
		t.Errorf("layers that were there change (-before +after):\n%s", diff)
	}
	if again := tabletest.Build(t, db, g, 10, format.Even); len(again) != 0 {
		t.Errorf("built %d layers again", len(again))
	}
}

func TestBuildRefuses(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	db := tabletest.Create(t, t.TempDir())
	for name, c := range map[string]struct {
		options build.Options
		want    error
	}{
		"no game":                  {build.Options{Beans: 2}, game.ErrWidth},
		"negative beans":           {build.Options{Game: g, Beans: -1}, format.ErrTooManyBeans},
		"more beans than the game": {build.Options{Game: g, Beans: 73}, format.ErrTooManyBeans},
		"too many positions":       {build.Options{Game: g, Beans: 72}, format.ErrTooManyBeans},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := build.Scores(context.Background(), db, c.options)
			tabletest.WantError(t, err, c.want)
		})
	}
	if layers := db.Layers(); len(layers) > 0 {
		t.Errorf("layers were built: %v", layers)
	}
}

func TestProgress(t *testing.T) {
	g, db := tabletest.Tables(t, game.Mangala, 6, 2, format.Even)
	const total = 1365 + 12376 + 12 + 364 + 4368 // of layers 4, 6, 1, 3 and 5, in this order
	var last build.Progress
	seen := make(map[build.Phase]bool)
	tabletest.Scores(t, db, build.Options{
		Game: g, Beans: 6, Parity: format.Both, Workers: 2,
		Report: func(p build.Progress) {
			seen[p.Phase] = true
			// Layers come in ascending order, the odd ones after the even ones.
			backward := p.Beans < last.Beans && (p.Beans != 1 || last.Beans != 6)
			if backward || p.RunDone < last.RunDone || p.Done > p.Total || p.RunTotal != total {
				t.Errorf("progress %+v after %+v", p, last)
			}
			last = p
		},
	})
	if last.RunDone != last.RunTotal || last.Done != last.Total || last.Beans != 5 {
		t.Errorf("the last progress is %+v", last)
	}
	for phase := build.Loading; phase <= build.Storing; phase++ {
		if !seen[phase] {
			t.Errorf("phase %v was not reported", phase)
		}
	}
}

// TestCancel stops a build at each of its calls of Report in turn.
func TestCancel(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	dir := t.TempDir()
	calls := 0
	for stop := 1; ; stop += 1 + stop/4 {
		db := tabletest.Create(t, dir)
		before := len(db.Layers())
		ctx, cancel := context.WithCancel(context.Background())
		calls = 0
		manifests, err := build.Scores(ctx, db, build.Options{
			Game: g, Beans: 10,
			Report: func(build.Progress) {
				if calls++; calls == stop {
					cancel()
				}
			},
		})
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if got := len(db.Layers()); got != before+len(manifests) {
			t.Errorf("stopped at %d: %d layers, want %d and %d more", stop, got, before, len(manifests))
		}
		tabletest.WantSound(t, db)
		tabletest.Close(t, db)
		if err == nil {
			break
		}
	}
	if got := len(tabletest.Open(t, dir).Layers()); got != 6 {
		t.Errorf("got %d layers, want 6", got)
	}
}

// TestCrash copies the files of a database at many moments of a build, as a crash
// would leave them, and goes on from each copy.
func TestCrash(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Mangala, 6)
	dir := t.TempDir()
	db := tabletest.Create(t, dir)
	type copied struct {
		dir    string
		layers int
	}
	var copies []copied
	calls, layers, done := 0, 0, uint64(0)
	tabletest.Scores(t, db, build.Options{
		Game: g, Beans: 6, Parity: format.Both, Workers: 1,
		Report: func(p build.Progress) {
			if p.RunDone > done {
				layers, done = layers+1, p.RunDone
			}
			if calls++; calls%19 == 0 || p.Phase == build.Storing && p.Done == p.Total {
				copies = append(copies, copied{tabletest.Copy(t, dir), layers})
			}
		},
	})
	if testing.Short() {
		copies = copies[len(copies)-5:]
	}
	for i, c := range copies {
		if i%2 == 0 { // recovered by a reader, or by a builder
			db := tabletest.Reader(t, c.dir)
			tabletest.WantSound(t, db)
			if got := len(db.Layers()); got < c.layers {
				t.Errorf("copy %d: got %d layers, want %d at least", i, got, c.layers)
			}
			tabletest.Close(t, db)
		}
		db := tabletest.Create(t, c.dir)
		tabletest.Build(t, db, g, 6, format.Both)
		if got := len(db.Layers()); got != 7 {
			t.Errorf("copy %d: got %d layers, want 7", i, got)
		}
		tabletest.WantSound(t, db)
		tabletest.Close(t, db)
	}
}

// TestBuildOnDamage builds above layers that are damaged.
func TestBuildOnDamage(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	for name, key := range map[string][]byte{
		"block":    tabletest.BlockOf(format.KeyOf(g, 8), solver.Scores, 1).StoreKey(),
		"manifest": tabletest.ManifestKey(format.KeyOf(g, 8)),
	} {
		t.Run(name, func(t *testing.T) {
			dir := tabletest.Built(t, g, 8)
			tabletest.Damage(t, dir, func(e tabletest.Editor) {
				e.Change(key, func(value []byte) { value[len(value)/2]++ })
			})
			manifests, err := build.Scores(t.Context(), tabletest.Writer(t, dir), build.Options{Game: g, Beans: 10})
			tabletest.WantError(t, err, format.ErrCorrupt)
			var corrupt *format.CorruptError
			if !errors.As(err, &corrupt) || corrupt.Key != format.KeyOf(g, 8) {
				t.Errorf("got error %v, want one that names layer 8", err)
			}
			if len(manifests) > 0 {
				t.Errorf("built %v", manifests)
			}
		})
	}
}
