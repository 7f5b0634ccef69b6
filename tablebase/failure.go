package tablebase

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"bohnenspiel/tablebase/fault"
)

// failure translates an error of the system about a file in a directory into one line. It
// keeps nil, errNoValue and errors that have a class. Other errors wrap ErrReadOnly or
// ErrStorage.
func failure(doing, dir string, err error) error {
	if err == nil || errors.Is(err, errNoValue) || fault.ClassOf(err) != fault.Other {
		return err
	}
	cause := systemCause(err)
	switch {
	case cause == syscall.EROFS, cause == syscall.EACCES && doing != "read":
		return fmt.Errorf("%w: cannot write to %s; get leave to, or use another directory", ErrReadOnly, dir)
	case cause != 0:
		return fmt.Errorf("%w: cannot %s %s: %w", ErrStorage, doing, dir, cause)
	}
	return fmt.Errorf("%w: cannot %s %s", ErrStorage, doing, dir)
}

// systemCause returns the system's error behind another one, such as one of Badger's, or
// 0. Badger mostly keeps the text alone.
func systemCause(err error) syscall.Errno {
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

// freshSuffix is what the name of a file ends in that replace has not finished.
const freshSuffix = ".new"

// replace has write fill a new file, and then gives it the place of the one at path, if
// there is one. If durable is set, the new one is on the disk before that. Where anything
// fails, the old one stays.
func replace(path string, durable bool, write func(file *os.File) error) error {
	fresh := path + freshSuffix
	file, err := os.Create(fresh)
	if err == nil {
		err = write(file)
		if err == nil && durable {
			err = file.Sync()
		}
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
	}
	if err == nil {
		err = os.Rename(fresh, path)
	}
	if err != nil {
		_ = os.Remove(fresh) // what counts is the first error
	}
	return failure("write", filepath.Dir(path), err)
}

// discard deletes a file that replace has written, and what it has not finished.
func discard(path string) error {
	for _, path := range []string{path, path + freshSuffix} {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return failure("delete "+filepath.Base(path)+" in", filepath.Dir(path), err)
		}
	}
	return nil
}
