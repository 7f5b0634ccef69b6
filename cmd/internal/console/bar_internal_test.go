package console

import (
	"testing"
)

func TestFit(t *testing.T) {
	for _, c := range []struct {
		most int
		want string
	}{
		{100, "layer 8 of 2×6: load, 20% open, 3 min"},
		{37, "layer 8 of 2×6: load, 20% open, 3 min"},
		{36, "layer 8 of 2×6: load, 20% open"},
		{25, "layer 8 of 2×6: load"},
		{3, "layer 8 of 2×6: load"},
		{-3, "layer 8 of 2×6: load"},
	} {
		if got := fit("layer 8 of 2×6: load, 20% open, 3 min", c.most); got != c.want {
			t.Errorf("fit to %d: got %q, want %q", c.most, got, c.want)
		}
	}
}
