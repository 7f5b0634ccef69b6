package check_test

import (
	"bytes"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/proof"
)

// keptAbove makes a database of layers to 4 beans, and keeps the score of a position
// above them, with the key and the value of that.
func keptAbove(t *testing.T, position string) (g game.Game, dir string, key, value []byte) {
	t.Helper()
	g, dir = tabletest.Even(t, 4)
	key, value = tabletest.Kept(t, dir, g, tabletest.Diagram(t, position), 4)
	return g, dir, key, value
}

// checkBounds checks a database and returns what is said of kept bounds.
func checkBounds(t *testing.T, dir string, depth check.Level) check.BoundsReport {
	t.Helper()
	report := runIn(t, dir, check.Options{Level: depth, Sample: 100})
	if sound := len(report.Bounds.Faults) == 0; report.Sound() != sound {
		t.Errorf("sound: got %v with faults of bounds %v", report.Sound(), report.Bounds.Faults)
	}
	for _, fault := range report.Bounds.Faults {
		tabletest.WantForm(t, fault.Err)
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
	g, dir, key, good := keptAbove(t, tabletest.Above)
	score := int8(good[5])
	change := func(change func(value []byte)) {
		t.Helper()
		value := bytes.Clone(good)
		change(value)
		tabletest.SealBounds(value)
		tabletest.Damage(t, dir, func(e tabletest.Editor) { e.Set(key, value) })
	}
	wantBounds(t, "above 4", checkBounds(t, dir, check.Whole), 1, 0, 0, 0)

	// With layer 10 captures lead to tables, with layer 12 the position is in one.
	for _, beans := range []int{10, 12} {
		if testing.Short() && beans > 10 {
			break
		}
		tabletest.Damage(t, dir, func(e tabletest.Editor) { tabletest.Build(t, e.DB, g, beans, format.Even) })
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
			change(func(value []byte) { value[5], value[6] = byte(c.low), byte(c.high) })
			faults := c.faults[beans/12]
			sound := uint64(1 - faults)
			wantBounds(t, "whole", checkBounds(t, dir, check.Whole), sound, 0, sound, faults)
		}
		wantBounds(t, "recompute", checkBounds(t, dir, check.Recompute), 0, 0, 0, 1)
		wantBounds(t, "quick", checkBounds(t, dir, check.Quick), 1, 0, 0, 0)
	}

	// Other tables than those that they were proved with.
	change(func(value []byte) { value[8] ^= 1 })
	wantBounds(t, "other tables", checkBounds(t, dir, check.Whole), 1, 1, 0, 0)
}

// TestRepairBounds damages kept bounds and their keys, and has them deleted; sound ones
// stay.
func TestRepairBounds(t *testing.T) {
	t.Parallel()
	g, dir, key, good := keptAbove(t, tabletest.Above)
	bad := bytes.Clone(good)
	bad[6] ^= 1
	nonsense := bytes.Clone(good)
	nonsense[5], nonsense[6] = 4, 0
	tabletest.SealBounds(nonsense)
	other := proof.BoundsKey(g, tabletest.Diagram(t, "0-2-1-1-1-1-3-1-0-1-0-1-27-33-N").Position())
	another := proof.BoundsKey(g, tabletest.Diagram(t, "0-2-1-1-1-1-3-1-0-0-1-1-27-33-N").Position())
	tabletest.Damage(t, dir, func(e tabletest.Editor) {
		for _, entry := range [][2][]byte{
			{other, bad},
			{another, nonsense},
			{key[:len(key)-1], good},
			{append(bytes.Clone(key), 0), good},
			{[]byte{proof.BoundsPrefix}, good},
			{append(bytes.Clone(key[:3]), key[3]+1), good},
			{bytes.Repeat([]byte{proof.BoundsPrefix}, len(key)), good},
		} {
			e.Set(entry[0], entry[1])
		}
	})
	wantBounds(t, "damaged", checkBounds(t, dir, check.Quick), 1, 0, 0, 7)
	tabletest.Damage(t, dir, func(e tabletest.Editor) {
		if dropped, err := check.Repair(e.DB, run(t, e.DB, check.Options{})); len(dropped) > 0 || err != nil {
			t.Errorf("repair deletes %v, error %v", dropped, err)
		}
	})
	wantBounds(t, "repaired", checkBounds(t, dir, check.Whole), 1, 0, 0, 0)
}

// TestDepthsAndBounds builds and deletes the depths of a layer of whose positions bounds
// are kept. These stay.
func TestDepthsAndBounds(t *testing.T) {
	t.Parallel()
	g, dir, _, _ := keptAbove(t, "0-1-1-1-0-1-1-0-0-1-0-0-33-33-S")
	tabletest.Damage(t, dir, func(e tabletest.Editor) {
		tabletest.Build(t, e.DB, g, 6, format.Even)
		tabletest.BuildDepths(t, e.DB, g, 6, format.Even)
		report := run(t, e.DB, check.Options{Keys: []format.Key{format.KeyOf(g, 6)}})
		report.Layers[0].Faults = []check.Fault{{Kind: check.FaultDepth}}
		report.Layers[0].DepthsOnly = true
		if _, err := check.Repair(e.DB, report); err != nil {
			t.Error(err)
		}
	})
	wantBounds(t, "after all that", checkBounds(t, dir, check.Whole), 1, 0, 1, 0)
}
