package tablebase_test

import (
	"encoding/json"
	"testing"

	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

func TestStatisticsJSON(t *testing.T) {
	g, db := tabletest.OpenEven(t, 4)
	m := tabletest.Manifest(t, db, format.KeyOf(g, 4))
	m.SHA256, m.Bytes = "abc", 209
	statistics, err := db.Statistics(m)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(statistics)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"rules":"bohnenspiel","width":6,"beans":4,"positions":1365,"wins":471,"draws":442,"losses":452,` +
		`"scoreSum":76,"endless":0,"sha256":"abc","bytes":209,"depths":null,"facts":null}`
	if string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
