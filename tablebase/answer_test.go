package tablebase_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// answers opens a database with the even layers up to 6 of both games, and layers 1
// and 3 of Mangala.
func answers(tb testing.TB) *tablebase.DB {
	tb.Helper()
	db := tabletest.Create(tb, tb.TempDir())
	tabletest.Build(tb, db, tabletest.NewGame(tb, game.Bohnenspiel, 6), 6, format.Even)
	tabletest.Build(tb, db, tabletest.NewGame(tb, game.Mangala, 6), 4, format.Both)
	return db
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
				`"final":{"south":38,"north":34},"endless":false,"dtc":1,"keeping":2,` +
				`"moves":[{"pit":3,"captured":2,"score":4,"outcome":"win","dtc":0},` +
				`{"pit":4,"captured":0,"score":4,"outcome":"win","dtc":4},` +
				`{"pit":2,"captured":2,"score":0,"outcome":"draw","dtc":0}],"line":[3,9,2,10,3,11,4,12,1]}`,
		},
		"North to move, behind": {
			game.Bohnenspiel, "0 0 1 0 0 0 / 0 1 1 1 0 0 / 38 30 N",
			`{"position":"0-0-1-0-0-0-0-1-1-1-0-0-38-30-N","rules":"bohnenspiel","beans":4,"score":4,"outcome":"loss",` +
				`"final":{"south":38,"north":34},"endless":false,"dtc":1,"keeping":2,` +
				`"moves":[{"pit":9,"captured":2,"score":4,"outcome":"loss","dtc":0},` +
				`{"pit":10,"captured":0,"score":4,"outcome":"loss","dtc":4},` +
				`{"pit":8,"captured":2,"score":0,"outcome":"loss","dtc":0}],"line":[9,3,8,4,9,5,10,6,7]}`,
		},
		"play is over": {
			game.Bohnenspiel, "0 0 0 0 0 0 / 1 1 0 0 0 0",
			`{"position":"0-0-0-0-0-0-1-1-0-0-0-0-0-0-S","rules":"bohnenspiel","beans":2,"score":-2,"outcome":"loss",` +
				`"final":{"south":0,"north":2},"endless":false,"dtc":0,"keeping":0,"moves":[],"line":[]}`,
		},
		"an empty board": {
			game.Mangala, "0 0 0 0 0 0 / 0 0 0 0 0 0 / 36 36",
			`{"position":"0-0-0-0-0-0-0-0-0-0-0-0-36-36-S","rules":"mangala","beans":0,"score":0,"outcome":"draw",` +
				`"final":{"south":36,"north":36},"endless":false,"dtc":0,"keeping":0,"moves":[],"line":[]}`,
		},
		"a pass": {
			game.Mangala, "0 0 0 0 0 0 / 1 1 0 0 0 0",
			`{"position":"0-0-0-0-0-0-1-1-0-0-0-0-0-0-S","rules":"mangala","beans":2,"score":-2,"outcome":"loss",` +
				`"final":{"south":0,"north":2},"endless":false,"dtc":2,"keeping":1,` +
				`"moves":[{"pit":null,"captured":0,"score":-2,"outcome":"loss","dtc":1}],"line":[null,7]}`,
		},
		"a last bean that nobody can take": {
			game.Mangala, "1 0 0 0 0 0 / 0 0 0 0 0 0",
			`{"position":"1-0-0-0-0-0-0-0-0-0-0-0-0-0-S","rules":"mangala","beans":1,"score":0,"outcome":"draw",` +
				`"final":null,"endless":true,"dtc":null,"keeping":1,` +
				`"moves":[{"pit":1,"captured":0,"score":0,"outcome":"draw","dtc":null}],` +
				`"line":[1,null,2,null,3,null,4,null,5,null,6,7,null,8,null,9,null,10,null,11,null,12]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			answer := answerTo(t, db, c.rules, tabletest.Diagram(t, c.position))
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

// TestAnswerAgrees holds that the order of the moves, their numbers and the line agree,
// and that they are those of the rules for best play.
func TestAnswerAgrees(t *testing.T) {
	even, odd, count := 10, 7, 500
	if testing.Short() {
		even, odd, count = 6, 5, 50
	}
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		g, db := tabletest.BothParities(t, rules, even, odd)
		for _, m := range db.Layers() {
			for i, d := range randomDiagrams(g, m.Beans, count, 5) {
				answer := answerTo(t, db, rules, d)
				wantAgreement(t, db, g, d, answer)
				if i < count/10 {
					wantFirstMoves(t, db, g, d, answer.Line)
				}
			}
		}
	}
}

// answerTo answers a position, however long its depths take.
func answerTo(tb testing.TB, db *tablebase.DB, rules game.Rules, d game.Diagram) tablebase.Answer {
	tb.Helper()
	answer, err := db.Answer(context.Background(), rules, d, tablebase.DefaultDepthLimit)
	if err != nil {
		tb.Fatal(err)
	}
	return answer
}

// wantAgreement fails the test unless everything in an answer follows from scores and
// depths of single positions.
func wantAgreement(tb testing.TB, db *tablebase.DB, g game.Game, d game.Diagram, answer tablebase.Answer) {
	tb.Helper()
	depth := func(p game.Position) game.DTC { return depthOf(tb, db, g, p) }
	if got, want := *answer.DTC, depth(d.Position()); got != want {
		tb.Fatalf("%v: got DTC %v, want %v", d, got, want)
	}
	keeping := 0
	for i, m := range answer.Moves {
		pit := m.Number()
		next, captured, err := d.Play(g, pit)
		if err != nil {
			tb.Fatal(err)
		}
		want := game.DTC(0)
		if captured == 0 {
			want = depth(next.Position())
		}
		if *m.DTC != want {
			tb.Fatalf("%v: move %d: got DTC %v, want %v", d, pit, *m.DTC, want)
		}
		if *m.Score == *answer.Score {
			keeping++
		}
		if i == 0 {
			continue
		}
		before := answer.Moves[i-1]
		sooner, same := *before.DTC < *m.DTC, *before.DTC == *m.DTC
		ordered := *before.Score > *m.Score
		switch {
		case *before.Score != *m.Score:
		case same:
			ordered = *before.Pit < pit
		case *m.Score < 0:
			ordered = !sooner
		default:
			ordered = sooner
		}
		if !ordered {
			tb.Fatalf("%v: move %d comes before move %d", d, *before.Pit, pit)
		}
	}
	if *answer.Keeping != keeping {
		tb.Fatalf("%v: got %d moves that keep the score, want %d", d, *answer.Keeping, keeping)
	}
	line := lineFrom(tb, db, g.Rules(), d)
	wantLine(tb, g, d, line)
	want := tablebase.Pits{}
	for _, ply := range line.Plies {
		if ply.Pit == nil {
			want = append(want, 0)
		} else {
			want = append(want, *ply.Pit)
		}
	}
	if diff := cmp.Diff(want, answer.Line); diff != "" {
		tb.Fatalf("%v: line differs (-Line +Answer):\n%s", d, diff)
	}
	if g.Over(d.Position()) {
		return
	}
	first := answer.Moves[0]
	if first.Number() != answer.Line[0] {
		tb.Fatalf("%v: the line begins with %d, the moves with %d", d, answer.Line[0], first.Number())
	}
	if *answer.DTC != game.Endless && *first.DTC+1 != *answer.DTC {
		tb.Fatalf("%v: got DTC %v, and %v after the best move", d, *answer.DTC, *first.DTC)
	}
}

// wantFirstMoves fails the test unless a line takes the first of the ordered moves at
// each ply.
func wantFirstMoves(tb testing.TB, db *tablebase.DB, g game.Game, d game.Diagram, line tablebase.Pits) {
	tb.Helper()
	for i, pit := range line {
		answer := answerTo(tb, db, g.Rules(), d)
		if answer.Moves[0].Number() != pit {
			tb.Fatalf("%v: ply %d of %v is not the first of the moves", d, i+1, line)
		}
		next, _, err := d.Play(g, pit)
		if err != nil {
			tb.Fatal(err)
		}
		d = next
	}
}

// TestAnswerWithin holds what becomes of an answer whose depths take too long a search:
// what is known is right and in order, and the more is allowed, the more is known.
func TestAnswerWithin(t *testing.T) {
	g, db := tabletest.OpenEven(t, 8)
	for _, d := range randomDiagrams(g, 8, 100, 6) {
		full := answerTo(t, db, g.Rules(), d)
		depths := map[int]game.DTC{}
		for _, m := range full.Moves {
			depths[*m.Pit] = *m.DTC
		}
		known := 0
		for limit := range uint64(40) {
			answer, err := db.Answer(context.Background(), g.Rules(), d, limit)
			if err != nil {
				t.Fatal(err)
			}
			if answer.DTC != nil && *answer.DTC != *full.DTC {
				t.Fatalf("%v, limit %d: got DTC %v, want %v", d, limit, *answer.DTC, *full.DTC)
			}
			if diff := cmp.Diff(full.Line, answer.Line); answer.Line != nil && diff != "" {
				t.Fatalf("%v, limit %d: line differs (-want +got):\n%s", d, limit, diff)
			}
			now := 0
			for i, m := range answer.Moves {
				if m.DTC == nil {
					continue
				}
				now++
				if *m.DTC != depths[*m.Pit] {
					t.Fatalf("%v, limit %d: move %d: got DTC %v, want %v", d, limit, *m.Pit, *m.DTC, depths[*m.Pit])
				}
				if i > 0 && answer.Moves[i-1].DTC == nil && *answer.Moves[i-1].Score == *m.Score {
					t.Fatalf("%v, limit %d: move %d comes after one whose depth is not known", d, limit, *m.Pit)
				}
			}
			if now < known {
				t.Fatalf("%v, limit %d: got %d depths, want at least %d", d, limit, now, known)
			}
			known = now
		}
	}
}

// TestEndings looks up endings whose values are known, and their moves.
func TestEndings(t *testing.T) {
	beans := 16
	if testing.Short() {
		beans = 6
	}
	db := tabletest.Open(t, tabletest.Built(t, tabletest.NewGame(t, game.Bohnenspiel, 6), beans))
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
		d := tabletest.Diagram(t, c.position)
		if d.Position().Beans() > beans {
			continue
		}
		t.Run(c.position, func(t *testing.T) {
			answer := answerTo(t, db, game.Bohnenspiel, d)
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
		{"1 1 1 1 1 1 / 1 1 1 1 1 1", format.ErrNoLayer},
		{"1 0 / 0 1", format.ErrNoLayer},
	} {
		_, err := db.Answer(context.Background(), game.Bohnenspiel, tabletest.Diagram(t, c.position), tablebase.DefaultDepthLimit)
		tabletest.WantError(t, err, c.want)
	}
	_, err := db.Answer(context.Background(), game.Bohnenspiel, game.Diagram{Width: 10}, tablebase.DefaultDepthLimit)
	tabletest.WantError(t, err, game.ErrWidth)
	_, err = db.Answer(context.Background(), game.Bohnenspiel, game.Diagram{Width: 2, Rows: [2]game.Row{game.RowOf(1, 1, 1), 0}}, tablebase.DefaultDepthLimit)
	tabletest.WantError(t, err, game.ErrPosition)
}
