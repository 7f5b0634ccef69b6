package store

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"bohnenspiel/tablebase/fault"
)

// Failure translates an error of the system about a file in a directory into one line. It
// keeps nil, ErrNoValue and errors that have a class. Other errors wrap ErrReadOnly or
// ErrStorage.
func Failure(doing, dir string, err error) error {
	if err == nil || errors.Is(err, ErrNoValue) || fault.ClassOf(err) != fault.Other {
		return err
	}
	cause := SystemCause(err)
	switch {
	case cause == syscall.EROFS, cause == syscall.EACCES && doing != "read":
		return fmt.Errorf("%w: cannot write to %s; get leave to, or use another directory", ErrReadOnly, dir)
	case cause != 0:
		return fmt.Errorf("%w: cannot %s %s: %w", ErrStorage, doing, dir, cause)
	}
	return fmt.Errorf("%w: cannot %s %s", ErrStorage, doing, dir)
}

// SystemCause returns the system's error behind another one, such as one of Badger's, or
// 0. Badger mostly keeps the text alone.
func SystemCause(err error) syscall.Errno {
	for _, cause := range []syscall.Errno{
		syscall.EACCES, syscall.EROFS, syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM,
		syscall.ENOTDIR, syscall.ENAMETOOLONG,
	} {
		if errors.Is(err, cause) || strings.Contains(err.Error(), cause.Error()) {
			return cause
		}
	}
	return 0
}

// FileFailure returns the error for a file that the system fails to read.
func FileFailure(doing string, err error) error {
	if cause := SystemCause(err); cause != 0 {
		err = cause
	} else if errors.Is(err, os.ErrNotExist) {
		err = os.ErrNotExist
	}
	return fmt.Errorf("%w: cannot %s it: %w", ErrStorage, doing, err)
}
