package main

import (
	"errors"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"
)

// byteSize is a flag that holds a number of bytes, such as 8GiB; 0 means that it was
// not given.
type byteSize uint64

// errByteSize is returned for a text that is no number of bytes.
var errByteSize = errors.New("want a number of bytes above 0, such as 8GiB, 500MB or 1073741824")

// String returns the number.
func (b *byteSize) String() string {
	if *b == 0 {
		return ""
	}
	return humanize.IBytes(uint64(*b))
}

// Type returns the word for a value in messages.
func (b *byteSize) Type() string { return "size" }

// Set reads a number with a unit: B, kB, MB, GB, … of 1000, or KiB, MiB, GiB, … of 1024.
func (b *byteSize) Set(text string) error {
	digits := strings.TrimRight(strings.ToUpper(text), "BKMGTPEI")
	unit := strings.ToUpper(text)[len(digits):]
	switch {
	// A lone letter may mean either unit.
	case unit != "" && !strings.HasSuffix(unit, "B"), unit == "" && strings.Contains(digits, "."), strings.ContainsAny(digits, ", "):
		return errByteSize
	}
	n, err := humanize.ParseBytes(text)
	if err != nil || n == 0 {
		return errByteSize
	}
	*b = byteSize(n)
	return nil
}

// memoryFlag adds the flag --memory to a command.
func memoryFlag(flags *pflag.FlagSet, value *byteSize) {
	flags.Var(value, "memory", "take no more than `SIZE` of memory, such as 8GiB or\n500MB (default: most of what the machine has)")
}
