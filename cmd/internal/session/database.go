package session

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
)

// Open opens the database for reading.
func (o *Options) Open(c console.Console) (*tablebase.DB, error) {
	dir, err := Directory(c, o)
	if err != nil {
		return nil, err
	}
	return database.Open(dir, tablebase.Options{})
}

// StoredLayer returns the manifest of a layer. If there is none, the error says how
// to build it.
func StoredLayer(db *tablebase.DB, o *Options, g game.Game, beans int) (format.Manifest, error) {
	key := format.KeyOf(g, beans)
	m, err := db.Manifest(key)
	if errors.Is(err, format.ErrNoLayer) {
		return m, missingLayer(o, g, key, db, db.Dir())
	}
	return m, err
}

// missingLayer is the error for a layer that db, which may be nil, does not have. It
// says how to build it and what that takes.
func missingLayer(o *Options, g game.Game, key format.Key, db *tablebase.DB, dir string) error {
	if db != nil && db.Archived() {
		return fmt.Errorf("%v: %w in %s, which is an exported file; name a larger one or a database", key, format.ErrNoLayer, dir)
	}
	cost := build.Estimate(g, key.Beans, ParityOf(key.Beans), o.Workers, HasLayer(db))
	return fmt.Errorf("%v: %w in %s; run %s (%s)", key, format.ErrNoLayer, dir, BuildCommand(o, g, key.Beans), words.Costs(cost))
}

// Layers sorts the layers of a game up to beans by whether db has them. A nil db
// has none.
func Layers(db *tablebase.DB, g game.Game, beans int, parity format.Parity) (present, missing []int, err error) {
	for n := range beans + 1 {
		if !parity.Has(n) {
			continue
		}
		err := format.ErrNoLayer
		if db != nil {
			_, err = db.Manifest(format.KeyOf(g, n))
		}
		switch {
		case err == nil:
			present = append(present, n)
		case errors.Is(err, format.ErrNoLayer):
			missing = append(missing, n)
		default:
			return nil, nil, err
		}
	}
	return present, missing, nil
}

// BuildCommand returns the command line that builds the layers up to beans, as one
// could type it.
func BuildCommand(o *Options, g game.Game, beans int) string {
	parts := []string{"bohnenspiel build"}
	if o.Dir != "" {
		parts = append(parts, "--db "+words.Quote(o.Dir))
	}
	if g.Rules() != game.Bohnenspiel {
		parts = append(parts, "--rules "+g.Rules().String())
	}
	if g.Width() != game.StandardWidth {
		parts = append(parts, fmt.Sprintf("--width %d", g.Width()))
	}
	if parity := ParityOf(beans); parity != format.Even {
		parts = append(parts, "--parity "+parity.String())
	}
	return strings.Join(append(parts, fmt.Sprintf("--beans %d", beans)), " ")
}

// ParityOf returns the parity of a number of beans.
func ParityOf(beans int) format.Parity {
	if beans%2 == 1 {
		return format.Odd
	}
	return format.Even
}

// HasLayer returns a function that reports whether a database has a layer. A nil
// database has none.
func HasLayer(db *tablebase.DB) func(format.Key) bool {
	return func(k format.Key) bool {
		if db == nil {
			return false
		}
		_, err := db.Manifest(k)
		return err == nil
	}
}

// CloseDatabase closes db. Its error counts if there is no other.
func CloseDatabase(db *tablebase.DB, err *error) {
	if closeErr := db.Close(); *err == nil {
		*err = closeErr
	}
}

// DatabaseVariable is the environment variable that says where the database is
// unless the flag --db does.
const DatabaseVariable = "BOHNENSPIEL_DB"

// Directory returns the directory of the database: what --db says, else what
// $BOHNENSPIEL_DB says, else the folder bohnenspiel in the user's data directory.
func Directory(c console.Console, o *Options) (string, error) {
	if o.Dir != "" {
		return o.Dir, nil
	}
	if dir := c.Getenv(DatabaseVariable); dir != "" {
		return dir, nil
	}
	data := DataDirectory(c, runtime.GOOS)
	if data == "" {
		return "", Usagef("no home directory to keep the database in: say --db DIR")
	}
	return filepath.Join(data, "bohnenspiel"), nil
}

// DataDirectory returns where the operating system wants programs to keep a user's
// data, or nothing if the environment does not say.
func DataDirectory(c console.Console, system string) string {
	home := c.Getenv("HOME")
	switch {
	case system == "windows":
		return c.Getenv("LocalAppData")
	case system == "darwin" && home != "":
		return filepath.Join(home, "Library", "Application Support")
	// A relative path is to be ignored (XDG Base Directory Specification).
	case system != "darwin" && filepath.IsAbs(c.Getenv("XDG_DATA_HOME")):
		return c.Getenv("XDG_DATA_HOME")
	case system != "darwin" && home != "":
		return filepath.Join(home, ".local", "share")
	default:
		return ""
	}
}
