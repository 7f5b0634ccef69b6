package study_test

import (
	"runtime"
	"strings"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/study"
)

// TestLongSolution wants the memory of a long solution to grow with its length, not with
// the square of that. It is not parallel to others, whose memory would count.
func TestLongSolution(t *testing.T) {
	db := newTables(t, 0)
	if _, err := build.Scores(t.Context(), db, build.Options{Game: newGame(t, game.Mangala), Beans: 1, Parity: format.Odd}); err != nil {
		t.Fatal(err)
	}
	// In Mangala II the last bean goes round for ever.
	const round = "12 1 - 2 - 3 - 4 - 5 - 6 7 - 8 - 9 - 10 - 11 - "
	const rounds, most = 400, 64 << 20
	s := parse(t, `[Rules "mangala"] [Position "0-0-0-0-0-0-0-0-0-0-0-1-30-41-N"] [Stipulation "win"] `+strings.Repeat(round, rounds))[0]
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	report := verify(t, db, s)
	runtime.ReadMemStats(&after)
	if report.Verdict != study.Sound || report.Given != len(s.Solution.Moves) {
		t.Errorf("got %v, %d moves given; want sound, %d", report.Verdict, report.Given, len(s.Solution.Moves))
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > most {
		t.Errorf("%d moves took %d bytes, want %d at most", len(s.Solution.Moves), got, most)
	}
}
