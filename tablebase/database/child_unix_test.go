//go:build unix

package database_test

import (
	"os/exec"
	"syscall"
	"testing"
)

// asNobody has a command run as a user without privileges.
func asNobody(_ *testing.T, command *exec.Cmd) {
	const nobody = 65534
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}
