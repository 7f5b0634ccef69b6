package check_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

func TestCheckOfSoundLayers(t *testing.T) {
	db := tabletest.Create(t, t.TempDir())
	tabletest.Build(t, db, tabletest.NewGame(t, game.Bohnenspiel, 6), 10, format.Even)
	tabletest.Build(t, db, tabletest.NewGame(t, game.Mangala, 3), 7, format.Both)
	manifests := db.Layers()
	seen := make(map[format.Key]map[check.Phase]check.Progress)
	report, err := check.Run(context.Background(), db, check.Options{
		Workers: 2,
		Report: func(p check.Progress) {
			if seen[p.Key] == nil {
				seen[p.Key] = make(map[check.Phase]check.Progress)
			}
			seen[p.Key][p.Phase] = p
		},
	})
	if err != nil {
		t.Fatal(err)
	}
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
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	db := tabletest.Open(t, tabletest.Built(t, g, 8))
	key := format.KeyOf(g, 8)
	report, err := check.Run(context.Background(), db, check.Options{Keys: []format.Key{key, key}, Sample: 100})
	if err != nil {
		t.Fatal(err)
	}
	m, err := db.Manifest(key)
	if err != nil {
		t.Fatal(err)
	}
	want := check.Report{Layers: []check.LayerReport{{Key: key, Blocks: m.Blocks, Bytes: m.Bytes, Totals: true, Compared: 100}}}
	if diff := cmp.Diff(want, report); diff != "" {
		t.Errorf("report differs (-want +got):\n%s", diff)
	}
}

