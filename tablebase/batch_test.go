package tablebase_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

func TestProbeAllIsProbeForEach(t *testing.T) {
	t.Parallel()
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		g, db := tabletest.Tables(t, rules, 6, 7, format.Both)
		x := index.New(6, 8)
		random := rand.New(rand.NewPCG(1, uint64(rules)))
		positions := make([]game.Position, 2000)
		want := make([]tablebase.Value, len(positions))
		for i := range positions {
			beans := random.IntN(8)
			positions[i] = x.Unrank(beans, random.Uint64N(x.Size(beans)))
			value, err := db.Probe(g, positions[i])
			if err != nil {
				t.Fatal(err)
			}
			want[i] = value
		}
		got := make([]tablebase.Value, len(positions))
		if err := db.ProbeAll(g, positions, got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v, -each +all:\n%s", rules, diff)
		}
		positions[1000] = game.Position{Mover: game.RowOf(8)}
		tabletest.WantError(t, db.ProbeAll(g, positions, got), format.ErrNoLayer)
		positions[1000] = game.Position{Mover: game.RowOf(0, 0, 0, 0, 0, 0, 1)}
		tabletest.WantError(t, db.ProbeAll(g, positions, got), game.ErrPosition)
		if err := db.ProbeAll(g, nil, nil); err != nil {
			t.Errorf("no position: %v", err)
		}
	}
}
