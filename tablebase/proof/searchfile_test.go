package proof_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/proof"
)

// FuzzSearchFile gives the reader of what a search remembers any file, or the stream within
// one; the checksum is put right. What it takes is written and read as the same.
func FuzzSearchFile(f *testing.F) {
	g := tabletest.NewGame(f, game.Bohnenspiel, 6)
	d := tabletest.Diagram(f, tabletest.Above)
	file := proof.NewSearchFile(f.TempDir(), g, d.Position())
	again := proof.NewSearchFile(f.TempDir(), g, d.Position())
	records := []search.Record{
		{Question: search.Question{Position: d.Position(), Bound: -4}, Yes: 0, No: 1 << 31, Length: 12, Work: 100},
		{Question: search.Question{Position: game.Position{Mover: game.RowOf(1, 2)}, Bound: 2}, Yes: 3, No: 4, Work: 7},
	}
	if err := file.Save(99, records); err != nil {
		f.Fatal(err)
	}
	good := tabletest.ReadFile(f, file.Path())
	stream, err := tabletest.StreamOf(good)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(true, good)
	f.Add(true, good[:len(good)-3])
	f.Add(true, good[:48])
	f.Add(false, stream)
	f.Add(false, stream[:40])
	f.Fuzz(func(t *testing.T, whole bool, data []byte) {
		if whole {
			tabletest.SealSearch(data)
		} else {
			data = file.Of(data)
		}
		tabletest.WriteFile(t, file.Path(), data)
		visited, records, err := file.Load()
		if err != nil {
			tabletest.WantError(t, err, format.ErrCorrupt)
			return
		}
		if err := again.Save(visited, records); err != nil {
			t.Fatal(err)
		}
		visitedAgain, recordsAgain, err := again.Load()
		if err != nil || visitedAgain != visited || cmp.Diff(records, recordsAgain) != "" {
			t.Errorf("got %d and %v, then %d and %v, %v", visited, records, visitedAgain, recordsAgain, err)
		}
	})
}
