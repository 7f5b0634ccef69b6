package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
)

// open opens the database for reading.
func (o *options) open(c console) (*tablebase.DB, error) {
	dir, err := c.directory(o)
	if err != nil {
		return nil, err
	}
	return database.Open(dir, tablebase.Options{})
}

// storedLayer returns the manifest of a layer. If there is none, the error says how
// to build it.
func storedLayer(db *tablebase.DB, o *options, g game.Game, beans int) (format.Manifest, error) {
	key := format.KeyOf(g, beans)
	m, err := db.Manifest(key)
	if errors.Is(err, format.ErrNoLayer) {
		return m, missingLayer(o, g, key, db, db.Dir())
	}
	return m, err
}

// missingLayer is the error for a layer that db, which may be nil, does not have. It
// says how to build it and what that takes.
func missingLayer(o *options, g game.Game, key format.Key, db *tablebase.DB, dir string) error {
	if db != nil && db.Archived() {
		return fmt.Errorf("%v: %w in %s, which is an exported file; name a larger one or a database", key, format.ErrNoLayer, dir)
	}
	cost := build.Estimate(g, key.Beans, parityOf(key.Beans), o.workers, hasLayer(db))
	return fmt.Errorf("%v: %w in %s; run %s (%s)", key, format.ErrNoLayer, dir, buildCommand(o, g, key.Beans), costs(cost))
}

// layers sorts the layers of a game up to beans by whether db has them. A nil db
// has none.
func layers(db *tablebase.DB, g game.Game, beans int, parity format.Parity) (present, missing []int, err error) {
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

// buildCommand returns the command line that builds the layers up to beans, as one
// could type it.
func buildCommand(o *options, g game.Game, beans int) string {
	parts := []string{"bohnenspiel build"}
	if o.db != "" {
		parts = append(parts, "--db "+quote(o.db))
	}
	if g.Rules() != game.Bohnenspiel {
		parts = append(parts, "--rules "+g.Rules().String())
	}
	if g.Width() != game.StandardWidth {
		parts = append(parts, fmt.Sprintf("--width %d", g.Width()))
	}
	if parity := parityOf(beans); parity != format.Even {
		parts = append(parts, "--parity "+parity.String())
	}
	return strings.Join(append(parts, fmt.Sprintf("--beans %d", beans)), " ")
}

func parityOf(beans int) format.Parity {
	if beans%2 == 1 {
		return format.Odd
	}
	return format.Even
}

// hasLayer returns a function that reports whether a database has a layer. A nil
// database has none.
func hasLayer(db *tablebase.DB) func(format.Key) bool {
	return func(k format.Key) bool {
		if db == nil {
			return false
		}
		_, err := db.Manifest(k)
		return err == nil
	}
}

// closeDatabase closes db. Its error counts if there is no other.
func closeDatabase(db *tablebase.DB, err *error) {
	if closeErr := db.Close(); *err == nil {
		*err = closeErr
	}
}

// databaseVariable is the environment variable that says where the database is
// unless the flag --db does.
const databaseVariable = "BOHNENSPIEL_DB"

// directory returns the directory of the database: what --db says, else what
// $BOHNENSPIEL_DB says, else the folder bohnenspiel in the user's data directory.
func (c console) directory(o *options) (string, error) {
	if o.db != "" {
		return o.db, nil
	}
	if dir := c.getenv(databaseVariable); dir != "" {
		return dir, nil
	}
	data := c.dataDirectory(runtime.GOOS)
	if data == "" {
		return "", usagef("no home directory to keep the database in: say --db DIR")
	}
	return filepath.Join(data, "bohnenspiel"), nil
}

// dataDirectory returns where the operating system wants programs to keep a user's
// data, or nothing if the environment does not say.
func (c console) dataDirectory(system string) string {
	home := c.getenv("HOME")
	switch {
	case system == "windows":
		return c.getenv("LocalAppData")
	case system == "darwin" && home != "":
		return filepath.Join(home, "Library", "Application Support")
	// A relative path is to be ignored (XDG Base Directory Specification).
	case system != "darwin" && filepath.IsAbs(c.getenv("XDG_DATA_HOME")):
		return c.getenv("XDG_DATA_HOME")
	case system != "darwin" && home != "":
		return filepath.Join(home, ".local", "share")
	default:
		return ""
	}
}
