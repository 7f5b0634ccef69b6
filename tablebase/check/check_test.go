package check_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// run checks a database.
func run(t *testing.T, db *tablebase.DB, o check.Options) check.Report {
	t.Helper()
	report, err := check.Run(t.Context(), db, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// runIn checks a database that lies in a directory and may be damaged.
func runIn(t *testing.T, dir string, o check.Options) check.Report {
	t.Helper()
	db := tabletest.Reader(t, dir)
	defer tabletest.Close(t, db)
	return run(t, db, o)
}

func TestCheckOfSoundLayers(t *testing.T) {
	db := tabletest.Create(t, t.TempDir())
	tabletest.Build(t, db, tabletest.NewGame(t, game.Bohnenspiel, 6), 10, format.Even)
	tabletest.Build(t, db, tabletest.NewGame(t, game.Mangala, 3), 7, format.Both)
	manifests := db.Layers()
	seen := make(map[format.Key]map[check.Phase]check.Progress)
	report := run(t, db, check.Options{
		Workers: 2,
		Report: func(p check.Progress) {
			if seen[p.Key] == nil {
				seen[p.Key] = make(map[check.Phase]check.Progress)
			}
			seen[p.Key][p.Phase] = p
		},
	})
	if !report.Sound() || len(report.Layers) != len(manifests) {
		t.Fatalf("got %+v", report)
	}
	for i, m := range manifests {
		want := check.LayerReport{Key: m.Key(), Blocks: m.Blocks, Bytes: m.Bytes, Totals: true, Compared: m.Positions}
		if diff := cmp.Diff(want, report.Layers[i]); diff != "" {
			t.Errorf("report differs (-want +got):\n%s", diff)
		}
		for phase, p := range seen[m.Key()] {
			if p.Done != p.Total {
				t.Errorf("%v, %v: progress ends at %d of %d", m.Key(), phase, p.Done, p.Total)
			}
		}
		if len(seen[m.Key()]) != 2 {
			t.Errorf("%v: %d phases were reported, want 2", m.Key(), len(seen[m.Key()]))
		}
	}
}

func TestCheckChooses(t *testing.T) {
	g, db := tabletest.OpenEven(t, 8)
	key := format.KeyOf(g, 8)
	report := run(t, db, check.Options{Keys: []format.Key{key, key}, Sample: 100})
	m := tabletest.Manifest(t, db, key)
	want := check.Report{Layers: []check.LayerReport{{Key: key, Blocks: m.Blocks, Bytes: m.Bytes, Totals: true, Compared: 100}}}
	if diff := cmp.Diff(want, report); diff != "" {
		t.Errorf("report differs (-want +got):\n%s", diff)
	}
}

func TestCheckIsCancelled(t *testing.T) {
	_, db := tabletest.OpenEven(t, 8)
	for stop := 1; stop < 30; stop++ {
		ctx, cancel := context.WithCancel(context.Background())
		calls := 0
		report, err := check.Run(ctx, db, check.Options{Report: func(check.Progress) {
			if calls++; calls == stop {
				cancel()
			}
		}})
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("got error %v", err)
		}
		if !report.Sound() {
			t.Errorf("stopped at %d: got %+v", stop, report)
		}
	}
}

// TestCheckFindsFaults plants one fault each in layer 8, between sound layers. It checks
// with enough memory for all layers, and with none.
func TestCheckFindsFaults(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	key := format.KeyOf(g, 8)
	block := func(number int) format.BlockID { return tabletest.BlockOf(key, solver.Scores, number) }
	whole := tabletest.Built(t, g, 10)
	type fault struct {
		Beans int
		Kind  check.FaultKind
	}
	for name, c := range map[string]struct {
		plant func(e tabletest.Editor)
		want  []fault // some of one kind in a row count once
		tight []fault // without memory; nil for the same
		says  string  // in the first of them
		class error
	}{
		"a flipped bit in a block": {
			plant: func(e tabletest.Editor) { e.Change(block(1).StoreKey(), func(value []byte) { value[100] ^= 4 }) },
			want:  []fault{{8, check.FaultBlock}, {10, check.FaultLower}},
			says:  "layer 8 of bohnenspiel 2×6, block 1 of the scores: its checksum is wrong",
			class: format.ErrCorrupt,
		},
		"an empty block": {
			plant: func(e tabletest.Editor) { e.Set(block(0).StoreKey(), nil) },
			want:  []fault{{8, check.FaultBlock}, {10, check.FaultLower}},
			says:  "block 0 of the scores: it is empty",
			class: format.ErrCorrupt,
		},
		"a missing block": {
			plant: func(e tabletest.Editor) { e.Drop(block(1).StoreKey()) },
			want:  []fault{{8, check.FaultBlock}, {10, check.FaultLower}},
			says:  "block 1 of the scores: it is missing",
			class: format.ErrCorrupt,
		},
		"all blocks missing": {
			plant: func(e tabletest.Editor) { e.Drop(format.LayerKey(format.BlockPrefix, key)) },
			want:  []fault{{8, check.FaultBlock}, {10, check.FaultLower}},
			says:  "block 0 of the scores: it is missing",
			class: format.ErrCorrupt,
		},
		"a block of another layer": {
			plant: func(e tabletest.Editor) {
				e.Set(block(1).StoreKey(), e.Value(tabletest.BlockOf(format.KeyOf(g, 10), solver.Scores, 1).StoreKey()))
			},
			want:  []fault{{8, check.FaultBlock}, {10, check.FaultLower}},
			says:  "block 1 of the scores: it is another block",
			class: format.ErrCorrupt,
		},
		"a block of another version": {
			plant: func(e tabletest.Editor) {
				e.Change(block(1).StoreKey(), func(value []byte) {
					value[4] = 1
					tabletest.SealBlock(value)
				})
			},
			want:  []fault{{8, check.FaultBlock}, {10, check.FaultLower}},
			says:  "block 1 of the scores of layer 8 of bohnenspiel 2×6: unknown format version 1",
			class: format.ErrVersion,
		},
		"a wrong score": {
			plant: func(e tabletest.Editor) {
				// It loses all, and captures lead to it.
				number, at := format.NewBlocking(index.New(6, 8), 8).Locate(game.Position{Mover: game.RowOf(0, 0, 0, 0, 5, 3)})
				e.ChangeScores(block(number), func(scores []game.Score) { scores[at] = 8 })
			},
			want:  []fault{{8, check.FaultTotals}, {8, check.FaultScore}, {10, check.FaultTotals}, {10, check.FaultScore}},
			tight: []fault{{8, check.FaultTotals}, {8, check.FaultScore}, {10, check.FaultScore}},
			says:  "layer 8 of bohnenspiel 2×6: ",
		},
		"a lower bound that is wrong where the best conversion gives the score": {
			plant: func(e tabletest.Editor) {
				for i := uint64(0); ; i++ {
					p := index.New(6, 8).Unrank(8, i)
					number, at := format.NewBlocking(index.New(6, 8), 8).Locate(p)
					if known := tabletest.Probe(t, e.DB, g, p); e.Scores(block(number))[at] < known {
						e.ChangeScores(block(number), func(scores []game.Score) { scores[at] = known })
						return
					}
				}
			},
			want: []fault{{8, check.FaultTotals}},
			says: "layer 8 of bohnenspiel 2×6: the blocks are not those that the manifest was written for",
		},
		"a wrong total": {
			plant: func(e tabletest.Editor) {
				e.ChangeManifest(key, func(m *format.Manifest) {
					m.Wins++
					m.Losses--
				})
			},
			want: []fault{{8, check.FaultTotals}},
			// Totals are not recomputed without memory.
			tight: []fault{},
			says:  "layer 8 of bohnenspiel 2×6: wins: the scores give 29651, the manifest says 29652",
		},
		"a flipped bit in a manifest": {
			plant: func(e tabletest.Editor) { e.Change(tabletest.ManifestKey(key), func(value []byte) { value[60] ^= 1 }) },
			want:  []fault{{8, check.FaultManifest}, {10, check.FaultLower}},
			says:  "layer 8 of bohnenspiel 2×6, manifest: its checksum is wrong",
			class: format.ErrCorrupt,
		},
		"a manifest of another version": {
			plant: func(e tabletest.Editor) {
				e.Change(tabletest.ManifestKey(key), func(value []byte) {
					value[4] = 9
					tabletest.SealManifest(value)
				})
			},
			want:  []fault{{8, check.FaultManifest}, {10, check.FaultLower}},
			says:  "manifest of layer 8 of bohnenspiel 2×6: unknown format version 9",
			class: format.ErrVersion,
		},
		"a missing manifest": {
			plant: func(e tabletest.Editor) { e.Drop(tabletest.ManifestKey(key)) },
			want:  []fault{{10, check.FaultLower}},
			says:  "layer 10 of bohnenspiel 2×6 cannot be compared with its successors: layer 8 of bohnenspiel 2×6: layer is not built",
			class: format.ErrNoLayer,
		},
	} {
		for memory, want := range map[uint64][]fault{0: c.want, 1: c.tight} {
			if memory > 0 && want == nil {
				want = c.want
			}
			t.Run(fmt.Sprintf("%s/memory=%d", name, memory), func(t *testing.T) {
				t.Parallel()
				if memory > 0 && testing.Short() {
					t.Skip("probes every position")
				}
				dir := tabletest.Copy(t, whole)
				tabletest.Damage(t, dir, c.plant)
				report := runIn(t, dir, check.Options{Memory: memory})
				if report.Sound() != (len(want) == 0) {
					t.Errorf("sound is %v", report.Sound())
				}
				var got []fault
				var first error
				for _, layer := range report.Layers {
					for _, f := range layer.Faults {
						if first == nil {
							first = f.Err
						}
						next := fault{layer.Key.Beans, f.Kind}
						if len(got) == 0 || got[len(got)-1] != next {
							got = append(got, next)
						}
					}
				}
				if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("faults differ (-want +got):\n%s", diff)
				}
				if first == nil {
					return
				}
				if !strings.Contains(first.Error(), c.says) {
					t.Errorf("got %q, want a text with %q", first, c.says)
				}
				if c.class != nil {
					tabletest.WantError(t, first, c.class)
				}
			})
		}
	}
}

