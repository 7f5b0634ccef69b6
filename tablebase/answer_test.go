package tablebase_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// answers opens a database with the even layers up to 6 of both games, and layers 1
// and 3 of Mangala.
func answers(tb testing.TB) *tablebase.DB {
	tb.Helper()
	db := create(tb, tb.TempDir())
	build(tb, db, newGame(tb, game.Bohnenspiel, 6), 6, tablebase.Even)
	build(tb, db, newGame(tb, game.Mangala, 6), 4, tablebase.Both)
	return db
}

// diagram parses a position.
func diagram(tb testing.TB, text string) game.Diagram {
	tb.Helper()
	d, err := game.ParseDiagram(text, 0)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func TestAnswerJSON(t *testing.T) {
	db := answers(t)
	for name, c := range map[string]struct {
		rules          game.Rules
		position, want string
	}{
		"a win": {
			game.Bohnenspiel, "0 1 1 1 0 0 / 0 0 1 0 0 0 / 34 34",
			`{"position":"0-1-1-1-0-0-0-0-1-0-0-0-34-34-S","rules":"bohnenspiel","beans":4,"score":4,"outcome":"win",` +
				`"final":{"south":38,"north":34},"endless":false,"dtc":null,` +
				`"moves":[{"pit":3,"captured":2,"score":4,"outcome":"win","dtc":null},` +
				`{"pit":4,"captured":0,"score":4,"outcome":"win","dtc":null},` +
				`{"pit":2,"captured":2,"score":0,"outcome":"draw","dtc":null}],"line":null}`,
		},
		"North to move, behind": {
			game.Bohnenspiel, "0 0 1 0 0 0 / 0 1 1 1 0 0 / 38 30 N",
			`{"position":"0-0-1-0-0-0-0-1-1-1-0-0-38-30-N","rules":"bohnenspiel","beans":4,"score":4,"outcome":"loss",` +
				`"final":{"south":38,"north":34},"endless":false,"dtc":null,` +
				`"moves":[{"pit":9,"captured":2,"score":4,"outcome":"loss","dtc":null},` +
				`{"pit":10,"captured":0,"score":4,"outcome":"loss","dtc":null},` +
				`{"pit":8,"captured":2,"score":0,"outcome":"loss","dtc":null}],"line":null}`,
		},
		"play is over": {
			game.Bohnenspiel, "0 0 0 0 0 0 / 1 1 0 0 0 0",
			`{"position":"0-0-0-0-0-0-1-1-0-0-0-0-0-0-S","rules":"bohnenspiel","beans":2,"score":-2,"outcome":"loss",` +
				`"final":{"south":0,"north":2},"endless":false,"dtc":null,"moves":[],"line":null}`,
		},
		"an empty board": {
			game.Mangala, "0 0 0 0 0 0 / 0 0 0 0 0 0 / 36 36",
			`{"position":"0-0-0-0-0-0-0-0-0-0-0-0-36-36-S","rules":"mangala","beans":0,"score":0,"outcome":"draw",` +
				`"final":{"south":36,"north":36},"endless":false,"dtc":null,"moves":[],"line":null}`,
		},
		"a pass": {
			game.Mangala, "0 0 0 0 0 0 / 1 1 0 0 0 0",
			`{"position":"0-0-0-0-0-0-1-1-0-0-0-0-0-0-S","rules":"mangala","beans":2,"score":-2,"outcome":"loss",` +
				`"final":{"south":0,"north":2},"endless":false,"dtc":null,` +
				`"moves":[{"pit":null,"captured":0,"score":-2,"outcome":"loss","dtc":null}],"line":null}`,
		},
		"a last bean that nobody can take": {
			game.Mangala, "1 0 0 0 0 0 / 0 0 0 0 0 0",
			`{"position":"1-0-0-0-0-0-0-0-0-0-0-0-0-0-S","rules":"mangala","beans":1,"score":0,"outcome":"draw",` +
				`"final":null,"endless":true,"dtc":null,` +
				`"moves":[{"pit":1,"captured":0,"score":0,"outcome":"draw","dtc":null}],"line":null}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			answer, err := db.Answer(c.rules, diagram(t, c.position))
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(answer)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(c.want, ","), strings.Split(string(got), ",")); diff != "" {
				t.Errorf("answer differs (-want +got):\n%s", diff)
			}
		})
	}
}

// TestEndings looks up endings whose values are known, and their moves.
func TestEndings(t *testing.T) {
	beans := 16
	if testing.Short() {
		beans = 6
	}
	db := open(t, built(t, newGame(t, game.Bohnenspiel, 6), beans))
	for _, c := range []struct {
		position string
		score    game.Score
		moves    map[int]game.Score
		others   game.Score // where moves are not listed
	}{
		{"0 2 1 1 1 1 / 3 3 3 1 0 0", 0, map[int]game.Score{6: 0}, -4},
		{"3 3 0 0 0 0 / 4 0 2 2 1 1", -4, map[int]game.Score{1: -4, 2: -12}, 0},
		{"0 1 1 1 0 0 / 0 0 1 0 0 0", 4, map[int]game.Score{2: 0, 3: 4, 4: 4}, 0},
		{"0 1 0 0 0 1 / 0 0 0 0 0 0", 2, map[int]game.Score{2: 2, 6: -2}, 0},
		{"3 0 0 0 0 2 / 0 1 0 0 0 0", 6, nil, 0},
	} {
		d := diagram(t, c.position)
		if d.Position().Beans() > beans {
			continue
		}
		t.Run(c.position, func(t *testing.T) {
			answer, err := db.Answer(game.Bohnenspiel, d)
			if err != nil {
				t.Fatal(err)
			}
			if *answer.Score != c.score {
				t.Errorf("got score %d, want %d", *answer.Score, c.score)
			}
			if *answer.Moves[0].Score != c.score {
				t.Errorf("the best move has score %d, the position %d", *answer.Moves[0].Score, c.score)
			}
			for _, m := range answer.Moves {
				want, listed := c.moves[*m.Pit]
				if !listed {
					want = c.others
				}
				if c.moves != nil && *m.Score != want {
					t.Errorf("move %d: got score %d, want %d", *m.Pit, *m.Score, want)
				}
			}
		})
	}
}

func TestAnswerRefuses(t *testing.T) {
	db := answers(t)
	for _, c := range []struct {
		position string
		want     error
	}{
		{"1 1 1 1 1 1 / 1 1 1 1 1 1", tablebase.ErrNoLayer},
		{"1 0 / 0 1", tablebase.ErrNoLayer},
	} {
		_, err := db.Answer(game.Bohnenspiel, diagram(t, c.position))
		wantError(t, err, c.want)
	}
	_, err := db.Answer(game.Bohnenspiel, game.Diagram{Width: 10})
	wantError(t, err, game.ErrWidth)
	_, err = db.Answer(game.Bohnenspiel, game.Diagram{Width: 2, Rows: [2]game.Row{game.RowOf(1, 1, 1), 0}})
	wantError(t, err, game.ErrPosition)
}