func TestCheckIsCancelled(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	db := tabletest.Open(t, tabletest.Built(t, g, 8))
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
	codec := tabletest.NewCodec()
	whole := tabletest.Built(t, g, 10)
	type fault struct {
		Beans int
		Kind  check.FaultKind
	}
	for name, c := range map[string]struct {
		plant func(db *tablebase.DB) error
		want  []fault // some of one kind in a row count once
		tight []fault // without memory; nil for the same
		says  string  // in the first of them
		class error
	}{
		"a flipped bit in a block": {
			plant: func(db *tablebase.DB) error {
				return tabletest.Change(db, tabletest.BlockKey(block(1)), func(value []byte) []byte {
					value[100] ^= 4
					return value
				})
			},
			want:  []fault{{8, check.FaultBlock}, {10, check.FaultLower}},
			says:  "layer 8 of bohnenspiel 2×6, block 1 of the scores: its checksum is wrong",
			class: format.ErrCorrupt,
		},
		"an empty block": {
			plant: func(db *tablebase.DB) error {
				return tabletest.SetValue(db, tabletest.BlockKey(block(0)), nil)
			},
			want:  []fault{{8, check.FaultBlock}, {10, check.FaultLower}},
			says:  "block 0 of the scores: it is empty",
			class: format.ErrCorrupt,
		},
		"a missing block": {
			plant: func(db *tablebase.DB) error {
				return tabletest.DropKeys(db, tabletest.BlockKey(block(1)))
			},
			want:  []fault{{8, check.FaultBlock}, {10, check.FaultLower}},
			says:  "block 1 of the scores: it is missing",
			class: format.ErrCorrupt,
		},
		"all blocks missing": {
			plant: func(db *tablebase.DB) error {
				prefix := tabletest.BlockKey(block(1))
				return tabletest.DropKeys(db, prefix[:len(prefix)-4])
			},
			want:  []fault{{8, check.FaultBlock}, {10, check.FaultLower}},
			says:  "block 0 of the scores: it is missing",
			class: format.ErrCorrupt,
		},
		"a block of another layer": {
			plant: func(db *tablebase.DB) error {
				value, err := tabletest.Value(db, tabletest.BlockKey(tabletest.BlockOf(format.KeyOf(g, 10), solver.Scores, 1)))
				if err != nil {
					return err
				}
				return tabletest.SetValue(db, tabletest.BlockKey(block(1)), value)
			},
			want:  []fault{{8, check.FaultBlock}, {10, check.FaultLower}},
			says:  "block 1 of the scores: it is another block",
			class: format.ErrCorrupt,
		},
		"a block of another version": {
			plant: func(db *tablebase.DB) error {
				return tabletest.Change(db, tabletest.BlockKey(block(1)), func(value []byte) []byte {
					value[4] = 1
					tabletest.SealBlock(value)
					return value
				})
			},
			want:  []fault{{8, check.FaultBlock}, {10, check.FaultLower}},
			says:  "block 1 of the scores of layer 8 of bohnenspiel 2×6: unknown format version 1",
			class: format.ErrVersion,
		},
		"a wrong score": {
			plant: func(db *tablebase.DB) error {
				// It loses all, and captures lead to it.
				p := game.Position{Mover: game.RowOf(0, 0, 0, 0, 5, 3)}
				number, at := format.NewBlocking(index.New(6, 8), 8).Locate(p)
				value, err := tabletest.Value(db, tabletest.BlockKey(block(number)))
				if err != nil {
					return err
				}
				scores, err := codec.Decode(block(number), value)
				if err != nil {
					return err
				}
				scores[at] = 8
				return tabletest.SetValue(db, tabletest.BlockKey(block(number)), codec.Encode(block(number), scores, nil))
			},
			want:  []fault{{8, check.FaultTotals}, {8, check.FaultScore}, {10, check.FaultTotals}, {10, check.FaultScore}},
			tight: []fault{{8, check.FaultTotals}, {8, check.FaultScore}, {10, check.FaultScore}},
			says:  "layer 8 of bohnenspiel 2×6: ",
		},
		"a lower bound that is wrong where the best conversion gives the score": {
			plant: func(db *tablebase.DB) error {
				for i := uint64(0); ; i++ {
					p := index.New(6, 8).Unrank(8, i)
					number, at := format.NewBlocking(index.New(6, 8), 8).Locate(p)
					value, err := tabletest.Value(db, tabletest.BlockKey(block(number)))
					if err != nil {
						return err
					}
					scores, err := codec.Decode(block(number), value)
					if err != nil {
						return err
					}
					known, err := db.Probe(g, p)
					if err != nil {
						return err
					}
					if scores[at] < known.Score {
						scores[at] = known.Score
						return tabletest.SetValue(db, tabletest.BlockKey(block(number)), codec.Encode(block(number), scores, nil))
					}
				}
			},
			want: []fault{{8, check.FaultTotals}},
			says: "layer 8 of bohnenspiel 2×6: the blocks are not those that the manifest was written for",
		},
		"a wrong total": {
			plant: func(db *tablebase.DB) error {
				m, err := db.Manifest(key)
				if err != nil {
					return err
				}
				m.Wins++
				m.Losses--
				value, err := tabletest.EncodeManifest(m)
				if err != nil {
					return err
				}
				return tabletest.SetValue(db, tabletest.ManifestKey(key), value)
			},
			want: []fault{{8, check.FaultTotals}},
			// Totals are not recomputed without memory.
			tight: []fault{},
			says:  "layer 8 of bohnenspiel 2×6: wins: the scores give 29651, the manifest says 29652",
		},
		"a flipped bit in a manifest": {
			plant: func(db *tablebase.DB) error {
				return tabletest.Change(db, tabletest.ManifestKey(key), func(value []byte) []byte {
					value[60] ^= 1
					return value
				})
			},
			want:  []fault{{8, check.FaultManifest}, {10, check.FaultLower}},
			says:  "layer 8 of bohnenspiel 2×6, manifest: its checksum is wrong",
			class: format.ErrCorrupt,
		},
		"a manifest of another version": {
			plant: func(db *tablebase.DB) error {
				return tabletest.Change(db, tabletest.ManifestKey(key), func(value []byte) []byte {
					value[4] = 9
					tabletest.SealManifest(value)
					return value
				})
			},
			want:  []fault{{8, check.FaultManifest}, {10, check.FaultLower}},
			says:  "manifest of layer 8 of bohnenspiel 2×6: unknown format version 9",
			class: format.ErrVersion,
		},
		"a missing manifest": {
			plant: func(db *tablebase.DB) error {
				return tabletest.DropKeys(db, tabletest.ManifestKey(key))
			},
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
				dir := t.TempDir()
				tabletest.CopyFiles(t, whole, dir)
				tabletest.Damage(t, dir, c.plant)
				db, err := database.Open(dir, tablebase.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer tabletest.Close(t, db)
				report, err := check.Run(context.Background(), db, check.Options{Memory: memory})
				if err != nil {
					t.Fatal(err)
				}
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
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	db := tabletest.Open(t, tabletest.Built(t, g, 2))
	report, err := check.Run(context.Background(), db, check.Options{Keys: []format.Key{format.KeyOf(g, 4)}})
	if err != nil {
		t.Fatal(err)
	}
	if report.Sound() || report.Layers[0].Faults[0].Kind != check.FaultManifest {
		t.Errorf("got %+v, want a fault of the manifest", report)
	}
	tabletest.WantError(t, report.Layers[0].Faults[0].Err, format.ErrNoLayer)
}

// TestCheckListsSoManyFaults damages more blocks than a report lists.
func TestCheckListsSoManyFaults(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	dir := tabletest.Built(t, g, 10)
	key := format.KeyOf(g, 10)
	tabletest.Damage(t, dir, func(db *tablebase.DB) error {
		prefix := tabletest.BlockKey(tabletest.BlockOf(key, solver.Scores, 0))
		return tabletest.DropKeys(db, prefix[:len(prefix)-4])
	})
	tabletest.Damage(t, dir, func(db *tablebase.DB) error {
		m, err := db.Manifest(key)
		if err != nil {
			return err
		}
		report, err := check.Run(context.Background(), db, check.Options{Keys: []format.Key{key}})
		got := report.Layers[0]
		if len(got.Faults) != check.MaxFaults || got.Unlisted != int(m.Blocks)-check.MaxFaults || got.Unlisted <= 0 {
			t.Errorf("got %d faults and %d more, want %d in all", len(got.Faults), got.Unlisted, m.Blocks)
		}
		return err
	})
}

// TestCheckWithoutMemory checks layers that are not brought into memory: blocks are
// verified, positions probed one by one, and totals left alone.
func TestCheckWithoutMemory(t *testing.T) {
	db := tabletest.Create(t, t.TempDir())
	tabletest.Build(t, db, tabletest.NewGame(t, game.Bohnenspiel, 6), 8, format.Even)
	tabletest.Build(t, db, tabletest.NewGame(t, game.Mangala, 2), 9, format.Both) // with layers that lean on rule 8
	for _, sample := range []uint64{0, 50} {
		report, err := check.Run(context.Background(), db, check.Options{Memory: 1, Sample: sample})
		if err != nil {
			t.Fatal(err)
		}
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
			tabletest.CheckAtEnd(t, db)
			report, err := check.Run(t.Context(), db, check.Options{Memory: c.memory, Sample: 1000})
			if err != nil {
				t.Fatal(err)
			}
			totals := make([]bool, 0, len(report.Layers))
			for _, layer := range report.Layers {
				totals = append(totals, layer.Totals)
			}
			want := []bool{true, true, true, true, true, true, c.totals}
			if diff := cmp.Diff(want, totals); diff != "" || !report.Sound() {
				t.Errorf("layers whose totals were recomputed differ (-want +got):\n%s%+v", diff, report)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "LOWER-*")); len(left) > 0 {
				t.Errorf("%v stay", left)
			}
		})
	}
}
