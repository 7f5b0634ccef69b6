package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"bohnenspiel/cmd/internal/console"
)

// ReadFile reads a file, or standard input if its name is "-". It returns the name
// that messages give it.
func ReadFile(c console.Console, arg string) (name string, text []byte, err error) {
	if arg == "-" {
		text, err = io.ReadAll(c.In)
		return "standard input", text, err
	}
	if text, err = os.ReadFile(arg); err != nil {
		return arg, nil, Usagef("cannot read %s: %w", arg, Cause(err))
	}
	return arg, text, nil
}

// Writable returns an error if a file can't be written where path says.
func Writable(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("cannot write %s: it is a folder", path)
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, Cause(err))
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// WriteFile has a file written. It gets its name when it is whole and on the disk.
func WriteFile(path string, write func(io.Writer) error) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, Cause(err))
	}
	defer func() {
		if err != nil {
			_ = file.Close() // the first error says more
			_ = os.Remove(file.Name())
		}
	}()
	if err := write(file); err != nil {
		if Cause(err) == err { //nolint:errorlint // cause returns err itself if it is not about a file
			return err
		}
		return fmt.Errorf("cannot write %s: %w", path, Cause(err))
	}
	const readable = 0o644
	for _, step := range []func() error{
		file.Sync,
		file.Close,
		func() error { return os.Chmod(file.Name(), readable) },
		func() error { return os.Rename(file.Name(), path) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("cannot write %s: %w", path, Cause(err))
		}
	}
	return nil
}

// Cause returns what is behind an error about a file, without the file's name.
func Cause(err error) error {
	if about, ok := errors.AsType[*fs.PathError](err); ok {
		return about.Err
	}
	return err
}
