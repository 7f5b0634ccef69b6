package tabletest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/archive"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/proof"
	"bohnenspiel/tablebase/store"
)

// Diagram parses a position.
func Diagram(tb testing.TB, text string) game.Diagram {
	tb.Helper()
	d, err := game.ParseDiagram(text, 0)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// ImportAll imports an archive.
func ImportAll(db *tablebase.DB, file []byte) error {
	_, err := archive.Import(context.Background(), db, bytes.NewReader(file), archive.ImportOptions{})
	return err
}

// ArchiveOf returns the archive of a layer that is built for it, and its name in a folder.
func ArchiveOf(tb testing.TB, g game.Game, beans int) (file []byte, path string) {
	tb.Helper()
	db := Create(tb, tb.TempDir())
	parity := format.Even
	if beans%2 == 1 {
		parity = format.Odd
	}
	Build(tb, db, g, beans, parity)
	file = Exported(tb, db, format.KeyOf(g, beans))
	path = filepath.Join(tb.TempDir(), "tables.bns")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		tb.Fatal(err)
	}
	Close(tb, db)
	return file, path
}

// CopyFiles copies what a database of a few layers has written. Its files are
// sparse, and long while they are written to.
func CopyFiles(t *testing.T, from, to string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if err := copySparse(filepath.Join(from, entry.Name()), filepath.Join(to, entry.Name())); err != nil {
			t.Fatal(err)
		}
	}
}

// CheckpointPath returns the file that keeps the state of the layer in work.
func CheckpointPath(dir string) string { return filepath.Join(dir, "LAYER-IN-WORK") }

// Timeless tells manifests apart but for when and how long they were built.
func Timeless() cmp.Option {
	return cmpopts.IgnoreFields(format.Manifest{}, "Built", "Seconds")
}

// WantNoCheckpoint fails the test if a file with the state of a layer is left.
func WantNoCheckpoint(tb testing.TB, dir string) {
	tb.Helper()
	left, err := filepath.Glob(CheckpointPath(dir) + "*")
	if err != nil || len(left) > 0 {
		tb.Errorf("files are left: %v, %v", left, err)
	}
}

// FirstError returns the first error there is.
func FirstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// DepthBlockOf returns the key and the value of a block of depths.
func DepthBlockOf(t *testing.T, db *tablebase.DB, k format.Key, number int) (id format.BlockID, value []byte) {
	t.Helper()
	id = BlockOf(k, solver.Depths, number)
	value, err := Value(db, BlockKey(id))
	if err != nil {
		t.Fatal(err)
	}
	return id, value
}

// WantOneLine fails the test unless an error is one line.
func WantOneLine(t *testing.T, err error) {
	t.Helper()
	for _, r := range err.Error() {
		if r == '\n' {
			t.Errorf("error %q is not one line", err)
		}
	}
}

// BuildDepths builds the depth tables of the layers of a parity up to beans.
func BuildDepths(tb testing.TB, db *tablebase.DB, g game.Game, beans int, parity format.Parity) []format.DepthManifest {
	tb.Helper()
	manifests, err := build.Depths(context.Background(), db, build.Options{Game: g, Beans: beans, Parity: parity})
	if err != nil {
		tb.Fatal(err)
	}
	return manifests
}

