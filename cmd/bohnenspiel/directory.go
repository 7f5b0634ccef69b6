package main

import (
	"path/filepath"
	"runtime"
)

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
