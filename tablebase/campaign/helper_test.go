package campaign_test

import (
	"path/filepath"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/campaign"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
)

// newGame returns a game.
func newGame(tb testing.TB, rules game.Rules, width int) game.Game {
	tb.Helper()
	g, err := game.New(rules, width)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// tables makes a database with the even layers of a game up to beans, and opens it for
// reading.
func tables(tb testing.TB, g game.Game, beans int) *tablebase.DB {
	tb.Helper()
	return buildParity(tb, g, beans, format.Even)
}

// buildParity is tables for layers of a parity.
func buildParity(tb testing.TB, g game.Game, beans int, parity format.Parity) *tablebase.DB {
	tb.Helper()
	dir := tb.TempDir()
	db, err := database.Create(dir, tablebase.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := build.Scores(tb.Context(), db, build.Options{Game: g, Beans: beans, Parity: parity}); err != nil {
		tb.Fatal(err)
	}
	if err := db.Close(); err != nil {
		tb.Fatal(err)
	}
	if db, err = database.Open(dir, tablebase.Options{}); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	return db
}

// newFile returns the path of a new campaign for the score of an opening.
func newFile(tb testing.TB, g game.Game, p game.Position) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "test.campaign")
	if err := campaign.Create(path, g, campaign.Line{Kind: campaign.Ask, Position: p, Score: true}); err != nil {
		tb.Fatal(err)
	}
	return path
}

// open opens a file and makes its tree.
func open(tb testing.TB, path string) (*campaign.File, *campaign.Tree) {
	tb.Helper()
	file, err := campaign.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := file.Close(); err != nil {
			tb.Error(err)
		}
	})
	lines, err := file.Read()
	if err != nil {
		tb.Fatal(err)
	}
	tree, err := campaign.Load(lines)
	if err != nil {
		tb.Fatal(err)
	}
	return file, tree
}

// newSolver returns a solver with one worker.
func newSolver(tb testing.TB, db *tablebase.DB, g game.Game, p game.Position, memory uint64) *campaign.Solver {
	tb.Helper()
	s, err := campaign.NewSolver(tb.Context(), db, campaign.SolverOptions{Game: g, Position: p, Memory: memory, Workers: 1, Program: "test"})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Free)
	return s
}
