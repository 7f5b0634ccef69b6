package build_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// layersFile holds the totals of all layers of the traditional board, computed by an
// independent program.
var layersFile = filepath.Join("..", "..", "solver", "testdata", "layers.tsv")

// totals is a line of layersFile.
type totals struct {
	Rules                          string
	Beans                          int
	Positions, Wins, Draws, Losses uint64
	ScoreSum                       int64
}

func readTotals(t *testing.T) map[format.Key]totals {
	t.Helper()
	data, err := os.ReadFile(layersFile)
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[format.Key]totals)
	for line := range bytes.Lines(data) {
		var want totals
		_, err := fmt.Sscan(string(line), &want.Rules, &want.Beans, &want.Positions, &want.Wins, &want.Draws, &want.Losses, &want.ScoreSum)
		if err != nil {
			continue // the line of titles
		}
		rules, err := game.ParseRules(want.Rules)
		if err != nil {
			t.Fatal(err)
		}
		all[format.Key{Rules: rules, Width: game.StandardWidth, Beans: want.Beans}] = want
	}
	return all
}

func TestTotals(t *testing.T) {
	t.Parallel()
	beans := 12
	if testing.Short() {
		beans = 9
	}
	all := readTotals(t)
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		t.Run(rules.String(), func(t *testing.T) {
			t.Parallel()
			db := tabletest.Create(t, t.TempDir())
			tabletest.Build(t, db, tabletest.NewGame(t, rules, game.StandardWidth), beans, format.Both)
			layers := db.Layers()
			if len(layers) != beans+1 {
				t.Fatalf("got %d layers, want %d", len(layers), beans+1)
			}
			for _, m := range layers {
				got := totals{m.Rules.String(), m.Beans, m.Positions, m.Wins, m.Draws, m.Losses, m.ScoreSum}
				if diff := cmp.Diff(all[m.Key()], got); diff != "" {
					t.Errorf("%v differs (-want +got):\n%s", m.Key(), diff)
				}
				// Rule 8: in Mangala the last bean of an odd number can't be taken.
				if leans := rules == game.Mangala && m.Beans%2 == 1; leans != (m.Endless > 0) {
					t.Errorf("%v: %d positions lean on rule 8", m.Key(), m.Endless)
				}
			}
		})
	}
}

// TestWorkersDoNotMatter builds with different numbers of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules  game.Rules
		beans  int
		parity format.Parity
	}{{game.Bohnenspiel, 10, format.Even}, {game.Mangala, 7, format.Odd}} {
		g := tabletest.NewGame(t, c.rules, 6)
		var want map[string][]byte
		var wantManifests []format.Manifest
		for _, workers := range []int{1, 3, 8} {
			db := tabletest.Create(t, t.TempDir())
			_, err := build.Scores(context.Background(), db, build.Options{
				Game: g, Beans: c.beans, Parity: c.parity, Workers: workers,
			})
			if err != nil {
				t.Fatal(err)
			}
			got := blockValues(t, db)
			if want == nil {
				want, wantManifests = got, db.Layers()
				continue
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v with %d workers stores other blocks:\n%s", c.rules, workers, diff)
			}
			if diff := cmp.Diff(wantManifests, db.Layers(), tabletest.Timeless()); diff != "" {
				t.Errorf("%v with %d workers stores other manifests:\n%s", c.rules, workers, diff)
			}
		}
	}
}

// blockValues returns the values of all blocks by key.
func blockValues(t *testing.T, db *tablebase.DB) map[string][]byte {
	t.Helper()
	keys, err := tabletest.BlockKeys(db)
	if err != nil {
		t.Fatal(err)
	}
	values := make(map[string][]byte)
	for _, key := range keys {
		value, err := tabletest.Value(db, key)
		if err != nil {
			t.Fatal(err)
		}
		values[string(key)] = value
	}
	return values
}

