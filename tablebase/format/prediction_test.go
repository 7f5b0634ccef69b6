package format_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/tablebase/format"
)

// TestListsOfTheFormat compares the lists that every block begins with, and what is
// done to them, with the example in docs/format.md.
func TestListsOfTheFormat(t *testing.T) {
	want := [][]byte{{0, 1, 2, 3}, {1, 0, 2, 3}, {2, 1, 3, 0}, {3, 2, 1, 0}, {2, 1, 3, 0}}
	if diff := cmp.Diff(want, format.Lists(3)); diff != "" {
		t.Errorf("lists differ (-want +got):\n%s", diff)
	}
	// Places in a column, one list after another: 2 from none, then 0 below 2, …
	places := []byte{0, 3, 0, 1, 2, 0}
	got, ok := format.Follow(places, 3, 1)
	if diff := cmp.Diff([]byte{2, 0, 0, 1, 2, 2}, got); diff != "" || !ok {
		t.Errorf("symbols differ (-want +got):\n%s", diff)
	}
	if _, ok := format.Follow([]byte{0, 4}, 3, 1); ok {
		t.Error("there is something at place 4 of 4")
	}
}
