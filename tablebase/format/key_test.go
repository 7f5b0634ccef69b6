package format_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

func TestParity(t *testing.T) {
	for _, c := range []struct {
		parity format.Parity
		name   string
		has    []int // of 0 to 4
	}{
		{format.Even, "even", []int{0, 2, 4}},
		{format.Odd, "odd", []int{1, 3}},
		{format.Both, "both", []int{0, 1, 2, 3, 4}},
	} {
		if got := c.parity.String(); got != c.name {
			t.Errorf("got %q, want %q", got, c.name)
		}
		if got, err := format.ParseParity(c.name); err != nil || got != c.parity {
			t.Errorf("parse %q: got %v, %v", c.name, got, err)
		}
		var has []int
		for beans := range 5 {
			if c.parity.Has(beans) {
				has = append(has, beans)
			}
		}
		if !slices.Equal(has, c.has) {
			t.Errorf("%v has layers %v, want %v", c.parity, has, c.has)
		}
	}
	for _, text := range []string{"", "Even", "2"} {
		_, err := format.ParseParity(text)
		tabletest.WantError(t, err, format.ErrParity)
	}
}

func TestKeys(t *testing.T) {
	keys := []format.Key{
		{Rules: game.Mangala, Width: 2, Beans: 3},
		{Rules: game.Bohnenspiel, Width: 6, Beans: 10},
		{Rules: game.Bohnenspiel, Width: 6, Beans: 9},
		{Rules: game.Bohnenspiel, Width: 5, Beans: 12},
	}
	slices.SortFunc(keys, format.Key.Compare)
	got := make([]string, len(keys))
	for i, k := range keys {
		got[i] = k.String()
	}
	want := []string{
		"layer 12 of bohnenspiel 2×5", "layer 9 of bohnenspiel 2×6", "layer 10 of bohnenspiel 2×6", "layer 3 of mangala 2×2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys differ (-want +got):\n%s", diff)
	}
}
