package tablebase_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/tablebase"
)

func TestPitsJSON(t *testing.T) {
	for _, c := range []struct {
		pits tablebase.Pits
		want string
	}{
		{nil, "null"},
		{tablebase.Pits{}, "[]"},
		{tablebase.Pits{6}, "[6]"},
		{tablebase.Pits{6, 0, 12}, "[6,null,12]"},
	} {
		text, err := json.Marshal(c.pits)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(text); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
		var back tablebase.Pits
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.pits, back); diff != "" {
			t.Errorf("%s and back (-want +got):\n%s", text, diff)
		}
	}
}
