package solver_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

func TestCheckDepthsSound(t *testing.T) {
	t.Parallel()
	boards := []struct{ width, beans int }{{1, 12}, {1, 11}, {2, 16}, {2, 15}, {3, 8}, {3, 7}, {6, 6}, {6, 5}}
	for _, rules := range both() {
		for _, board := range boards {
			t.Run(fmt.Sprintf("%v/width=%d/beans=%d", rules, board.width, board.beans), func(t *testing.T) {
				t.Parallel()
				g := newGame(t, rules, board.width)
				solved := solveTo(t, g, board.beans, 2)
				for n := range solved {
					_, depths := solveDepths(t, depthProblem(g, n, 2, solved))
					for _, sample := range []uint64{0, 7} {
						want := uint64(len(depths))
						if sample > 0 {
							want = min(want, sample)
						}
						r := review(g, n, 2, solved)
						r.Sample = sample
						if got, err := solver.CheckDepths(t.Context(), r, depths); got != want || err != nil {
							t.Errorf("%d beans, sample %d: looked at %d of %d, error %v", n, sample, got, want, err)
						}
					}
				}
			})
		}
	}
}

// TestCheckDepthsAltered changes each DTC of a layer in turn: also into Endless, and
// where it was Endless into any other.
func TestCheckDepthsAltered(t *testing.T) {
	t.Parallel()
	for _, layer := range []struct {
		rules        game.Rules
		width, beans int
	}{{game.Bohnenspiel, 1, 10}, {game.Bohnenspiel, 2, 7}, {game.Bohnenspiel, 3, 4}, {game.Mangala, 2, 4}, {game.Mangala, 3, 3}} {
		t.Run(fmt.Sprintf("%v/width=%d/beans=%d", layer.rules, layer.width, layer.beans), func(t *testing.T) {
			t.Parallel()
			g := newGame(t, layer.rules, layer.width)
			solved := solveTo(t, g, layer.beans, 1)
			_, sound := solveDepths(t, depthProblem(g, layer.beans, 1, solved))
			x := index.New(g.Width(), layer.beans)
			for i := range sound {
				for _, wrong := range []game.DTC{0, 1, 2, sound[i] + 1, sound[i] + 2, game.Endless} {
					if wrong == sound[i] {
						continue
					}
					bad := slices.Clone(sound)
					bad[i] = wrong
					_, err := solver.CheckDepths(t.Context(), review(g, layer.beans, 2, solved), bad)
					found, ok := errors.AsType[*solver.DepthError](err)
					if !ok {
						t.Fatalf("index %d set from %v to %v: got error %v, want a wrong DTC", i, sound[i], wrong, err)
					}
					if found.Beans != layer.beans || found.Position != x.Unrank(layer.beans, found.Index) || found.Got != bad[found.Index] || found.Got == found.Want {
						t.Errorf("index %d set from %v to %v: got %+v", i, sound[i], wrong, found)
					}
				}
			}
		})
	}
}

func TestDepthError(t *testing.T) {
	err := &solver.DepthError{Beans: 6, Index: 123, Got: game.Endless, Want: 4}
	got := err.Error()
	for _, want := range []string{"6", "123", "endless", "4", "depth"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
	if strings.Contains(got, "\n") || strings.HasSuffix(got, ".") {
		t.Errorf("%q is not one line without a final stop", got)
	}
}
