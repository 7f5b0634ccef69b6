package format_test

import (
	"testing"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
)

func TestCorruptErrorSaysWhere(t *testing.T) {
	key := format.Key{Rules: game.Mangala, Width: 6, Beans: 15}
	for _, c := range []struct {
		err  format.CorruptError
		want string
	}{
		{
			format.CorruptError{Key: key, Kind: solver.Highs, Block: 7, Reason: "it is empty"},
			"corrupt data in layer 15 of mangala 2×6, block 7 of the highs: it is empty; check --repair deletes the layer, then build it again",
		},
		{
			format.CorruptError{Key: key, Block: -1, Reason: "it is too short"},
			"corrupt data in layer 15 of mangala 2×6, manifest: it is too short; check --repair deletes the layer, then build it again",
		},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
