package main

import (
	"testing"

	"bohnenspiel/solver/game"
)

func TestLayerList(t *testing.T) {
	for _, c := range []struct {
		beans []int
		want  string
	}{
		{[]int{4}, "layer 4"},
		{[]int{0, 2, 4, 6}, "layers 0, 2, 4, 6"},
		{[]int{0, 2, 4, 6, 8}, "layers 0, 2, …, 8"},
		{[]int{3, 4, 5, 6, 7}, "layers 3, 4, …, 7"},
		{[]int{0, 2, 4, 6, 10}, "layers 0, 2, 4, 6, 10"},
	} {
		if got := layerList(c.beans); got != c.want {
			t.Errorf("layerList(%v): got %q, want %q", c.beans, got, c.want)
		}
	}
}

func TestBuildCommand(t *testing.T) {
	for _, c := range []struct {
		o     options
		rules game.Rules
		width int
		beans int
		want  string
	}{
		{options{}, game.Bohnenspiel, 6, 18, "bohnenspiel build --beans 18"},
		{options{db: "/data/tables"}, game.Bohnenspiel, 6, 18, "bohnenspiel build --db /data/tables --beans 18"},
		{options{db: "Jo's tables"}, game.Mangala, 5, 7, `bohnenspiel build --db 'Jo'\''s tables' --rules mangala --width 5 --parity odd --beans 7`},
	} {
		g, err := game.New(c.rules, c.width)
		if err != nil {
			t.Fatal(err)
		}
		if got := buildCommand(&c.o, g, c.beans); got != c.want {
			t.Errorf("buildCommand(%+v, %v 2×%d, %d): got %q, want %q", c.o, c.rules, c.width, c.beans, got, c.want)
		}
	}
}
