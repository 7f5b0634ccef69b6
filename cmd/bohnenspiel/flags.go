package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// mostWorkers is the largest number of workers. Each takes memory, and more than there are
// processors only wait.
const mostWorkers = 1024

// options are the flags that all commands share.
type options struct {
	db      string
	rules   game.Rules
	width   int
	workers int
	quiet   bool
	json    bool
	// fieldWidth is the width that the fields of a position must fit: what --width says,
	// or 0 where it follows from their number.
	fieldWidth int
}

// check looks at the flags that a command was given.
func (o *options) check(cmd *cobra.Command) error {
	if o.workers < 0 || o.workers > mostWorkers {
		return usagef("--workers %d: want 0 to %d", o.workers, mostWorkers)
	}
	if db := cmd.Flag("db"); db.Changed && db.Value.String() == "" {
		return usagef("--db: want the name of a directory")
	}
	if cmd.Flags().Changed("width") {
		o.fieldWidth = o.width
	}
	return nil
}

// gameWith returns the game that --rules and --width name, which has a layer of beans.
func (o *options) gameWith(beans int) (game.Game, error) {
	g, err := game.New(o.rules, o.width)
	if err != nil {
		return g, err
	}
	return g, checkBeans(g, beans)
}

// checkBeans reports why a layer can't be of a board, or can't be numbered.
func checkBeans(g game.Game, beans int) error {
	most := game.MaxBeans(g.Width())
	if beans < 0 || beans > most {
		return usagef("--beans %d: a 2×%d board has 0 to %d beans", beans, g.Width(), most)
	}
	x := index.New(g.Width(), most)
	fits := func(beans int) bool { return x.Size(beans) <= index.MaxSize && x.HasRowMoves(beans) }
	if fits(beans) {
		return nil
	}
	for most = beans - 1; !fits(most); {
		most--
	}
	return usagef("--beans %d: the layer has too many positions; the largest possible on a 2×%d board is layer %d, with %s",
		beans, g.Width(), most, things(x.Size(most), "position"))
}

// memoryFlag adds the flag --memory to a command.
func memoryFlag(flags *pflag.FlagSet, value *byteSize) {
	flags.Var(value, "memory", "take no more than `SIZE` of memory, such as 8GiB or\n500MB (default: most of what the machine has)")
}

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

// subcommandsOnly is the argument check of commands that take none but their own commands.
func subcommandsOnly(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
	return nil
}

// noArguments is the argument check of commands that take none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument %q; see %s --help", cmd.Name(), args[0], cmd.CommandPath())
	}
	return nil
}

// flagError says in plain words what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &invalid):
		return usagef("--%s %q: %s; see %s --help", invalid.GetFlag().Name, invalid.GetValue(), valueFault(invalid), cmd.CommandPath())
	case errors.As(err, &unknown) && strings.ContainsAny(unknown.GetSpecifiedShortnames(), "0123456789"):
		// A position that begins with a negative number looks like flags.
		if _, err := game.ParseDiagram("-"+unknown.GetSpecifiedShortnames(), 0); err != nil {
			return err
		}
		fallthrough
	default:
		return usagef("%w; see %s --help", err, cmd.CommandPath())
	}
}

func valueFault(invalid *pflag.InvalidValueError) string {
	switch cause := invalid.Unwrap(); {
	case errors.Is(cause, strconv.ErrSyntax):
		return "not a whole number in range"
	case errors.Is(cause, strconv.ErrRange):
		return "out of range"
	default:
		return cause.Error()
	}
}
