package session

import (
	"errors"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// mostWorkers is the largest number of workers. Each takes memory, and more than there are
// processors only wait.
const mostWorkers = 1024

// Options are the flags that all commands share.
type Options struct {
	Dir     string // of the database, or an exported file; "" means the default
	Rules   game.Rules
	Width   int
	Workers int
	Quiet   bool
	JSON    bool
	// FieldWidth is the width that the fields of a position must fit: what --width says,
	// or 0 where it follows from their number.
	FieldWidth int
}

// Check looks at the flags that a command was given.
func (o *Options) Check(cmd *cobra.Command) error {
	if o.Workers < 0 || o.Workers > mostWorkers {
		return Usagef("--workers %d: want 0 to %d", o.Workers, mostWorkers)
	}
	if db := cmd.Flag("db"); db.Changed && db.Value.String() == "" {
		return Usagef("--db: want the name of a directory")
	}
	if cmd.Flags().Changed("width") {
		o.FieldWidth = o.Width
	}
	return nil
}

// GameWith returns the game that --rules and --width name, which has a layer of beans.
func (o *Options) GameWith(beans int) (game.Game, error) {
	g, err := game.New(o.Rules, o.Width)
	if err != nil {
		return g, err
	}
	return g, CheckBeans(g, beans)
}

// CheckBeans reports why a layer can't be of a board, or can't be numbered.
func CheckBeans(g game.Game, beans int) error {
	most := game.MaxBeans(g.Width())
	if beans < 0 || beans > most {
		return Usagef("--beans %d: a 2×%d board has 0 to %d beans", beans, g.Width(), most)
	}
	x := index.New(g.Width(), most)
	fits := func(beans int) bool { return x.Size(beans) <= index.MaxSize && x.HasRowMoves(beans) }
	if fits(beans) {
		return nil
	}
	for most = beans - 1; !fits(most); {
		most--
	}
	return Usagef("--beans %d: the layer has too many positions; the largest possible on a 2×%d board is layer %d, with %s",
		beans, g.Width(), most, words.Things(x.Size(most), "position"))
}

// MemoryFlag adds the flag --memory to a command.
func MemoryFlag(flags *pflag.FlagSet, value *ByteSize) {
	flags.Var(value, "memory", "take no more than `SIZE` of memory, such as 8GiB or\n500MB (default: most of what the machine has)")
}

// ByteSize is a flag that holds a number of bytes, such as 8GiB; 0 means that it was
// not given.
type ByteSize uint64

// errByteSize is returned for a text that is no number of bytes.
var errByteSize = errors.New("want a number of bytes above 0, such as 8GiB, 500MB or 1073741824")

// String returns the number.
func (b *ByteSize) String() string {
	if *b == 0 {
		return ""
	}
	return humanize.IBytes(uint64(*b))
}

// Type returns the word for a value in messages.
func (b *ByteSize) Type() string { return "size" }

// Set reads a number with a unit: B, kB, MB, GB, … of 1000, or KiB, MiB, GiB, … of 1024.
func (b *ByteSize) Set(text string) error {
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
	*b = ByteSize(n)
	return nil
}

// SubcommandsOnly is the argument check of commands that take none but their own commands.
func SubcommandsOnly(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return UnknownCommand(cmd, args[0])
	}
	return nil
}

// NoArguments is the argument check of commands that take none.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("%s takes no argument %q; see %s --help", cmd.Name(), args[0], cmd.CommandPath())
	}
	return nil
}

// FlagError says in plain words what is wrong with a flag.
func FlagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &invalid):
		return Usagef("--%s %q: %s; see %s --help", invalid.GetFlag().Name, invalid.GetValue(), valueFault(invalid), cmd.CommandPath())
	case errors.As(err, &unknown) && strings.ContainsAny(unknown.GetSpecifiedShortnames(), "0123456789"):
		// A position that begins with a negative number looks like flags.
		if _, err := game.ParseDiagram("-"+unknown.GetSpecifiedShortnames(), 0); err != nil {
			return err
		}
		fallthrough
	default:
		return Usagef("%w; see %s --help", err, cmd.CommandPath())
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