func TestCheckOfMissingLayers(t *testing.T) {
	g, db := tabletest.OpenEven(t, 2)
	report := run(t, db, check.Options{Keys: []format.Key{format.KeyOf(g, 4)}})
	if report.Sound() || report.Layers[0].Faults[0].Kind != check.FaultManifest {
		t.Errorf("got %+v, want a fault of the manifest", report)
	}
	tabletest.WantError(t, report.Layers[0].Faults[0].Err, format.ErrNoLayer)
}

// TestCheckListsSoManyFaults damages more blocks than a report lists.
func TestCheckListsSoManyFaults(t *testing.T) {
	g, dir := tabletest.Even(t, 10)
	key := format.KeyOf(g, 10)
	tabletest.Damage(t, dir, func(e tabletest.Editor) { e.Drop(format.LayerKey(format.BlockPrefix, key)) })
	db := tabletest.Reader(t, dir)
	m := tabletest.Manifest(t, db, key)
	got := run(t, db, check.Options{Keys: []format.Key{key}}).Layers[0]
	if len(got.Faults) != check.MaxFaults || got.Unlisted != int(m.Blocks)-check.MaxFaults || got.Unlisted <= 0 {
		t.Errorf("got %d faults and %d more, want %d in all", len(got.Faults), got.Unlisted, m.Blocks)
	}
}

