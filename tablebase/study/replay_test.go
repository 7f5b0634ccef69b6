package study_test

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/study"
)

// TestReplay replays a game that South could have won: 3 and 4 win 38-34, but it plays
// 2, and from then on both play best.
func TestReplay(t *testing.T) {
	t.Parallel()
	db := newTables(t, 4)
	got := replayOne(t, db, `[South "A"] [Result "36-36"] [Position "0-1-1-1-0-0-0-0-1-0-0-0-34-34-S"] 2 9 4 10 5 11 6 7`)
	if got, want := len(got.Plies), 8; got != want {
		t.Fatalf("got %d plies, want %d", got, want)
	}
	wantPlies := []study.PlayedMove{
		{
			Ply: 1, Side: game.South, Pit: new(2), Captured: 2, Beans: 4,
			Score: new(game.Score(4)), Outcome: new(game.Win), After: new(game.Draw), Lost: new(4), Best: tablebase.Pits{3, 4}, Final: &game.Beans{South: 36, North: 36},
		},
		{
			Ply: 2, Side: game.North, Pit: new(9), Captured: 0, Beans: 2,
			Score: new(game.Score(2)), Outcome: new(game.Draw), After: new(game.Draw), Lost: new(0), Best: tablebase.Pits{9}, Final: &game.Beans{South: 36, North: 36},
		},
	}
	if diff := cmp.Diff(wantPlies, got.Plies[:2]); diff != "" {
		t.Errorf("first plies (-want +got):\n%s", diff)
	}
	got.Plies = nil
	want := study.Record{
		Tags: map[string]string{"South": "A"}, Position: "0-1-1-1-0-0-0-0-1-0-0-0-34-34-S", Length: 8, Over: true,
		Stores: game.Beans{South: 36, North: 36}, Result: &game.Beans{South: 36, North: 36},
		Known: new(1), TurningPoint: new(1), Lost: game.Beans{South: 4},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	if winner, won := got.Winner(); won {
		t.Errorf("winner of a draw: got %v", winner)
	}
}

// TestReplayFlaws replays games that are not right, or not over.
func TestReplayFlaws(t *testing.T) {
	t.Parallel()
	const position = "[Position \"0-1-1-1-0-0-0-0-1-0-0-0-34-34-S\"]\n"
	for _, c := range []struct {
		name, text string
		length     int
		want       *study.Flaw
	}{
		{"sound", position + "2 9", 2, nil},
		{"no moves", position + "*", 0, nil},
		{"an empty pit", position + "2 9 {a comment}\n 1 10", 2, &study.Flaw{Kind: study.FlawMove, Ply: 3, Line: 3, Column: 2, Message: "illegal move 1: the pit is empty"}},
		{"a pass", position + "2 -", 1, &study.Flaw{Kind: study.FlawMove, Ply: 2, Line: 2, Column: 3, Message: "illegal move: North has beans and must not pass"}},
		{"after the end", position + "2 9 4 10 5 11 6 7 8", 8, &study.Flaw{Kind: study.FlawMove, Ply: 9, Line: 2, Column: 19, Message: "illegal move 8: the game is over"}},
		{"another result", "[Result \"38-34\"]" + position + "2 9 4 10 5 11 6 7", 8, &study.Flaw{Kind: study.FlawResult, Ply: 8, Line: 1, Column: 1, Message: "the game ends 36-36, not 38-34"}},
		{"not over", "[Result \"38-34\"]" + position + "2 9", 2, &study.Flaw{Kind: study.FlawUnfinished, Ply: 2, Line: 1, Column: 1, Message: "play is not over, and the stores hold 36-34, not the result 38-34"}},
		{"broken off", "[Result \"36-34\"]" + position + "2 9", 2, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			record := replayOne(t, nil, c.text)
			if diff := cmp.Diff(c.want, record.Flaw); diff != "" {
				t.Errorf("flaw (-want +got):\n%s", diff)
			}
			if record.Length != c.length || len(record.Plies) != c.length {
				t.Errorf("got %d moves and %d plies, want %d", record.Length, len(record.Plies), c.length)
			}
		})
	}
}

// TestReplayAgreesWithAnswers replays random games of both rule sets and compares what
// it says of each move with the answer to the position.
func TestReplayAgreesWithAnswers(t *testing.T) {
	t.Parallel()
	games := 200
	if testing.Short() {
		games = 50
	}
	const beans = 8
	db := newTables(t, beans)
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		t.Run(rules.String(), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, uint64(rules)))
			for range games {
				played := randomGame(t, random, rules)
				record, err := study.Replay(db, played)
				if err != nil {
					t.Fatal(err)
				}
				compareWithAnswers(t, db, played, record)
				wantConsistent(t, record)
			}
		})
	}
}

// randomGame plays a game from the opening, of at most 300 plies.
func randomGame(tb testing.TB, random *rand.Rand, rules game.Rules) study.Game {
	tb.Helper()
	g := newGame(tb, rules)
	d := g.StartDiagram(6)
	played := study.Game{Rules: rules, Diagram: d}
	for range 300 {
		moves := g.Successors(nil, d.Position())
		if len(moves) == 0 {
			break
		}
		number := d.Number(moves[random.IntN(len(moves))].Pit)
		played.Moves.Moves = append(played.Moves.Moves, study.Move{Number: number})
		d = playMove(tb, g, d, number)
	}
	stores := d.Settle(g).Stores
	played.Result = &study.Result{South: stores[game.South], North: stores[game.North]}
	return played
}

