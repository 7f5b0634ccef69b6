package tabletest

import (
	"errors"
	"strings"
	"testing"
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
