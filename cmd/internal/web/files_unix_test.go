//go:build unix

package web_test

import "syscall"

// openFiles returns the number of files and connections that this process may have open.
func openFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return manyFiles
	}
	return int(min(limit.Cur, manyFiles))
}