// NewGame returns a game.
func NewGame(tb testing.TB, rules game.Rules, width int) game.Game {
	tb.Helper()
	g, err := game.New(rules, width)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// Create opens a database for building. When the test ends it is checked and closed.
func Create(tb testing.TB, dir string) *tablebase.DB {
	tb.Helper()
	db, err := database.Create(dir, tablebase.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	CheckAtEnd(tb, db)
	return db
}

// Open opens a database for reading. When the test ends it is checked and closed.
func Open(tb testing.TB, dir string) *tablebase.DB {
	tb.Helper()
	db, err := database.Open(dir, tablebase.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	CheckAtEnd(tb, db)
	return db
}

// CheckAtEnd has a database checked and closed when the test ends.
func CheckAtEnd(tb testing.TB, db *tablebase.DB) {
	tb.Helper()
	tb.Cleanup(func() {
		tb.Helper()
		WantSound(tb, db)
		Close(tb, db)
	})
}

// WantSound fails the test unless a check finds nothing. A database that is closed
// passes.
func WantSound(tb testing.TB, db *tablebase.DB) {
	tb.Helper()
	report, err := check.Run(context.Background(), db, check.Options{Sample: 1000})
	if err != nil && !errors.Is(err, store.ErrClosed) {
		tb.Errorf("check: %v", err)
	}
	for _, fault := range report.Bounds.Faults {
		tb.Errorf("check of kept bounds: %v", fault.Err)
	}
	for _, layer := range report.Layers {
		for _, fault := range layer.Faults {
			if !errors.Is(fault.Err, store.ErrClosed) {
				tb.Errorf("check of %v: %v: %v", layer.Key, fault.Kind, fault.Err)
			}
		}
	}
}

// Close closes a database.
func Close(tb testing.TB, db *tablebase.DB) {
	tb.Helper()
	if err := db.Close(); err != nil {
		tb.Errorf("close: %v", err)
	}
}

// Build builds the layers of a parity up to beans and returns their manifests.
func Build(tb testing.TB, db *tablebase.DB, g game.Game, beans int, parity format.Parity) []format.Manifest {
	tb.Helper()
	manifests, err := build.Scores(context.Background(), db, build.Options{Game: g, Beans: beans, Parity: parity})
	if err != nil {
		tb.Fatal(err)
	}
	return manifests
}

// BothParities opens a new database of the even layers of a game up to so many beans, and of
// the odd ones.
func BothParities(tb testing.TB, rules game.Rules, even, odd int) (game.Game, *tablebase.DB) {
	tb.Helper()
	g := NewGame(tb, rules, 6)
	db := Create(tb, tb.TempDir())
	Build(tb, db, g, even, format.Even)
	Build(tb, db, g, odd, format.Odd)
	return g, db
}

// Built makes a database of the even layers up to beans, and closes it. Whoever opens
// it afterwards may damage it.
func Built(tb testing.TB, g game.Game, beans int) (dir string) {
	tb.Helper()
	dir = tb.TempDir()
	db := Create(tb, dir)
	Build(tb, db, g, beans, format.Even)
	WantSound(tb, db)
	Close(tb, db)
	return dir
}

// Damage opens a database for writing, lets change do what it likes, and closes it.
func Damage(tb testing.TB, dir string, change func(db *tablebase.DB) error) {
	tb.Helper()
	db, err := database.Create(dir, tablebase.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	if err := change(db); err != nil {
		tb.Error(err)
	}
	Close(tb, db)
}

// Listing returns names, sizes and contents of all files below a directory, to tell
// whether anything was written there.
func Listing(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		tb.Fatal(err)
	}
	return files
}

// WantError fails the test unless err wraps want and is one line of the house's form.
func WantError(tb testing.TB, err, want error) {
	tb.Helper()
	if !errors.Is(err, want) {
		tb.Errorf("got error %v, want one that wraps %q", err, want)
		return
	}
	text := err.Error()
	if strings.ContainsAny(text, "\n\r") || strings.HasSuffix(text, ".") {
		tb.Errorf("error %q is not one line without a full stop", text)
	}
	for _, word := range []string{"adger", "LSM", "vlog", "panic"} {
		if strings.Contains(text, word) {
			tb.Errorf("error %q speaks of %q", text, word)
		}
	}
}

// KeepBounds stores what a search has proved in its database.
func KeepBounds(s *proof.Searcher) error {
	db, err := database.Create(s.Dir(), tablebase.Options{})
	if err != nil {
		return err
	}
	return errors.Join(s.KeepBounds(db), db.Close())
}

// Long is a position whose score takes a search some seconds above tables of up to
// LongTables beans.
const (
	Long       = "6-6-6-6-6-6-6-6-0-0-S"
	LongTables = 8
)

// Searcher brings a search of a position with tables up to beans into memory.
func Searcher(tb testing.TB, dir string, d game.Diagram, beans int, allMoves bool) *proof.Searcher {
	tb.Helper()
	db, err := database.Open(dir, tablebase.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	defer Close(tb, db)
	s, err := proof.NewSearcher(context.Background(), db, proof.Options{
		Rules: game.Bohnenspiel, Diagram: d, Beans: beans, Memory: 128 << 20, Workers: 1, AllMoves: allMoves,
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Free)
	return s
}

// States returns the names of the files that keep the state of searches.
func States(tb testing.TB, dir string) []string {
	tb.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "SEARCH-*"))
	if err != nil {
		tb.Fatal(err)
	}
	return names
}

// Above is a position with twelve beans, above small tables.
const Above = "0-2-1-1-1-1-3-1-0-1-1-0-27-33-N"

// copySparse copies a file of which only the first megabytes have been written.
func copySparse(from, to string) (err error) {
	const written = 2 << 20
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if _, err := io.CopyN(out, in, min(written, info.Size())); err != nil {
		return err
	}
	return out.Truncate(info.Size())
}

// Exported returns the archive of a layer.
func Exported(tb testing.TB, db *tablebase.DB, last format.Key) []byte {
	tb.Helper()
	var file bytes.Buffer
	if err := archive.Export(context.Background(), db, &file, last, nil); err != nil {
		tb.Fatal(err)
	}
	return file.Bytes()
}

// Probe returns the score of a position.
func Probe(tb testing.TB, db *tablebase.DB, g game.Game, p game.Position) game.Score {
	tb.Helper()
	if g.Over(p) {
		return g.Final(p)
	}
	value, err := db.Probe(g, p)
	if err != nil {
		tb.Fatal(err)
	}
	return value.Score
}

// Change rewrites the value of a key.
func Change(db *tablebase.DB, key []byte, f func(value []byte) []byte) error {
	value, err := Value(db, key)
	if err != nil {
		return err
	}
	return SetValue(db, key, f(value))
}
