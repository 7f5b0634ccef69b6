package held_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/tablebase/held"
)

func TestInOrder(t *testing.T) {
	for _, n := range []int{0, 1, 100} {
		for _, workers := range []int{1, 2, 7} {
			got, want := []int{}, make([]int, n)
			for number := range want {
				want[number] = number * number
			}
			err := held.InOrder(t.Context(), workers, n,
				func(number int, result *int) error {
					time.Sleep(time.Duration(number*7919%5) * 10 * time.Microsecond)
					*result = number * number
					return nil
				},
				func(_ int, result *int) error {
					got = append(got, *result)
					return nil
				})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("results differ (-want +got):\n%s", diff)
			}
		}
	}
}

func TestInOrderEnds(t *testing.T) {
	failure := errors.New("no luck")
	fine := func(int, *int) error { return nil }
	for _, at := range []int{0, 1, 50, 99} {
		fail := func(number int, _ *int) error {
			if number == at {
				return failure
			}
			return nil
		}
		if err := held.InOrder(t.Context(), 3, 100, fail, fine); !errors.Is(err, failure) {
			t.Errorf("compute fails at %d: got %v", at, err)
		}
		if err := held.InOrder(t.Context(), 3, 100, fine, fail); !errors.Is(err, failure) {
			t.Errorf("take fails at %d: got %v", at, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		err := held.InOrder(ctx, 3, 1_000_000, fine, func(number int, _ *int) error {
			if number == at {
				cancel()
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at %d: got %v", at, err)
		}
		cancel()
	}
}
