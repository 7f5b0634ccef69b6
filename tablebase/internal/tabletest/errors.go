package tabletest

import (
	"errors"
	"strings"
	"testing"

	"bohnenspiel/tablebase/fault"
)

// WantError fails the test unless err wraps want and is one line of the house's form.
func WantError(tb testing.TB, err, want error) {
	tb.Helper()
	if !errors.Is(err, want) {
		tb.Errorf("got error %v, want one that wraps %q", err, want)
		return
	}
	WantForm(tb, err)
}

// WantBadData fails the test unless an error is of the class of bad data.
func WantBadData(tb testing.TB, about string, err error) {
	tb.Helper()
	if class := fault.ClassOf(err); class != fault.BadData {
		tb.Errorf("%s: got %v of class %v, want bad data", about, err, class)
	}
}

// WantForm fails the test unless an error is one line of the house's form.
func WantForm(tb testing.TB, err error) {
	tb.Helper()
	text := err.Error()
	if strings.ContainsAny(text, "\n\r") || strings.HasSuffix(text, ".") {
		tb.Errorf("error %q is not one line without a full stop", text)
	}
	for _, word := range []string{"adger", "LSM", "vlog", "panic"} {
		if strings.Contains(text, word) {
			tb.Errorf("error %q speaks of %q", text, word)
		}
	}
}
