package tablebase_test

import (
	"bytes"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// keptAbove makes a database of layers to 4 beans, and keeps the score of a position
// above them, with the key and the value of that.
func keptAbove(t *testing.T, g game.Game, position string) (dir string, key, value []byte) {
	t.Helper()
	dir = built(t, g, 4)
	d := diagram(t, position)
	s := searcher(t, dir, d, 4, false)
	if _, err := s.Solve(t.Context(), 0, nil); err != nil {
		t.Fatal(err)
	}
	if err := keepBounds(s); err != nil {
		t.Fatal(err)
	}
	key = tablebase.BoundsKey(g, d.Position())
	damage(t, dir, func(db *tablebase.DB) (err error) {
		value, err = db.Value(key)
		return err
	})
	return dir, key, value
}

// checkBounds checks a database and returns what is said of kept bounds.
func checkBounds(t *testing.T, dir string, depth tablebase.CheckDepth) tablebase.BoundsReport {
	t.Helper()
	db, err := tablebase.Open(dir, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeDB(t, db)
	report, err := db.Check(t.Context(), tablebase.CheckOptions{Depth: depth, Sample: 100})
	if err != nil {
		t.Fatal(err)
	}
	if sound := len(report.Bounds.Faults) == 0; report.Sound() != sound {
		t.Errorf("sound: got %v with faults of bounds %v", report.Sound(), report.Bounds.Faults)
	}
	for _, fault := range report.Bounds.Faults {
		wantOneLine(t, fault.Err)
	}
	return report.Bounds
}

// wantBounds fails the test unless a check says so many things of bounds.
func wantBounds(t *testing.T, what string, got tablebase.BoundsReport, kept, others, compared uint64, faults int) {
	t.Helper()
	if got.Kept != kept || got.Others != others || got.Compared != compared || len(got.Faults) != faults {
		t.Errorf("%s: got %+v, want %d kept, %d of others, %d compared, %d faults", what, got, kept, others, compared, faults)
	}
}

func TestCheckBounds(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 6)
	dir, key, good := keptAbove(t, g, above)
	score := int8(good[5])
	set := func(low, high int8) {
		t.Helper()
		damage(t, dir, func(db *tablebase.DB) error {
			value := bytes.Clone(good)
			value[5], value[6] = byte(low), byte(high)
			tablebase.SealBounds(value)
			return db.SetValue(key, value)
		})
	}
	wantBounds(t, "above 4", checkBounds(t, dir, tablebase.CheckWhole), 1, 0, 0, 0)

	// With layer 10 captures lead to tables, with layer 12 the position is in one.
	for _, beans := range []int{10, 12} {
		if testing.Short() && beans > 10 {
			break
		}
		damage(t, dir, func(db *tablebase.DB) error {
			build(t, db, g, beans, tablebase.Even)
			return nil
		})
		for _, c := range []struct {
			low, high int8
			faults    [2]int // above tables of 10, and of 12
		}{
			{score, score, [2]int{0, 0}},
			{-12, 12, [2]int{0, 0}},
			{score - 4, score, [2]int{0, 0}},
			{-12, -12, [2]int{1, 1}},
			{score + 4, 12, [2]int{0, 1}},
			{-12, score - 4, [2]int{1, 1}},
		} {
			set(c.low, c.high)
			faults := c.faults[beans/12]
			sound := uint64(1 - faults)
			wantBounds(t, "whole", checkBounds(t, dir, tablebase.CheckWhole), sound, 0, sound, faults)
		}
		wantBounds(t, "recompute", checkBounds(t, dir, tablebase.CheckRecompute), 0, 0, 0, 1)
		wantBounds(t, "quick", checkBounds(t, dir, tablebase.CheckQuick), 1, 0, 0, 0)
	}

	// Other tables than those that they were proved with.
	damage(t, dir, func(db *tablebase.DB) error {
		value := bytes.Clone(good)
		value[8] ^= 1
		tablebase.SealBounds(value)
		return db.SetValue(key, value)
	})
	wantBounds(t, "other tables", checkBounds(t, dir, tablebase.CheckWhole), 1, 1, 0, 0)
}

// TestRepairBounds damages kept bounds and their keys, and has them deleted; sound ones
// stay.
func TestRepairBounds(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 6)
	dir, key, good := keptAbove(t, g, above)
	bad := bytes.Clone(good)
	bad[6] ^= 1
	nonsense := bytes.Clone(good)
	nonsense[5], nonsense[6] = 4, 0
	tablebase.SealBounds(nonsense)
	other := tablebase.BoundsKey(g, diagram(t, "0-2-1-1-1-1-3-1-0-1-0-1-27-33-N").Position())
	another := tablebase.BoundsKey(g, diagram(t, "0-2-1-1-1-1-3-1-0-0-1-1-27-33-N").Position())
	damage(t, dir, func(db *tablebase.DB) error {
		for _, entry := range [][2][]byte{
			{other, bad},
			{another, nonsense},
			{key[:len(key)-1], good},
			{append(bytes.Clone(key), 0), good},
			{[]byte{tablebase.BoundsPrefix}, good},
			{append(bytes.Clone(key[:3]), key[3]+1), good},
			{bytes.Repeat([]byte{tablebase.BoundsPrefix}, len(key)), good},
		} {
			if err := db.SetValue(entry[0], entry[1]); err != nil {
				return err
			}
		}
		return nil
	})
	wantBounds(t, "damaged", checkBounds(t, dir, tablebase.CheckQuick), 1, 0, 0, 7)
	damage(t, dir, func(db *tablebase.DB) error {
		report, err := db.Check(t.Context(), tablebase.CheckOptions{})
		if err != nil {
			return err
		}
		dropped, err := db.Repair(report)
		if len(dropped) > 0 {
			t.Errorf("repair deletes %v", dropped)
		}
		return err
	})
	wantBounds(t, "repaired", checkBounds(t, dir, tablebase.CheckWhole), 1, 0, 0, 0)
}

// TestDepthsAndBounds builds and deletes the depths of a layer of whose positions bounds
// are kept. These stay.
func TestDepthsAndBounds(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 6)
	dir, _, _ := keptAbove(t, g, "0-1-1-1-0-1-1-0-0-1-0-0-33-33-S")
	damage(t, dir, func(db *tablebase.DB) error {
		build(t, db, g, 6, tablebase.Even)
		if _, err := db.BuildDepths(t.Context(), tablebase.BuildOptions{Game: g, Beans: 6}); err != nil {
			return err
		}
		report, err := db.Check(t.Context(), tablebase.CheckOptions{Keys: []tablebase.Key{tablebase.KeyOf(g, 6)}})
		if err != nil {
			return err
		}
		report.Layers[0].Faults = []tablebase.Fault{{Kind: tablebase.FaultDepth}}
		report.Layers[0].DepthsOnly = true
		_, err = db.Repair(report)
		return err
	})
	wantBounds(t, "after all that", checkBounds(t, dir, tablebase.CheckWhole), 1, 0, 1, 0)
}