// compareWithAnswers compares each move of a record with what the tables answer.
func compareWithAnswers(tb testing.TB, db *tablebase.DB, played study.Game, record study.Record) {
	tb.Helper()
	g := newGame(tb, played.Rules)
	if got, want := record.Length, len(played.Moves.Moves); got != want || record.Flaw != nil || !record.Whole {
		tb.Fatalf("got %d moves, flaw %v and whole %t, want %d, none and true", got, record.Flaw, record.Whole, want)
	}
	d := played.Diagram
	for i, move := range played.Moves.Moves {
		got := record.Plies[i]
		answer, err := db.Answer(context.Background(), played.Rules, d, tablebase.DefaultDepthLimit)
		switch {
		case errors.Is(err, format.ErrNoLayer):
			// All moves may lead to where the tables begin.
			answer.Score = got.Score
		case err != nil:
			tb.Fatal(err)
		case got.Score == nil:
			tb.Fatalf("%v: the tables know it, the record does not", d)
		}
		for _, m := range answer.Moves {
			pit := m.Number()
			if isBest := *m.Score == *answer.Score; isBest != slices.Contains(got.Best, pit) {
				tb.Errorf("%v: best moves: got %v, want %v", d, got.Best, answer.Moves)
			}
			if pit == move.Number && (*got.Lost != int(*answer.Score-*m.Score) || *got.After != *m.Outcome || *got.Outcome != *answer.Outcome) {
				tb.Errorf("%v: move %d lost %d and made a %v of a %v, the answer is %+v", d, pit, *got.Lost, *got.After, *got.Outcome, answer)
			}
		}
		d = playMove(tb, g, d, move.Number)
	}
}

// wantConsistent wants what a record says of one move to follow from what it says of
// the move before: best play after that, less what this move lost. At the end it is
// what the stores hold.
func wantConsistent(tb testing.TB, record study.Record) {
	tb.Helper()
	var before *game.Beans
	var lost game.Beans
	var turned *int
	for _, move := range record.Plies {
		if move.Score == nil {
			if before != nil || record.Known != nil && move.Ply >= *record.Known {
				tb.Errorf("%s: ply %d is not known, but one before it is", record.Position, move.Ply)
			}
			continue
		}
		if move.Final == nil {
			tb.Fatalf("%s: ply %d leans on rule 8", record.Position, move.Ply)
		}
		shift := *move.Lost / 2
		if move.Side == game.South {
			lost.South += *move.Lost
			shift = -shift
		} else {
			lost.North += *move.Lost
		}
		if before != nil && (before.South+shift != move.Final.South || before.North-shift != move.Final.North) {
			tb.Errorf("%s: ply %d: %v after it and %v before it differ from what it lost, %d", record.Position, move.Ply, move.Final, before, *move.Lost)
		}
		if *move.Outcome != *move.After {
			turned = new(move.Ply)
		}
		before = move.Final
	}
	if before != nil && record.Over && *before != record.Stores {
		tb.Errorf("%s: the last move leads to %v, the stores hold %v", record.Position, before, record.Stores)
	}
	if diff := cmp.Diff([]any{lost, turned}, []any{record.Lost, record.TurningPoint}); diff != "" {
		tb.Errorf("%s: lost beans and turning point (-want +got):\n%s", record.Position, diff)
	}
}

// TestReplayRecordedGames replays games that others recorded. All end as recorded, and
// those that come down to few beans are judged.
func TestReplayRecordedGames(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "..", "shared", "games", "endings.games")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no recorded games: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	games, err := study.ParseGames(path, text)
	if err != nil {
		t.Fatal(err)
	}
	beans := 12
	if testing.Short() {
		beans = 8
	}
	db := newTables(t, beans)
	records := make([]study.Record, 0, len(games))
	for i, played := range games {
		record, err := study.Replay(db, played)
		if err != nil {
			t.Fatal(err)
		}
		if record.Flaw != nil || !record.Over || record.Length != len(played.Moves.Moves) {
			t.Errorf("game %d: got %d moves of %d, over %t, flaw %+v", i+1, record.Length, len(played.Moves.Moves), record.Over, record.Flaw)
		}
		if want := (game.Beans{South: played.Result.South, North: played.Result.North}); record.Stores != want {
			t.Errorf("game %d: it ends %v, want %v", i+1, record.Stores, want)
		}
		wantConsistent(t, record)
		records = append(records, record)
	}
	summary := study.Summarize(records)
	if summary.Games != 100 || summary.SouthWins+summary.NorthWins+summary.Draws != 100 {
		t.Errorf("got %d games, %d won by South, %d by North, %d drawn: want 100", summary.Games, summary.SouthWins, summary.NorthWins, summary.Draws)
	}
	if summary.Known < 50 {
		t.Errorf("the tables know the endings of %d games, want more than half", summary.Known)
	}
}

// replayOne replays the only game of a text.
func replayOne(tb testing.TB, tables study.Prober, text string) study.Record {
	tb.Helper()
	games, err := study.ParseGames("f", []byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	if len(games) != 1 {
		tb.Fatalf("got %d games, want 1", len(games))
	}
	record, err := study.Replay(tables, games[0])
	if err != nil {
		tb.Fatal(err)
	}
	return record
}
