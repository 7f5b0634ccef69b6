package store

import (
	"errors"
	"os"
	"path/filepath"
)

// FreshSuffix is what the name of a file ends in that replace has not finished.
const FreshSuffix = ".new"

// Replace has write fill a new file, and then gives it the place of the one at path, if
// there is one. If durable is set, the new one is on the disk before that. Where anything
// fails, the old one stays.
func Replace(path string, durable bool, write func(file *os.File) error) error {
	fresh := path + FreshSuffix
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
	return Failure("write", filepath.Dir(path), err)
}

// Discard deletes a file that replace has written, and what it has not finished.
func Discard(path string) error {
	for _, path := range []string{path, path + FreshSuffix} {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return Failure("delete "+filepath.Base(path)+" in", filepath.Dir(path), err)
		}
	}
	return nil
}
