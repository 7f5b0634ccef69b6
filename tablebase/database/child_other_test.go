//go:build !unix

package database_test

import (
	"os/exec"
	"testing"
)

// asNobody skips the test: it needs users that differ in what they may do.
func asNobody(t *testing.T, _ *exec.Cmd) {
	t.Helper()
	t.Skip("no way to run a child as another user")
}
