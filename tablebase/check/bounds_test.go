package check_test

import (
	"bytes"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/proof"
)

// keptAbove makes a database of layers to 4 beans, and keeps the score of a position
// above them, with the key and the value of that.
func keptAbove(t *testing.T, g game.Game, position string) (dir string, key, value []byte) {
	t.Helper()
	dir = tabletest.Built(t, g, 4)
	d := tabletest.Diagram(t, position)
	s := tabletest.Searcher(t, dir, d, 4, false)
	if _, err := s.Solve(t.Context(), 0, nil); err != nil {
		t.Fatal(err)
	}
	if err := tabletest.KeepBounds(s); err != nil {
		t.Fatal(err)
	}
	key = proof.BoundsKey(g, d.Position())
	tabletest.Damage(t, dir, func(db *tablebase.DB) (err error) {
		value, err = tabletest.Value(db, key)
		return err
	})
	return dir, key, value
}

// checkBounds checks a database and returns what is said of kept bounds.
func checkBounds(t *testing.T, dir string, depth check.Level) check.BoundsReport {
	t.Helper()
	db, err := database.Open(dir, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tabletest.Close(t, db)
	report, err := check.Run(t.Context(), db, check.Options{Level: depth, Sample: 100})
	if err != nil {
		t.Fatal(err)
	}
	if sound := len(report.Bounds.Faults) == 0; report.Sound() != sound {
		t.Errorf("sound: got %v with faults of bounds %v", report.Sound(), report.Bounds.Faults)
	}
	for _, fault := range report.Bounds.Faults {
		tabletest.WantOneLine(t, fault.Err)
	}
	return report.Bounds
}

// wantBounds fails the test unless a check says so many things of bounds.
func wantBounds(t *testing.T, what string, got check.BoundsReport, kept, others, compared uint64, faults int) {
	t.Helper()
	if got.Kept != kept || got.Others != others || got.Compared != compared || len(got.Faults) != faults {
		t.Errorf("%s: got %+v, want %d kept, %d of others, %d compared, %d faults", what, got, kept, others, compared, faults)
	}
}

func TestCheckBounds(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	dir, key, good := keptAbove(t, g, tabletest.Above)
	score := int8(good[5])
	set := func(low, high int8) {
		t.Helper()
		tabletest.Damage(t, dir, func(db *tablebase.DB) error {
			value := bytes.Clone(good)
			value[5], value[6] = byte(low), byte(high)
			tabletest.SealBounds(value)
			return tabletest.SetValue(db, key, value)
		})
	}
	wantBounds(t, "above 4", checkBounds(t, dir, check.Whole), 1, 0, 0, 0)

	// With layer 10 captures lead to tables, with layer 12 the position is in one.
	for _, beans := range []int{10, 12} {
		if testing.Short() && beans > 10 {
			break
		}
		tabletest.Damage(t, dir, func(db *tablebase.DB) error {
			tabletest.Build(t, db, g, beans, format.Even)
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
			wantBounds(t, "whole", checkBounds(t, dir, check.Whole), sound, 0, sound, faults)
		}
		wantBounds(t, "recompute", checkBounds(t, dir, check.Recompute), 0, 0, 0, 1)
		wantBounds(t, "quick", checkBounds(t, dir, check.Quick), 1, 0, 0, 0)
	}

	// Other tables than those that they were proved with.
	tabletest.Damage(t, dir, func(db *tablebase.DB) error {
		value := bytes.Clone(good)
		value[8] ^= 1
		tabletest.SealBounds(value)
		return tabletest.SetValue(db, key, value)
	})
	wantBounds(t, "other tables", checkBounds(t, dir, check.Whole), 1, 1, 0, 0)
}

// TestRepairBounds damages kept bounds and their keys, and has them deleted; sound ones
// stay.
func TestRepairBounds(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	dir, key, good := keptAbove(t, g, tabletest.Above)
	bad := bytes.Clone(good)
	bad[6] ^= 1
	nonsense := bytes.Clone(good)
	nonsense[5], nonsense[6] = 4, 0
	tabletest.SealBounds(nonsense)
	other := proof.BoundsKey(g, tabletest.Diagram(t, "0-2-1-1-1-1-3-1-0-1-0-1-27-33-N").Position())
	another := proof.BoundsKey(g, tabletest.Diagram(t, "0-2-1-1-1-1-3-1-0-0-1-1-27-33-N").Position())
	tabletest.Damage(t, dir, func(db *tablebase.DB) error {
		for _, entry := range [][2][]byte{
			{other, bad},
			{another, nonsense},
			{key[:len(key)-1], good},
			{append(bytes.Clone(key), 0), good},
			{[]byte{proof.BoundsPrefix}, good},
			{append(bytes.Clone(key[:3]), key[3]+1), good},
			{bytes.Repeat([]byte{proof.BoundsPrefix}, len(key)), good},
		} {
			if err := tabletest.SetValue(db, entry[0], entry[1]); err != nil {
				return err
			}
		}
		return nil
	})
	wantBounds(t, "damaged", checkBounds(t, dir, check.Quick), 1, 0, 0, 7)
	tabletest.Damage(t, dir, func(db *tablebase.DB) error {
		report, err := check.Run(t.Context(), db, check.Options{})
		if err != nil {
			return err
		}
		dropped, err := check.Repair(db, report)
		if len(dropped) > 0 {
			t.Errorf("repair deletes %v", dropped)
		}
		return err
	})
	wantBounds(t, "repaired", checkBounds(t, dir, check.Whole), 1, 0, 0, 0)
}

// TestDepthsAndBounds builds and deletes the depths of a layer of whose positions bounds
// are kept. These stay.
func TestDepthsAndBounds(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	dir, _, _ := keptAbove(t, g, "0-1-1-1-0-1-1-0-0-1-0-0-33-33-S")
	tabletest.Damage(t, dir, func(db *tablebase.DB) error {
		tabletest.Build(t, db, g, 6, format.Even)
		if _, err := build.Depths(t.Context(), db, build.Options{Game: g, Beans: 6}); err != nil {
			return err
		}
		report, err := check.Run(t.Context(), db, check.Options{Keys: []format.Key{format.KeyOf(g, 6)}})
		if err != nil {
			return err
		}
		report.Layers[0].Faults = []check.Fault{{Kind: check.FaultDepth}}
		report.Layers[0].DepthsOnly = true
		_, err = check.Repair(db, report)
		return err
	})
	wantBounds(t, "after all that", checkBounds(t, dir, check.Whole), 1, 0, 1, 0)
}
