package tablebase_test

import (
	"strings"
	"testing"

	"bohnenspiel/tablebase"
)

func TestCheckSpace(t *testing.T) {
	dir := t.TempDir()
	if err := tablebase.CheckSpace(dir, 0); err != nil {
		t.Errorf("no room for nothing: %v", err)
	}
	err := tablebase.CheckSpace(dir, 1<<60)
	wantError(t, err, tablebase.ErrStorage)
	if !strings.Contains(err.Error(), "no space left on the disk of "+dir) {
		t.Errorf("got %q, want it to name %s", err, dir)
	}
}