func TestBuildSkipsWhatIsThere(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	dir := tabletest.Built(t, g, 6)
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
	db := tabletest.Create(t, t.TempDir())
	for name, c := range map[string]struct {
		options build.Options
		want    error
	}{
		"no game":        {build.Options{Beans: 2}, game.ErrWidth},
		"negative beans": {build.Options{Game: tabletest.NewGame(t, game.Bohnenspiel, 6), Beans: -1}, format.ErrTooManyBeans},
		"more beans than the game": {
			build.Options{Game: tabletest.NewGame(t, game.Bohnenspiel, 6), Beans: 73}, format.ErrTooManyBeans,
		},
		"too many positions": {
			build.Options{Game: tabletest.NewGame(t, game.Bohnenspiel, 6), Beans: 72}, format.ErrTooManyBeans,
		},
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
	g := tabletest.NewGame(t, game.Mangala, 6)
	db := tabletest.Create(t, t.TempDir())
	tabletest.Build(t, db, g, 2, format.Even)
	const total = 1365 + 12376 + 12 + 364 + 4368 // of layers 4, 6, 1, 3 and 5, in this order
	var last build.Progress
	seen := make(map[build.Phase]bool)
	_, err := build.Scores(context.Background(), db, build.Options{
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
	if err != nil {
		t.Fatal(err)
	}
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
	_, err := build.Scores(context.Background(), db, build.Options{
		Game: g, Beans: 6, Parity: format.Both, Workers: 1,
		Report: func(p build.Progress) {
			if p.RunDone > done {
				layers, done = layers+1, p.RunDone
			}
			if calls++; calls%19 == 0 || p.Phase == build.Storing && p.Done == p.Total {
				copies = append(copies, copied{t.TempDir(), layers})
				tabletest.CopyFiles(t, dir, copies[len(copies)-1].dir)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		copies = copies[len(copies)-5:]
	}
	for i, c := range copies {
		if i%2 == 0 { // recovered by a reader, or by a builder
			db, err := database.Open(c.dir, tablebase.Options{})
			if err != nil {
				t.Fatal(err)
			}
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

// TestLeftOverBlocks has blocks of a layer without manifest in the way.
func TestLeftOverBlocks(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	dir := tabletest.Built(t, g, 10)
	want := func() map[string][]byte {
		db := tabletest.Open(t, dir)
		defer tabletest.Close(t, db)
		return blockValues(t, db)
	}()
	key := format.KeyOf(g, 10)
	tabletest.Damage(t, dir, func(db *tablebase.DB) error {
		// Not the layer's own number of blocks, and none of them right.
		for number := range 30 {
			if err := tabletest.SetValue(db, tabletest.BlockKey(tabletest.NewBlockID(key, solver.Highs, number, 1, 1)), []byte("left over")); err != nil {
				return err
			}
		}
		return tabletest.DropKeys(db, tabletest.ManifestKey(key))
	})
	db := tabletest.Create(t, dir)
	tabletest.WantSound(t, db)
	if _, err := db.Manifest(key); !errors.Is(err, format.ErrNoLayer) {
		t.Fatalf("got error %v, want that the layer is not built", err)
	}
	tabletest.Build(t, db, g, 10, format.Even)
	if diff := cmp.Diff(want, blockValues(t, db)); diff != "" {
		t.Errorf("blocks differ (-want +got):\n%s", diff)
	}
}

// TestStoringGoesOn has the first blocks of a layer without manifest, as a build leaves
// them that is killed while it stores the layer. They are kept where the state of the
// layer is there as well, since then they are of the same build.
func TestStoringGoesOn(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	key := format.KeyOf(g, 8)
	whole := tabletest.Create(t, t.TempDir())
	tabletest.Build(t, whole, g, 8, format.Even)
	want := blockValues(t, whole)
	m, err := whole.Manifest(key)
	if err != nil {
		t.Fatal(err)
	}
	stopped := t.TempDir()
	db := tabletest.Create(t, stopped)
	ctx, cancel := context.WithCancel(t.Context())
	_, err = build.Scores(ctx, db, build.Options{Game: g, Beans: 8, CheckpointEvery: time.Nanosecond, Report: func(p build.Progress) {
		if p.Beans == 8 && p.Phase == build.Storing {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got error %v, want %v", err, context.Canceled)
	}
	tabletest.Close(t, db)
	for _, kept := range []int{1, 7, int(m.Blocks)} {
		for name, other := range map[string]int{"all right": -1, "the first damaged": 0, "the last damaged": kept - 1} {
			for _, state := range []bool{true, false} {
				t.Run(fmt.Sprintf("%d blocks, %s, with the state %v", kept, name, state), func(t *testing.T) {
					t.Parallel()
					dir := t.TempDir()
					tabletest.CopyFiles(t, stopped, dir)
					if !state {
						if err := os.Remove(tabletest.CheckpointPath(dir)); err != nil {
							t.Fatal(err)
						}
					}
					tabletest.Damage(t, dir, func(db *tablebase.DB) error {
						for number := range kept {
							key := tabletest.BlockKey(tabletest.BlockOf(key, solver.Scores, number))
							value := want[string(key)]
							if number == other {
								value = []byte("damaged")
							}
							if err := tabletest.SetValue(db, key, value); err != nil {
								return err
							}
						}
						return nil
					})
					db := tabletest.Create(t, dir)
					tabletest.Build(t, db, g, 8, format.Even)
					tabletest.WantSound(t, db)
					if diff := cmp.Diff(want, blockValues(t, db)); diff != "" {
						t.Errorf("blocks differ (-want +got):\n%s", diff)
					}
					if diff := cmp.Diff(whole.Layers(), db.Layers(), tabletest.Timeless()); diff != "" {
						t.Errorf("manifests differ (-want +got):\n%s", diff)
					}
				})
			}
		}
	}
}

// TestWrongBlocksAreNotKept has blocks in the way that are sound, but of other scores.
func TestWrongBlocksAreNotKept(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	key := format.KeyOf(g, 8)
	dir := tabletest.Built(t, g, 8)
	tabletest.Damage(t, dir, func(db *tablebase.DB) error {
		id := tabletest.BlockOf(key, solver.Scores, 5)
		scores := make([]game.Score, id.Positions)
		if err := tabletest.SetValue(db, tabletest.BlockKey(id), tabletest.NewCodec().Encode(id, scores, nil)); err != nil {
			return err
		}
		return tabletest.DropKeys(db, tabletest.ManifestKey(key))
	})
	db := tabletest.Create(t, dir)
	tabletest.Build(t, db, g, 8, format.Even)
	report, err := check.Run(t.Context(), db, check.Options{})
	if err != nil || !report.Sound() {
		t.Errorf("got %+v, %v", report, err)
	}
}

// TestBuildOnDamage builds above layers that are damaged.
func TestBuildOnDamage(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	for name, key := range map[string][]byte{
		"block":    tabletest.BlockKey(tabletest.BlockOf(format.KeyOf(g, 8), solver.Scores, 1)),
		"manifest": tabletest.ManifestKey(format.KeyOf(g, 8)),
	} {
		t.Run(name, func(t *testing.T) {
			dir := tabletest.Built(t, g, 8)
			tabletest.Damage(t, dir, func(db *tablebase.DB) error {
				value, err := tabletest.Value(db, key)
				if err != nil {
					return err
				}
				value[len(value)/2]++
				return tabletest.SetValue(db, key, value)
			})
			tabletest.Damage(t, dir, func(db *tablebase.DB) error {
				manifests, err := build.Scores(context.Background(), db, build.Options{Game: g, Beans: 10})
				tabletest.WantError(t, err, format.ErrCorrupt)
				var corrupt *format.CorruptError
				if !errors.As(err, &corrupt) || corrupt.Key != format.KeyOf(g, 8) {
					t.Errorf("got error %v, want one that names layer 8", err)
				}
				if len(manifests) > 0 {
					t.Errorf("built %v", manifests)
				}
				return nil
			})
		})
	}
}
