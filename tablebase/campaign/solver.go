package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"runtime"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/proof"
)

// SolverOptions say what jobs are worked on with.
type SolverOptions struct {
	Game game.Game
	// Position is one that the campaign asks about, or another one with more beans than the
	// jobs: estimates are learnt from play that begins there.
	Position game.Position
	// Memory is what tables and transposition table may take, in bytes; 0 means three
	// quarters of what the machine has.
	Memory uint64
	// Beans is the largest layer to bring into memory; 0 means all that fit.
	Beans int
	// Workers is the number of goroutines that work on a job; 0 means one a processor.
	Workers int
	// Program is the version of the program, for the lines; "" means that it is unknown.
	Program string
	// Loading, if not nil, is called now and then with the layer that is being loaded.
	Loading func(beans int, done, total uint64)
}

// Solver works on jobs. It has the tables in memory, so the database may be closed, and
// what one job finds out serves the next ones. Its methods must not be called at the same
// time, but for Visited and Fill.
type Solver struct {
	game     game.Game
	resident *proof.Resident
	search   *search.Search
	tables   Tables
	program  string
}

// NewSolver brings tables into memory. Errors are those of Resident and of the manifests.
func NewSolver(ctx context.Context, db *tablebase.DB, o SolverOptions) (*Solver, error) {
	beans := o.Position.Beans()
	if o.Beans == 0 {
		o.Beans = beans - 1
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Program == "" {
		o.Program = "unknown"
	}
	parity := format.Even
	if beans%2 == 1 {
		parity = format.Odd
	}
	// The transposition table gets what the tables leave, which is a quarter or more, but for
	// what the program takes besides.
	const tableShare, other, someTable = 4, 16, 1 << 30
	r := proof.ResidentOptions{Game: o.Game, Parity: parity, Beans: min(o.Beans, beans-1), Workers: o.Workers, Report: o.Loading}
	r.Memory = o.Memory - o.Memory/tableShare
	resident, err := proof.NewResident(ctx, db, r)
	if err != nil {
		return nil, err
	}
	table := uint64(someTable)
	if o.Memory > 0 {
		table = o.Memory - min(o.Memory-o.Memory/tableShare/2, o.Memory/other+resident.Size())
	}
	s := &Solver{game: o.Game, resident: resident, program: o.Program}
	if s.tables, err = tablesOf(db, o.Game, resident.Top()); err != nil {
		resident.Free()
		return nil, err
	}
	s.search = search.New(search.Options{
		Game: o.Game, Prober: resident, Worth: search.Learn(o.Game, resident, o.Position), Memory: table, Workers: o.Workers,
	})
	return s, nil
}

// tablesOf names the tables of a game, of the parity of top, up to layer top.
func tablesOf(db *tablebase.DB, g game.Game, top int) (Tables, error) {
	digest := sha256.New()
	for beans := top & 1; beans <= top; beans += 2 {
		m, err := db.Manifest(format.KeyOf(g, beans))
		if err != nil {
			return Tables{}, err
		}
		_, _ = fmt.Fprintln(digest, m.SHA256) // it never fails
	}
	if top < 0 {
		return Tables{Top: -1}, nil
	}
	return Tables{top, binary.BigEndian.Uint64(digest.Sum(nil))}, nil
}

// Free gives the memory of the tables and of the transposition table back.
func (s *Solver) Free() {
	s.resident.Free()
	s.search.Free()
}

// Top returns the largest layer that is in memory, or −1.
func (s *Solver) Top() int { return s.resident.Top() }

// Visited returns the number of positions visited so far. It may be called while a job is
// being worked on.
func (s *Solver) Visited() uint64 { return s.search.Visited() }

// Fill returns the share of the transposition table that is in use, from 0 to 1. It may be
// called while a job is being worked on.
func (s *Solver) Fill() float64 { return s.search.Fill() }

// Do works on a question until it is answered, or about limit positions have been
// visited, where 0 means no limit; then the line is a Split. It returns false when ctx
// has ended before.
func (s *Solver) Do(ctx context.Context, q search.Question, limit uint64) (Line, bool) {
	verdict, visited := s.search.Decide(ctx, q.Position, int(q.Bound), limit)
	if verdict == search.Open && ctx.Err() != nil {
		return Line{}, false
	}
	return s.line(q, verdict, visited), true
}

// line returns the line that says what came of a question.
func (s *Solver) line(q search.Question, verdict search.Verdict, visited uint64) Line {
	kind := [...]Kind{search.Open: Split, search.No: No, search.Yes: Yes}[verdict]
	line := Line{
		Kind: kind, Game: s.game, Position: q.Position, Bound: int(q.Bound),
		Visited: visited, Tables: s.tables, Program: s.program,
	}
	if kind == Split {
		beans := q.Position.Beans()
		for _, m := range s.game.Successors(nil, q.Position) {
			next := after(q, beans, m)
			yes, no, _, _ := s.search.Estimate(next.Position, int(next.Bound))
			line.Moves = append(line.Moves, Numbers{yes, no})
		}
	}
	return line
}

// estimate returns proof numbers of a question, the answer if it is known already, and
// whether a search has been there.
func (s *Solver) estimate(q search.Question) (n numbers, verdict search.Verdict, visited bool) {
	yes, no, verdict, visited := s.search.Estimate(q.Position, int(q.Bound))
	return numbers{float64(yes), float64(no)}, verdict, visited
}

// hint tells the solver proof numbers of a question that it has not visited.
func (s *Solver) hint(q search.Question, n Numbers) {
	s.search.Restore(search.Record{Question: q, Yes: n.Yes, No: n.No, Work: 1})
}

// learn tells the solver an answer that it need not find itself.
func (s *Solver) learn(a answer) {
	const enough, infinity = 1 << 24, 1 << 30 // work that is not forgotten soon
	r := search.Record{Question: a.question, Yes: infinity, Work: enough}
	if a.yes {
		r.Yes, r.No = 0, infinity
	}
	s.search.Restore(r)
}
