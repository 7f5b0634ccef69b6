package tablebase_test

import (
	"fmt"
	"testing"
	"time"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// TestEstimateCoversWhatIsBuilt compares estimates with what layers really take.
func TestEstimateCoversWhatIsBuilt(t *testing.T) {
	for _, c := range []struct {
		rules  game.Rules
		width  int
		beans  int
		parity tablebase.Parity
	}{
		{game.Bohnenspiel, 6, 10, tablebase.Even},
		{game.Bohnenspiel, 6, 9, tablebase.Odd},
		{game.Mangala, 6, 7, tablebase.Odd},
		{game.Mangala, 3, 14, tablebase.Both},
	} {
		t.Run(fmt.Sprintf("%v/width=%d/beans=%d", c.rules, c.width, c.beans), func(t *testing.T) {
			g := newGame(t, c.rules, c.width)
			cost := tablebase.EstimateBuild(g, c.beans, c.parity, 2, nil)
			manifests := build(t, create(t, t.TempDir()), g, c.beans, c.parity)
			var positions, bytes uint64
			for _, m := range manifests {
				positions += m.Positions
				bytes += m.Bytes
			}
			if cost.Layers != len(manifests) || cost.Positions != positions {
				t.Errorf("got %d layers, %d positions, want %d and %d", cost.Layers, cost.Positions, len(manifests), positions)
			}
			if cost.Bytes < bytes {
				t.Errorf("estimated %d bytes, but it takes %d", cost.Bytes, bytes)
			}
		})
	}
}

func TestEstimateBuild(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	none := tablebase.EstimateBuild(g, 10, tablebase.Even, 2, func(tablebase.Key) bool { return true })
	if none != (tablebase.Cost{}) {
		t.Errorf("got %+v when all is there, want nothing", none)
	}
	last := tablebase.EstimateBuild(g, 10, tablebase.Even, 2, func(k tablebase.Key) bool { return k != tablebase.KeyOf(g, 10) })
	if last.Layers != 1 || last.Positions != 352716 {
		t.Errorf("got %+v, want layer 10 alone", last)
	}
	one, two := tablebase.EstimateBuild(g, 24, tablebase.Even, 1, nil), tablebase.EstimateBuild(g, 24, tablebase.Even, 2, nil)
	if one.Time <= two.Time || one.Bytes != two.Bytes {
		t.Errorf("one worker takes %v and %d bytes, two take %v and %d", one.Time, one.Bytes, two.Time, two.Bytes)
	}
	for _, beans := range []int{-1, 72, 1000} {
		cost := tablebase.EstimateBuild(g, beans, tablebase.Both, 1, nil)
		if cost.Time < 0 || cost.Layers > 73 || (beans > 0) != (cost.Positions > 1<<40) {
			t.Errorf("%d beans: got %+v", beans, cost)
		}
	}
	if all := tablebase.EstimateBuild(newGame(t, game.Mangala, 9), 108, tablebase.Both, 1, nil); all.Time < time.Hour {
		t.Errorf("got %+v for the largest board", all)
	}
}
