package tablebase_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/store"
)

func TestUseAfterClose(t *testing.T) {
	g, dir := tabletest.Even(t, 4)
	db := tabletest.Create(t, dir)
	p := game.Position{Mover: game.RowOf(1, 1), Opponent: game.RowOf(2)}
	if _, err := db.Probe(g, p); err != nil {
		t.Fatal(err)
	}
	tabletest.Close(t, db)
	tabletest.Close(t, db)
	_, err := db.Probe(g, p)
	tabletest.WantError(t, err, store.ErrClosed)
	_, err = db.Manifest(format.KeyOf(g, 4))
	tabletest.WantError(t, err, store.ErrClosed)
	_, err = build.Scores(context.Background(), db, build.Options{Game: g, Beans: 6})
	tabletest.WantError(t, err, store.ErrClosed)
	_, err = check.Run(context.Background(), db, check.Options{})
	tabletest.WantError(t, err, store.ErrClosed)
}

// TestCloseWhileProbing closes a database that others are reading.
func TestCloseWhileProbing(t *testing.T) {
	g, dir := tabletest.Even(t, 8)
	for range 20 {
		db := tabletest.Reader(t, dir)
		var group sync.WaitGroup
		started := make(chan struct{}, 2)
		for range 2 {
			group.Go(func() {
				started <- struct{}{}
				for beans := 0; ; beans = (beans + 2) % 8 {
					_, err := db.Probe(g, game.Position{Mover: game.RowOf(beans + 2)})
					if errors.Is(err, store.ErrClosed) {
						return
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		<-started
		<-started
		tabletest.Close(t, db)
		group.Wait()
	}
}

func TestLayersAreSorted(t *testing.T) {
	db := tabletest.Create(t, t.TempDir())
	tabletest.Build(t, db, tabletest.NewGame(t, game.Mangala, 2), 2, format.Both)
	tabletest.Build(t, db, tabletest.NewGame(t, game.Bohnenspiel, 6), 2, format.Even)
	tabletest.Build(t, db, tabletest.NewGame(t, game.Bohnenspiel, 2), 2, format.Odd)
	layers := db.Layers()
	got := make([]format.Key, len(layers))
	for i, m := range layers {
		got[i] = m.Key()
	}
	want := []format.Key{
		{Rules: game.Bohnenspiel, Width: 2, Beans: 1},
		{Rules: game.Bohnenspiel, Width: 6, Beans: 0},
		{Rules: game.Bohnenspiel, Width: 6, Beans: 2},
		{Rules: game.Mangala, Width: 2, Beans: 0},
		{Rules: game.Mangala, Width: 2, Beans: 1},
		{Rules: game.Mangala, Width: 2, Beans: 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("layers differ (-want +got):\n%s", diff)
	}
}
