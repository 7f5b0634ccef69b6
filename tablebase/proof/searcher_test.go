package proof_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/proof"
)

func TestSearcher(t *testing.T) {
	t.Parallel()
	g, dir := tabletest.Even(t, 12)
	d := tabletest.Diagram(t, tabletest.Above)
	db := tabletest.Open(t, dir)
	answer, err := db.Answer(t.Context(), game.Bohnenspiel, d, tablebase.DefaultDepthLimit)
	if err != nil {
		t.Fatal(err)
	}
	tabletest.Close(t, db)

	s := tabletest.Searcher(t, dir, d, 4, true)
	if s.Top() != 4 {
		t.Errorf("tables: got up to %d, want 4", s.Top())
	}
	got, err := s.Solve(t.Context(), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Exact() || *got.Score != *answer.Score || *got.Outcome != *answer.Outcome || *got.Keeping != *answer.Keeping {
		t.Errorf("got %+v, want what the tables say: %+v", got, answer)
	}
	// The moves that keep the score come first, the others have none.
	for i, move := range got.Moves {
		if keeps := i < *answer.Keeping; keeps != (move.Score != nil) || keeps && *move.Score != *answer.Score {
			t.Errorf("move %d: got %+v", i, move)
		}
	}
	if got.Visited == 0 || len(got.Line) == 0 {
		t.Errorf("got %d positions visited and line %v", got.Visited, got.Line)
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"bounds":[`, `"visited":`, `"endless":null`, `"dtc":null`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("JSON: got %s, want %s in it", text, want)
		}
	}
	// What is proved is kept, and found again without a search.
	if names := tabletest.States(t, dir); len(names) != 1 {
		t.Errorf("before the score is kept there is %v, want the state of the search", names)
	}
	if err := tabletest.KeepBounds(s); err != nil {
		t.Fatal(err)
	}
	if names := tabletest.States(t, dir); len(names) > 0 {
		t.Errorf("after the end there is %v", names)
	}
	db = tabletest.Open(t, dir)
	kept, ok, err := proof.BoundsOf(db, g, d.Position())
	want := proof.Proven{Bounds: search.Bounds{Low: *answer.Score, High: *answer.Score}, Visited: got.Visited}
	if err != nil || !ok || kept != want {
		t.Errorf("kept: got %+v, %v, %v, want %+v", kept, ok, err, want)
	}
	tabletest.Close(t, db)
	again, err := tabletest.Searcher(t, dir, d, 4, true).Solve(t.Context(), 0, nil)
	if err != nil || !again.Exact() {
		t.Errorf("again: got %+v, %v", again, err)
	}
}

// TestSearcherGoesOn stops a search five times; each time another searcher goes on from
// the file that is left.
func TestSearcherGoesOn(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	d := tabletest.Diagram(t, "1-2-1-2-1-2-2-1-2-1-2-1-0-0-S")
	whole, err := tabletest.Searcher(t, tabletest.Built(t, g, 2), d, 2, false).Solve(t.Context(), 0, nil)
	if err != nil || !whole.Exact() {
		t.Fatalf("got %+v, %v", whole, err)
	}
	dir := tabletest.Built(t, g, 2)
	var got proof.Solution
	runs := 0
	for ; !got.Exact() || runs == 0; runs++ {
		limit := whole.Visited / 8
		if runs == 5 {
			limit = 0
		}
		s := tabletest.Searcher(t, dir, d, 2, false)
		if (s.Resumed() > 0) != (runs > 0) {
			t.Errorf("run %d goes on from %d records", runs, s.Resumed())
		}
		if got, err = s.Solve(t.Context(), limit, nil); err != nil {
			t.Fatal(err)
		}
	}
	if !got.Exact() || *got.Score != *whole.Score || cmp.Diff(got.Outcome, whole.Outcome) != "" {
		t.Errorf("got %+v, want %+v", got, whole)
	}
	if runs != 6 || got.Visited > whole.Visited*3/2 {
		t.Errorf("got %d runs that visited %d, want 6 and at most 1.5 times %d", runs, got.Visited, whole.Visited)
	}
}

// TestSearcherDoubtsState damages the state of a search. It counts as none.
func TestSearcherDoubtsState(t *testing.T) {
	t.Parallel()
	_, dir := tabletest.Even(t, 2)
	d := tabletest.Diagram(t, "2-2-2-0-2-2-2-3-1-0-2-0-0-0-S")
	if _, err := tabletest.Searcher(t, dir, d, 2, false).Solve(t.Context(), 300, nil); err != nil {
		t.Fatal(err)
	}
	names := tabletest.States(t, dir)
	if len(names) != 1 {
		t.Fatalf("got files %v, want one", names)
	}
	good := tabletest.ReadFile(t, names[0])
	for at := 0; at < len(good); at += 1 + len(good)/60 {
		bad := append([]byte{}, good...)
		bad[at] ^= 4
		for _, data := range [][]byte{bad, good[:at]} {
			tabletest.WriteFile(t, names[0], data)
			if s := tabletest.Searcher(t, dir, d, 2, false); s.Resumed() != 0 {
				t.Fatalf("byte %d damaged: %d records are believed", at, s.Resumed())
			}
		}
	}
	tabletest.WriteFile(t, names[0], good)
	if tabletest.Searcher(t, dir, d, 2, false).Resumed() == 0 {
		t.Error("the file as it was: got no records")
	}
}

// TestSearcherUnsaved searches where the state can't be kept. What is proved stands.
func TestSearcherUnsaved(t *testing.T) {
	t.Parallel()
	_, dir := tabletest.Even(t, 2)
	d := tabletest.Diagram(t, "2-2-2-0-2-2-2-3-1-0-2-0-0-0-S")
	s := tabletest.Searcher(t, dir, d, 2, false)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	got, err := s.Solve(t.Context(), 300, nil)
	if err != nil || got.Visited < 300 || got.Exact() {
		t.Errorf("got %+v, %v, want bounds", got, err)
	}
	if s.Unsaved() == nil {
		t.Error("got a state that is kept nowhere")
	}
}
