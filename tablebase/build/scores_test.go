package build_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// wantPublished fails the test unless layers have the signatures that are published.
func wantPublished(t *testing.T, built []format.Manifest) {
	t.Helper()
	for _, m := range built {
		if want, ok := format.Published(m.Key()); !ok || m.SHA256 != want {
			t.Errorf("%v: got SHA-256 %s, want %s", m.Key(), m.SHA256, want)
		}
	}
}

// TestSignaturesOfWorkers builds with different numbers of workers, and with lower layers
// kept in files, and wants what is published.
func TestSignaturesOfWorkers(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	beans := 12
	if testing.Short() {
		beans = 8
	}
	for _, workers := range []int{1, 2, 3, 8} {
		for _, o := range []build.Options{
			{Game: g, Beans: beans, Workers: workers},
			build.Spilling(build.Options{Game: g, Beans: beans, Workers: workers}, beans/2),
		} {
			db := tabletest.Create(t, t.TempDir())
			t.Logf("%d workers", workers)
			wantPublished(t, tabletest.Scores(t, db, o))
			tabletest.Close(t, db)
		}
	}
}

// totals is a line of solver/testdata/layers.tsv, the totals of all layers of the traditional
// board, computed by an independent program.
type totals struct {
	Rules                          string
	Beans                          int
	Positions, Wins, Draws, Losses uint64
	ScoreSum                       int64
}

func readTotals(t *testing.T) map[format.Key]totals {
	t.Helper()
	data := tabletest.ReadFile(t, filepath.Join("..", "..", "solver", "testdata", "layers.tsv"))
	all := make(map[format.Key]totals)
	for line := range bytes.Lines(data) {
		var want totals
		_, err := fmt.Sscan(string(line), &want.Rules, &want.Beans, &want.Positions, &want.Wins, &want.Draws, &want.Losses, &want.ScoreSum)
		if err != nil {
			continue // the line of titles
		}
		rules, err := game.ParseRules(want.Rules)
		if err != nil {
			t.Fatal(err)
		}
		all[format.Key{Rules: rules, Width: game.StandardWidth, Beans: want.Beans}] = want
	}
	return all
}

func TestTotals(t *testing.T) {
	t.Parallel()
	beans := 12
	if testing.Short() {
		beans = 9
	}
	all := readTotals(t)
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		t.Run(rules.String(), func(t *testing.T) {
			t.Parallel()
			db := tabletest.Create(t, t.TempDir())
			tabletest.Build(t, db, tabletest.NewGame(t, rules, game.StandardWidth), beans, format.Both)
			layers := db.Layers()
			if len(layers) != beans+1 {
				t.Fatalf("got %d layers, want %d", len(layers), beans+1)
			}
			wantPublished(t, layers)
			for _, m := range layers {
				got := totals{m.Rules.String(), m.Beans, m.Positions, m.Wins, m.Draws, m.Losses, m.ScoreSum}
				if diff := cmp.Diff(all[m.Key()], got); diff != "" {
					t.Errorf("%v differs (-want +got):\n%s", m.Key(), diff)
				}
				// Rule 8: in Mangala the last bean of an odd number can't be taken.
				if leans := rules == game.Mangala && m.Beans%2 == 1; leans != (m.Endless > 0) {
					t.Errorf("%v: %d positions lean on rule 8", m.Key(), m.Endless)
				}
			}
		})
	}
}

// TestWorkersDoNotMatter builds with different numbers of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules  game.Rules
		beans  int
		parity format.Parity
	}{{game.Bohnenspiel, 10, format.Even}, {game.Mangala, 7, format.Odd}} {
		g := tabletest.NewGame(t, c.rules, 6)
		var first *tablebase.DB
		for _, workers := range []int{1, 3, 8} {
			db := tabletest.Create(t, t.TempDir())
			tabletest.Scores(t, db, build.Options{Game: g, Beans: c.beans, Parity: c.parity, Workers: workers})
			t.Logf("%v with %d workers", c.rules, workers)
			if first == nil {
				first = db
			}
			wantSame(t, db, first)
		}
	}
}
