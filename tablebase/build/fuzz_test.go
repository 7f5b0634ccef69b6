package build_test

import (
	"bytes"
	"os"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// FuzzLayerKey gives the parser of keys any bytes. A key that it takes is the one that
// its layer has.
func FuzzLayerKey(f *testing.F) {
	f.Add([]byte{'m', 0, 6, 16})
	f.Add([]byte{'m', 1, 9, 108})
	f.Add([]byte{'m', 2, 6, 16})
	f.Add([]byte{'b', 0, 6, 16, 0, 0, 0, 0, 1})
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, key []byte) {
		k, ok := format.ParseLayerKey(format.ManifestPrefix, key)
		if ok && !bytes.Equal(tabletest.ManifestKey(k), key) {
			t.Errorf("got %v from %x", k, key)
		}
	})
}

// FuzzCheckpoint gives the reader of checkpoints any file, its checksum put right. What it
// takes is of the layer that it was asked for, and no more than its cells.
func FuzzCheckpoint(f *testing.F) {
	key := format.Key{Rules: game.Bohnenspiel, Width: 6, Beans: 4}
	const cells = 40
	dir := f.TempDir()
	good := build.CheckpointOf(dir, key, bytes.Repeat([]byte{3}, cells))
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add(good[:50])
	f.Add([]byte("BnsC"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) >= build.CheckpointHeaderSize {
			build.SealCheckpoint(file)
		}
		if err := os.WriteFile(tabletest.CheckpointPath(dir), file, 0o600); err != nil {
			t.Fatal(err)
		}
		got, ok, err := build.LoadCheckpoint(dir, key, cells)
		switch {
		case err != nil:
			t.Errorf("got %v, want a state or none", err)
		case ok && (!bytes.Equal(file[:8], good[:8]) || !bytes.Equal(file[len(file)-cells:], got)):
			t.Errorf("took %x", file)
		case !ok && !bytes.Equal(got, make([]byte, cells)):
			t.Errorf("took no state, but left cells %x", got)
		}
	})
}
