package format_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/fault"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/store"
)

func TestClassOf(t *testing.T) {
	for want, errs := range map[fault.Class][]error{
		fault.Other: {nil, context.Canceled, errors.New("anything")},
		fault.Usage: {game.ErrPosition, game.ErrRules, game.ErrWidth, game.ErrMove, format.ErrParity},
		fault.Unanswered: {
			store.ErrNoDatabase, format.ErrNoLayer, format.ErrTooManyBeans, store.ErrLocked, store.ErrInUse,
			store.ErrReadOnly, held.ErrMemory, tablebase.ErrDepthBudget, store.ErrClosed, store.ErrStorage,
		},
		fault.BadData: {
			format.ErrNotDatabase, format.ErrVersion, format.ErrCorrupt, &format.CorruptError{},
			fmt.Errorf("%w and %w", format.ErrNoLayer, format.ErrCorrupt),
		},
	} {
		for _, err := range errs {
			if got := fault.ClassOf(err); got != want {
				t.Errorf("class of %v: got %v, want %v", err, got, want)
			}
			if err == nil {
				continue
			}
			if got := fault.ClassOf(fmt.Errorf("at hand: %w", err)); got != want {
				t.Errorf("class of %v, wrapped: got %v, want %v", err, got, want)
			}
		}
	}
}

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
