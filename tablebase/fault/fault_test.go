package fault_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

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