// TestCheckWithoutMemory checks layers that are not brought into memory: blocks are
// verified, positions probed one by one, and totals left alone.
func TestCheckWithoutMemory(t *testing.T) {
	db := tabletest.Create(t, t.TempDir())
	tabletest.Build(t, db, tabletest.NewGame(t, game.Bohnenspiel, 6), 8, format.Even)
	tabletest.Build(t, db, tabletest.NewGame(t, game.Mangala, 2), 9, format.Both) // with layers that lean on rule 8
	for _, sample := range []uint64{0, 50} {
		report := run(t, db, check.Options{Memory: 1, Sample: sample})
		manifests := db.Layers()
		if !report.Sound() || len(report.Layers) != len(manifests) {
			t.Fatalf("got %+v", report)
		}
		for i, m := range manifests {
			compared := m.Positions
			if sample > 0 {
				compared = min(compared, sample)
			}
			want := check.LayerReport{Key: m.Key(), Blocks: m.Blocks, Bytes: m.Bytes, Totals: m.Positions == 1, Compared: compared}
			if diff := cmp.Diff(want, report.Layers[i]); diff != "" {
				t.Errorf("report differs (-want +got):\n%s", diff)
			}
		}
	}
}

// TestCheckWithLittleMemory checks layers of which the largest is packed, then kept in
// a file, and then, for want of disk, only read.
func TestCheckWithLittleMemory(t *testing.T) {
	const sixLayers = 12 << 20 // a layer takes 2 MiB at least
	for _, c := range []struct {
		name   string
		memory uint64
		free   uint64 // bytes of disk
		totals bool   // of layer 12
	}{
		{"packed", sixLayers + 1<<20, 0, true},
		{"spilled", sixLayers + 1<<18, 1 << 30, true},
		{"read", sixLayers + 1<<18, 1 << 20, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := tabletest.Built(t, tabletest.NewGame(t, game.Bohnenspiel, 6), 12)
			disk, db := tabletest.NewFaulty(t, dir, true)
			disk.FreeBytes = &c.free
			report := run(t, db, check.Options{Memory: c.memory, Sample: 1000})
			totals := make([]bool, 0, len(report.Layers))
			for _, layer := range report.Layers {
				totals = append(totals, layer.Totals)
			}
			want := []bool{true, true, true, true, true, true, c.totals}
			if diff := cmp.Diff(want, totals); diff != "" || !report.Sound() {
				t.Errorf("layers whose totals were recomputed differ (-want +got):\n%s%+v", diff, report)
			}
			tabletest.WantNoSpill(t, dir)
		})
	}
}
