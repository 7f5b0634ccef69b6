package tablebase_test

import (
	"strings"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

func TestProbeRefuses(t *testing.T) {
	g, db := tabletest.OpenEven(t, 4)
	for name, c := range map[string]struct {
		game     game.Game
		position game.Position
		want     error
	}{
		"a layer that is not built":       {g, game.Position{Mover: game.RowOf(6)}, format.ErrNoLayer},
		"a layer of the other parity":     {g, game.Position{Mover: game.RowOf(1)}, format.ErrNoLayer},
		"another width":                   {tabletest.NewGame(t, game.Bohnenspiel, 5), game.Position{Mover: game.RowOf(2)}, format.ErrNoLayer},
		"other rules":                     {tabletest.NewGame(t, game.Mangala, 6), game.Position{Mover: game.RowOf(2)}, format.ErrNoLayer},
		"a pit beyond the mover's row":    {g, game.Position{Mover: game.RowOf(0, 0, 0, 0, 0, 0, 2)}, game.ErrPosition},
		"a pit beyond the opponent's row": {g, game.Position{Opponent: game.RowOf(0, 0, 0, 0, 0, 0, 2)}, game.ErrPosition},
		"a bit beyond all pits":           {g, game.Position{Mover: 1 << 63}, game.ErrPosition},
		"more beans than the game has":    {g, game.Position{Mover: game.RowOf(70, 3)}, game.ErrPosition},
		"more beans than can be counted":  {g, game.Position{Mover: game.RowOf(127, 1), Opponent: game.RowOf(4)}, game.ErrPosition},
		"no game":                         {game.Game{}, game.Position{Mover: game.RowOf(2)}, game.ErrWidth},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := db.Probe(c.game, c.position)
			tabletest.WantError(t, err, c.want)
		})
	}
}

func TestProbeNamesTheLayer(t *testing.T) {
	g := tabletest.NewGame(t, game.Mangala, 3)
	db := tabletest.Create(t, t.TempDir())
	_, err := db.Probe(g, game.Position{Mover: game.RowOf(1, 2), Opponent: game.RowOf(4)})
	tabletest.WantError(t, err, format.ErrNoLayer)
	if got, want := err.Error(), "layer 7 of mangala 2×3: layer is not built"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestProbeOfEndedPlay asks for positions where play is over, of layers that are not there.
func TestProbeOfEndedPlay(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 3)
	db := tabletest.Create(t, t.TempDir())
	over := []game.Position{{Opponent: game.RowOf(4, 2)}, {}}
	values := make([]tablebase.Value, len(over))
	if err := db.ProbeAll(g, over, values); err != nil {
		t.Fatal(err)
	}
	for i, p := range over {
		got, err := db.Probe(g, p)
		final := g.Final(p)
		if want := (tablebase.Value{Score: final, Low: final, High: final}); err != nil || got != want || values[i] != want {
			t.Errorf("%v: got %+v and %+v, %v; want %+v", p, got, values[i], err, want)
		}
	}
}

// TestProbeNeedsLowerLayers takes away, and damages, the layer that a capture leads to.
func TestProbeNeedsLowerLayers(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	lower := format.KeyOf(g, 2)
	// Some move takes two beans.
	p := game.Position{Mover: game.RowOf(0, 0, 1, 1, 0, 0), Opponent: game.RowOf(1, 1)}
	captures := 0
	for _, s := range g.Successors(nil, p) {
		if s.Captured == 2 {
			captures++
		}
	}
	if captures == 0 {
		t.Fatal("there is no capture")
	}
	for name, c := range map[string]struct {
		spoil func(e tabletest.Editor)
		want  error
	}{
		"missing": {func(e tabletest.Editor) { e.Drop(tabletest.ManifestKey(lower)) }, format.ErrNoLayer},
		"damaged": {func(e tabletest.Editor) { e.Drop(format.LayerKey(format.BlockPrefix, lower)) }, format.ErrCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tabletest.Built(t, g, 4)
			tabletest.Damage(t, dir, c.spoil)
			_, err := tabletest.Reader(t, dir).Probe(g, p)
			tabletest.WantError(t, err, c.want)
			if err != nil && !strings.Contains(err.Error(), lower.String()) {
				t.Errorf("got error %q, want one that names %v", err, lower)
			}
		})
	}
}
