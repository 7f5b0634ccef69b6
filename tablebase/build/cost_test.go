package build_test

import (
	"fmt"
	"testing"
	"time"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// TestEstimateCoversWhatIsBuilt compares estimates with what layers really take.
func TestEstimateCoversWhatIsBuilt(t *testing.T) {
	for _, c := range []struct {
		rules  game.Rules
		width  int
		beans  int
		parity format.Parity
	}{
		{game.Bohnenspiel, 6, 10, format.Even},
		{game.Bohnenspiel, 6, 9, format.Odd},
		{game.Mangala, 6, 7, format.Odd},
		{game.Mangala, 3, 14, format.Both},
	} {
		t.Run(fmt.Sprintf("%v/width=%d/beans=%d", c.rules, c.width, c.beans), func(t *testing.T) {
			g := tabletest.NewGame(t, c.rules, c.width)
			cost := build.Estimate(g, c.beans, c.parity, 2, nil)
			manifests := tabletest.Build(t, tabletest.Create(t, t.TempDir()), g, c.beans, c.parity)
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
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	none := build.Estimate(g, 10, format.Even, 2, func(format.Key) bool { return true })
	if none != (build.Cost{}) {
		t.Errorf("got %+v when all is there, want nothing", none)
	}
	last := build.Estimate(g, 10, format.Even, 2, func(k format.Key) bool { return k != format.KeyOf(g, 10) })
	if last.Layers != 1 || last.Positions != 352716 {
		t.Errorf("got %+v, want layer 10 alone", last)
	}
	one, two := build.Estimate(g, 24, format.Even, 1, nil), build.Estimate(g, 24, format.Even, 2, nil)
	if one.Time <= two.Time || one.Bytes != two.Bytes {
		t.Errorf("one worker takes %v and %d bytes, two take %v and %d", one.Time, one.Bytes, two.Time, two.Bytes)
	}
	for _, beans := range []int{-1, 72, 1000} {
		cost := build.Estimate(g, beans, format.Both, 1, nil)
		if cost.Time < 0 || cost.Layers > 73 || (beans > 0) != (cost.Positions > 1<<40) {
			t.Errorf("%d beans: got %+v", beans, cost)
		}
	}
	if all := build.Estimate(tabletest.NewGame(t, game.Mangala, 9), 108, format.Both, 1, nil); all.Time < time.Hour {
		t.Errorf("got %+v for the largest board", all)
	}
}
