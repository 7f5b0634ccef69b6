package tabletest

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/archive"
	"bohnenspiel/tablebase/format"
)

// ArchiveOf returns the archive of a layer that is built for it, and its name in a folder.
func ArchiveOf(tb testing.TB, g game.Game, beans int) (file []byte, path string) {
	tb.Helper()
	db := Create(tb, tb.TempDir())
	Build(tb, db, g, beans, []format.Parity{format.Even, format.Odd}[beans%2])
	file = Exported(tb, db, format.KeyOf(g, beans))
	path = filepath.Join(tb.TempDir(), "tables.bns")
	WriteFile(tb, path, file)
	Close(tb, db)
	return file, path
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

// ImportAll imports an archive.
func ImportAll(db *tablebase.DB, file []byte) error {
	_, err := archive.Import(context.Background(), db, bytes.NewReader(file), archive.ImportOptions{})
	return err
}
