package tabletest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"path/filepath"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/proof"
)

// Sizes of the files that a search writes, see docs/format.md.
const (
	certificateHeaderSize = 16
	searchMagic           = "BnsS"
	searchHeaderSize      = 48
	searchChecksumAt      = 40
	boundsChecksumAt      = 24
)

// Searcher brings a search of a position with tables up to beans into memory.
func Searcher(tb testing.TB, dir string, d game.Diagram, beans int, allMoves bool) *proof.Searcher {
	tb.Helper()
	db := Reader(tb, dir)
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

// KeepBounds stores what a search has proved in its database.
func KeepBounds(s *proof.Searcher) error {
	db, err := database.Create(s.Dir(), tablebase.Options{})
	if err != nil {
		return err
	}
	return errors.Join(s.KeepBounds(db), db.Close())
}

// Kept solves a position above the tables in a directory up to beans, and keeps its score
// there. It returns key and value of that.
func Kept(tb testing.TB, dir string, g game.Game, d game.Diagram, beans int) (key, value []byte) {
	tb.Helper()
	s := Searcher(tb, dir, d, beans, false)
	_, err := s.Solve(context.Background(), 0, nil)
	if err = errors.Join(err, KeepBounds(s)); err != nil {
		tb.Fatal(err)
	}
	key = proof.BoundsKey(g, d.Position())
	Damage(tb, dir, func(e Editor) { value = e.Value(key) })
	return key, value
}

// SealBounds puts the right checksum into kept bounds.
func SealBounds(value []byte) { format.WriteChecksum(value, boundsChecksumAt) }

// States returns the names of the files that keep the state of searches.
func States(tb testing.TB, dir string) []string {
	tb.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "SEARCH-*"))
	if err != nil {
		tb.Fatal(err)
	}
	return names
}

// StreamOf returns the stream of a certificate, or of what a search keeps.
func StreamOf(file []byte) ([]byte, error) {
	size := certificateHeaderSize
	if bytes.HasPrefix(file, []byte(searchMagic)) {
		size = searchHeaderSize
	}
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return unpacker.DecodeAll(file[size:], nil)
}

// SealSearch puts the right checksum into what may keep the state of a search.
func SealSearch(file []byte) {
	if len(file) < searchHeaderSize {
		return
	}
	var digest xxhash.Digest
	digest.Reset()
	_, _ = digest.Write(file[:searchChecksumAt])
	_, _ = digest.Write(file[searchHeaderSize:])
	binary.BigEndian.PutUint64(file[searchChecksumAt:], digest.Sum64())
}
