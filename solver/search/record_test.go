package search_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
)

// TestRecords gives records to a search and takes them back. What is certain stays as it
// is; estimates stop growing at a large number, and work is rounded down by less than an
// eighth.
func TestRecords(t *testing.T) {
	t.Parallel()
	const infinity, largest = 1 << 30, 1<<23 - 1
	g := newGame(t, game.Bohnenspiel, game.MaxWidth)
	random := rand.New(rand.NewPCG(1, 1))
	s := search.New(search.Options{Game: g, Workers: 1, Memory: 1 << 20})
	defer s.Free()
	want := make(map[search.Question]search.Record)
	for i := range 2000 {
		r := search.Record{Yes: 1 + random.Uint32N(infinity>>(i%30)), No: 1 + random.Uint32N(infinity>>(i/30%30))}
		switch i % 3 {
		case 0:
			r.Yes, r.No, r.Length = 0, infinity, random.Uint32()
		case 1:
			r.Yes, r.No, r.Length = infinity, 0, random.Uint32()
		}
		r.Work = 1 + random.Uint32()>>(i%32)
		r.Question = search.Question{
			Position: game.Position{Mover: game.Row(random.Uint64() >> 1), Opponent: game.Row(random.Uint64() >> 1)},
			Bound:    int8(random.IntN(255) - 127),
		}
		s.Restore(r)
		want[r.Question] = r
	}
	found := 0
	for got := range s.Records(0) {
		w, ok := want[got.Question]
		if !ok {
			t.Fatalf("got %+v, which nobody has given", got)
		}
		found++
		if got.Work > w.Work || w.Work-got.Work > w.Work/8 || w.Work < 16 && got.Work != w.Work {
			t.Fatalf("work: got %d, want about %d", got.Work, w.Work)
		}
		got.Work = w.Work
		if w.Verdict() == search.Open {
			w.Yes, w.No = min(w.Yes, largest), min(w.No, largest)
		}
		if got != w {
			t.Fatalf("got %+v, want %+v", got, w)
		}
	}
	if found != len(want) {
		t.Errorf("got %d records, want %d", found, len(want))
	}
}

// TestRecordsAtOnce stores and reads from several goroutines in a table of few buckets:
// every record has to be whole.
func TestRecordsAtOnce(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, game.StandardWidth)
	s := search.New(search.Options{Game: g, Workers: 1, Memory: 1 << 10})
	defer s.Free()
	whole := func(r search.Record) bool {
		row := r.Question.Position.Mover
		return r.Question.Position.Opponent == row*3 && r.Length == uint32(row)*7 && int8(row%64) == r.Question.Bound
	}
	var team sync.WaitGroup
	for seed := range uint64(4) {
		team.Go(func() {
			random := rand.New(rand.NewPCG(1, seed))
			for range 20_000 {
				row := game.Row(1 + random.Uint64N(1<<20))
				s.Restore(search.Record{
					Question: search.Question{Position: game.Position{Mover: row, Opponent: row * 3}, Bound: int8(row % 64)},
					No:       1 << 30, Length: uint32(row) * 7, Work: uint32(row),
				})
				if row%8 != 0 {
					continue
				}
				for r := range s.Records(0) {
					if !whole(r) {
						t.Errorf("got %+v, which nobody has given", r)
						return
					}
				}
			}
		})
	}
	team.Wait()
}
