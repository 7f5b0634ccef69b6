package database_test

import (
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// TestPanicOfReader wants a fault of the program that shows while a value is read to be seen
// as one, and not to be reported as damage of the files.
func TestPanicOfReader(t *testing.T) {
	dir := tabletest.Built(t, tabletest.NewGame(t, game.Bohnenspiel, 6), 2)
	s, err := database.OpenStore(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	key := tabletest.ManifestKey(format.Key{Rules: game.Bohnenspiel, Width: 6, Beans: 2})
	view := func() (recovered any) {
		defer func() { recovered = recover() }()
		err := s.View(key, func([]byte) error { panic("a fault of the decoder") })
		t.Errorf("got error %v, want a panic", err)
		return nil
	}
	if got := view(); got != "a fault of the decoder" {
		t.Errorf("got panic %v, want that of the reader", got)
	}
	// The database is usable all the same.
	if err := s.View(key, func([]byte) error { return nil }); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
