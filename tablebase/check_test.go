package tablebase_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

func TestCheckOfSoundLayers(t *testing.T) {
	db := create(t, t.TempDir())
	build(t, db, newGame(t, game.Bohnenspiel, 6), 10, tablebase.Even)
	build(t, db, newGame(t, game.Mangala, 3), 7, tablebase.Both)
	manifests := db.Layers()
	seen := make(map[tablebase.Key]map[tablebase.CheckPhase]tablebase.CheckProgress)
	report, err := db.Check(context.Background(), tablebase.CheckOptions{
		Workers: 2,
		Report: func(p tablebase.CheckProgress) {
			if seen[p.Key] == nil {
				seen[p.Key] = make(map[tablebase.CheckPhase]tablebase.CheckProgress)
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
		want := tablebase.LayerReport{Key: m.Key(), Blocks: m.Blocks, Bytes: m.Bytes, Compared: m.Positions}
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
	g := newGame(t, game.Bohnenspiel, 6)
	db := open(t, built(t, g, 8))
	key := tablebase.KeyOf(g, 8)
	report, err := db.Check(context.Background(), tablebase.CheckOptions{Keys: []tablebase.Key{key, key}, Sample: 100})
	if err != nil {
		t.Fatal(err)
	}
	m, err := db.Manifest(key)
	if err != nil {
		t.Fatal(err)
	}
	want := tablebase.CheckReport{Layers: []tablebase.LayerReport{{Key: key, Blocks: 2, Bytes: m.Bytes, Compared: 100}}}
	if diff := cmp.Diff(want, report); diff != "" {
		t.Errorf("report differs (-want +got):\n%s", diff)
	}
}

func TestCheckIsCancelled(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	db := open(t, built(t, g, 8))
	for stop := 1; stop < 30; stop++ {
		ctx, cancel := context.WithCancel(context.Background())
		calls := 0
		report, err := db.Check(ctx, tablebase.CheckOptions{Report: func(tablebase.CheckProgress) {
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

// TestCheckFindsFaults plants one fault each in layer 8, whose tables have two
// blocks, between sound layers.
func TestCheckFindsFaults(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	key := tablebase.KeyOf(g, 8)
	block := func(number int) tablebase.BlockID { return tablebase.BlockOf(key, solver.Scores, number) }
	codec := tablebase.NewCodec()
	type fault struct {
		Beans int
		Kind  tablebase.FaultKind
	}
	for name, c := range map[string]struct {
		plant func(db *tablebase.DB) error
		want  []fault
		says  string // in the first of them
		class error
	}{
		"a flipped bit in a block": {
			plant: func(db *tablebase.DB) error {
				return change(db, tablebase.BlockKey(block(1)), func(value []byte) []byte {
					value[100] ^= 4
					return value
				})
			},
			want:  []fault{{8, tablebase.FaultBlock}, {10, tablebase.FaultLower}},
			says:  "layer 8 of bohnenspiel 2×6, block 1 of the scores: its checksum is wrong",
			class: tablebase.ErrCorrupt,
		},
		"an empty block": {
			plant: func(db *tablebase.DB) error {
				return db.SetValue(tablebase.BlockKey(block(0)), nil)
			},
			want:  []fault{{8, tablebase.FaultBlock}, {10, tablebase.FaultLower}},
			says:  "block 0 of the scores: it is empty",
			class: tablebase.ErrCorrupt,
		},
		"a missing block": {
			plant: func(db *tablebase.DB) error {
				return db.DropKeys(tablebase.BlockKey(block(1)))
			},
			want:  []fault{{8, tablebase.FaultBlock}, {10, tablebase.FaultLower}},
			says:  "block 1 of the scores: it is missing",
			class: tablebase.ErrCorrupt,
		},
		"two missing blocks": {
			plant: func(db *tablebase.DB) error {
				prefix := tablebase.BlockKey(block(1))
				return db.DropKeys(prefix[:len(prefix)-4])
			},
			want:  []fault{{8, tablebase.FaultBlock}, {8, tablebase.FaultBlock}, {10, tablebase.FaultLower}},
			says:  "block 0 of the scores: it is missing",
			class: tablebase.ErrCorrupt,
		},
		"a block of another layer": {
			plant: func(db *tablebase.DB) error {
				value, err := db.Value(tablebase.BlockKey(tablebase.BlockOf(tablebase.KeyOf(g, 10), solver.Scores, 1)))
				if err != nil {
					return err
				}
				return db.SetValue(tablebase.BlockKey(block(1)), value)
			},
			want:  []fault{{8, tablebase.FaultBlock}, {10, tablebase.FaultLower}},
			says:  "block 1 of the scores: it is another block",
			class: tablebase.ErrCorrupt,
		},
		"a block of another version": {
			plant: func(db *tablebase.DB) error {
				return change(db, tablebase.BlockKey(block(1)), func(value []byte) []byte {
					value[4] = 2
					tablebase.SealBlock(value)
					return value
				})
			},
			want:  []fault{{8, tablebase.FaultBlock}, {10, tablebase.FaultLower}},
			says:  "block 1 of the scores of layer 8 of bohnenspiel 2×6: unknown format version 2",
			class: tablebase.ErrVersion,
		},
		"a wrong score": {
			plant: func(db *tablebase.DB) error {
				id := block(1)
				value, err := db.Value(tablebase.BlockKey(id))
				if err != nil {
					return err
				}
				scores, err := codec.Decode(id, value)
				if err != nil {
					return err
				}
				scores[77] ^= 4
				return db.SetValue(tablebase.BlockKey(id), codec.Encode(id, scores, nil))
			},
			// Bytes, sum and histogram may or may not tell, the hash does.
			want: []fault{{8, tablebase.FaultTotals}, {8, tablebase.FaultScore}, {10, tablebase.FaultScore}},
			says: "layer 8 of bohnenspiel 2×6: ",
		},
		"a wrong total": {
			plant: func(db *tablebase.DB) error {
				m, err := db.Manifest(key)
				if err != nil {
					return err
				}
				m.Wins++
				m.Losses--
				value, err := tablebase.EncodeManifest(m)
				if err != nil {
					return err
				}
				return db.SetValue(tablebase.ManifestKey(key), value)
			},
			want: []fault{{8, tablebase.FaultTotals}},
			says: "layer 8 of bohnenspiel 2×6: wins: the blocks give 29651, the manifest says 29652",
		},
		"a flipped bit in a manifest": {
			plant: func(db *tablebase.DB) error {
				return change(db, tablebase.ManifestKey(key), func(value []byte) []byte {
					value[60] ^= 1
					return value
				})
			},
			want:  []fault{{8, tablebase.FaultManifest}, {10, tablebase.FaultLower}},
			says:  "layer 8 of bohnenspiel 2×6, manifest: its checksum is wrong",
			class: tablebase.ErrCorrupt,
		},
		"a manifest of another version": {
			plant: func(db *tablebase.DB) error {
				return change(db, tablebase.ManifestKey(key), func(value []byte) []byte {
					value[4] = 9
					tablebase.SealManifest(value)
					return value
				})
			},
			want:  []fault{{8, tablebase.FaultManifest}, {10, tablebase.FaultLower}},
			says:  "manifest of layer 8 of bohnenspiel 2×6: unknown format version 9",
			class: tablebase.ErrVersion,
		},
		"a missing manifest": {
			plant: func(db *tablebase.DB) error {
				return db.DropKeys(tablebase.ManifestKey(key))
			},
			want:  []fault{{10, tablebase.FaultLower}},
			says:  "layer 10 of bohnenspiel 2×6 cannot be compared with its successors: layer 8 of bohnenspiel 2×6: layer is not built",
			class: tablebase.ErrNoLayer,
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := built(t, g, 10)
			damage(t, dir, c.plant)
			db, err := tablebase.Open(dir, tablebase.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer closeDB(t, db)
			report, err := db.Check(context.Background(), tablebase.CheckOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if report.Sound() {
				t.Error("the report says that all is sound")
			}
			var got []fault
			var first error
			for _, layer := range report.Layers {
				for _, f := range layer.Faults {
					if first == nil {
						first = f.Err
					}
					next := fault{layer.Key.Beans, f.Kind}
					if f.Kind != tablebase.FaultTotals || len(got) == 0 || got[len(got)-1] != next {
						got = append(got, next)
					}
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("faults differ (-want +got):\n%s", diff)
			}
			if first == nil {
				return
			}
			if !strings.Contains(first.Error(), c.says) {
				t.Errorf("got %q, want a text with %q", first, c.says)
			}
			if c.class != nil {
				wantError(t, first, c.class)
			}
		})
	}
}

// change rewrites the value of a key.
func change(db *tablebase.DB, key []byte, f func(value []byte) []byte) error {
	value, err := db.Value(key)
	if err != nil {
		return err
	}
	return db.SetValue(key, f(value))
}

func TestCheckOfMissingLayers(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	db := open(t, built(t, g, 2))
	report, err := db.Check(context.Background(), tablebase.CheckOptions{Keys: []tablebase.Key{tablebase.KeyOf(g, 4)}})
	if err != nil {
		t.Fatal(err)
	}
	if report.Sound() || report.Layers[0].Faults[0].Kind != tablebase.FaultManifest {
		t.Errorf("got %+v, want a fault of the manifest", report)
	}
	wantError(t, report.Layers[0].Faults[0].Err, tablebase.ErrNoLayer)
}

// TestCheckListsSoManyFaults damages more blocks than a report lists.
func TestCheckListsSoManyFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("builds layer 14")
	}
	g := newGame(t, game.Bohnenspiel, 6)
	dir := built(t, g, 14)
	damage(t, dir, func(db *tablebase.DB) error {
		prefix := tablebase.BlockKey(tablebase.BlockOf(tablebase.KeyOf(g, 14), solver.Scores, 0))
		return db.DropKeys(prefix[:len(prefix)-4])
	})
	damage(t, dir, func(db *tablebase.DB) error {
		report, err := db.Check(context.Background(), tablebase.CheckOptions{Keys: []tablebase.Key{tablebase.KeyOf(g, 14)}})
		if got := report.Layers[0]; len(got.Faults) != tablebase.MaxFaults || got.Unlisted != 69-tablebase.MaxFaults {
			t.Errorf("got %d faults and %d more, want 69 in all", len(got.Faults), got.Unlisted)
		}
		return err
	})
}
