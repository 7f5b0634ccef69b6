package proof_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/proof"
)

// certified makes a database with tables up to top, solves a position with those, and
// returns the certificate.
func certified(t *testing.T, g game.Game, parity format.Parity, top int, d game.Diagram) (*tablebase.DB, game.Score, []byte) {
	t.Helper()
	db := tabletest.Create(t, t.TempDir())
	tabletest.Build(t, db, g, top, parity)
	score, file := certify(t, db, proof.Options{Rules: g.Rules(), Diagram: d, Memory: 64 << 20, Workers: 2})
	return db, score, file
}

// certify solves a position and returns its score and the certificate.
func certify(tb testing.TB, db *tablebase.DB, o proof.Options) (game.Score, []byte) {
	tb.Helper()
	s, err := proof.NewSearcher(context.Background(), db, o)
	if err != nil {
		tb.Fatal(err)
	}
	defer s.Free()
	solution, err := s.Solve(context.Background(), 0, nil)
	if err != nil {
		tb.Fatal(err)
	}
	var file bytes.Buffer
	if err := s.Certificate(context.Background(), &file); err != nil {
		tb.Fatal(err)
	}
	return *solution.Score, file.Bytes()
}

var certificateCases = []struct {
	rules    game.Rules
	parity   format.Parity
	top      int
	position string
}{
	{game.Bohnenspiel, format.Even, 4, tabletest.Above},
	{game.Bohnenspiel, format.Even, 2, "1-2-1-2-1-2-2-1-2-1-2-1-0-0-S"},
	{game.Bohnenspiel, format.Odd, 3, "1-1-0-1-1-0-1-0-1-1-1-1-0-0-S"},
	{game.Mangala, format.Odd, 3, "1-1-0-1-1-0-1-0-1-1-1-1-0-0-S"},
	{game.Mangala, format.Even, 0, "2-2-2-2-2-2-0-0-N"},
	{game.Bohnenspiel, format.Even, 0, "3-3-0-0-S"},
}

func TestCertificate(t *testing.T) {
	t.Parallel()
	for _, c := range certificateCases {
		d := tabletest.Diagram(t, c.position)
		g := tabletest.NewGame(t, c.rules, d.Width)
		db, score, file := certified(t, g, c.parity, c.top, d)
		report, err := proof.CheckCertificate(t.Context(), db, bytes.NewReader(file))
		if err != nil {
			t.Errorf("%v %s: %v", c.rules, c.position, err)
			continue
		}
		if report.Bounds != [2]game.Score{score, score} || report.Beans != d.Position().Beans() || report.Tables != c.top || report.Claims == 0 {
			t.Errorf("%v %s: got %+v, want score %d above tables to %d", c.rules, c.position, report, score, c.top)
		}
		t.Logf("%d claims, %d bytes", report.Claims, len(file))
	}
}

// TestCertificateAltered alters certificates in one move, one bound or one rank, and seals
// them again: each of every claim, or of some where there are many. What is accepted then
// must still be a proof: the test knows, because every move that shows a claim is one by
// the scores of the tables.
func TestCertificateAltered(t *testing.T) {
	t.Parallel()
	most, few := 8, 200
	if testing.Short() {
		most, few = 3, 3
	}
	for _, c := range certificateCases {
		d := tabletest.Diagram(t, c.position)
		g := tabletest.NewGame(t, c.rules, d.Width)
		db, _, file := certified(t, g, c.parity, c.top, d)
		tabletest.Build(t, db, g, d.Position().Beans(), c.parity) // for the test alone
		claims, err := proof.ReadClaims(file)
		if err != nil {
			t.Fatal(err)
		}
		every := 1
		if len(claims) > few {
			every += len(claims) / most
		}
		refused := 0
		for i := 0; i < len(claims); i += every {
			for _, altered := range alterations(g, claims[i]) {
				bad, err := proof.ReplaceClaim(file, i, altered)
				if err != nil {
					t.Fatal(err)
				}
				_, err = proof.CheckCertificate(t.Context(), db, bytes.NewReader(bad))
				if err == nil && altered.Move != claims[i].Move && altered.Bound == claims[i].Bound && keepsClaim(t, db, g, altered) {
					continue // another move that is as good
				}
				if err == nil && altered.Rank != claims[i].Rank && altered.Bound == claims[i].Bound && altered.Move == claims[i].Move {
					continue // another order that does as well
				}
				if err == nil {
					t.Fatalf("%v %s: claim %d, %+v made %+v: accepted", c.rules, c.position, i, claims[i], altered)
				}
				tabletest.WantError(t, err, proof.ErrCertificate)
				refused++
			}
		}
		t.Logf("%v %s: %d claims, one in %d altered: %d certificates refused", c.rules, c.position, len(claims), every, refused)
	}
}

// alterations returns a claim with everything that can be altered in it altered.
func alterations(g game.Game, c proof.Claim) []proof.Claim {
	var all []proof.Claim
	for _, move := range []uint8{0, 1, 2, 3, 4, 5, 9, 254, 255} {
		if move != c.Move && int(move) != g.Width() {
			altered := c
			altered.Move = move
			all = append(all, altered)
		}
	}
	for _, by := range []int8{-4, -2, -1, 1, 2, 4} {
		altered := c
		altered.Bound += by
		all = append(all, altered)
	}
	for _, rank := range []uint32{0, c.Rank + 1, c.Rank - 1} {
		if altered := c; rank != c.Rank && rank < 1<<31 {
			altered.Rank = rank
			all = append(all, altered)
		}
	}
	return all
}

// keepsClaim reports whether the move of a claim shows it, by the tables.
func keepsClaim(t *testing.T, db *tablebase.DB, g game.Game, c proof.Claim) bool {
	t.Helper()
	for _, m := range g.Successors(nil, c.Position) {
		if m.Pit == int(c.Move) {
			return m.Captured-int(tabletest.Probe(t, db, g, m.Next)) >= int(c.Bound)
		}
	}
	return false
}

// TestCertificateDamaged flips bits of a file, and cuts it.
func TestCertificateDamaged(t *testing.T) {
	t.Parallel()
	d := tabletest.Diagram(t, tabletest.Above)
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	db, _, file := certified(t, g, format.Even, 4, d)
	for at := range file {
		bad := bytes.Clone(file)
		bad[at] ^= 1 << (at % 8)
		for _, data := range [][]byte{bad, file[:at]} {
			_, err := proof.CheckCertificate(t.Context(), db, bytes.NewReader(data))
			tabletest.WantError(t, err, proof.ErrCertificate)
		}
	}
	// Other bounds, sealed again.
	for _, by := range []int{-2, -1, 1, 2} {
		bad, err := proof.ShiftBounds(file, by)
		if err != nil {
			t.Fatal(err)
		}
		_, err = proof.CheckCertificate(t.Context(), db, bytes.NewReader(bad))
		tabletest.WantError(t, err, proof.ErrCertificate)
	}
	// Tables that are not there, and other ones.
	empty := tabletest.Create(t, t.TempDir())
	_, err := proof.CheckCertificate(t.Context(), empty, bytes.NewReader(file))
	tabletest.WantError(t, err, format.ErrNoLayer)
}

// TestCertificateInCircles makes up a proof that goes round: each claim of a forced win
// rests on the next, and the last on the first. Only ranks tell that it is none.
func TestCertificateInCircles(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Mangala, 1)
	db := tabletest.Create(t, t.TempDir())
	// One bean on a board of 1+1 pits goes round for ever; nobody wins it.
	p := game.Position{Mover: game.RowOf(1)}
	claims := []proof.Claim{
		{Position: p, Beans: 1, Bound: 1, Move: 0, Rank: 1},
		{Position: game.Position{Mover: game.RowOf(1)}, Beans: 1, Bound: 0, Move: 255, Rank: 1},
	}
	for rank := range uint32(3) {
		claims[1].Rank = rank
		file, err := proof.MakeCertificate(g, p, 1, 1, claims)
		if err != nil {
			t.Fatal(err)
		}
		_, err = proof.CheckCertificate(t.Context(), db, bytes.NewReader(file))
		tabletest.WantError(t, err, proof.ErrCertificate)
	}
}

// FuzzCertificate gives the checker of certificates any bytes: a whole file, or the stream
// within one; its checksum is put right. What it accepts must be true, by tables that it
// does not have.
func FuzzCertificate(f *testing.F) {
	const top, most, width = 4, 8, 2
	tables, all := tabletest.Create(f, f.TempDir()), tabletest.Create(f, f.TempDir())
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		g := tabletest.NewGame(f, rules, width)
		tabletest.Build(f, tables, g, top, format.Even)
		tabletest.Build(f, all, g, most, format.Both)
		for _, text := range []string{"2-2-2-2-0-0-S", "1-2-0-3-0-0-S", "3-3-1-1-0-0-N"} {
			d := tabletest.Diagram(f, text)
			_, file := certify(f, tables, proof.Options{Rules: rules, Diagram: d, Memory: 16 << 20, Workers: 1, Forget: true})
			stream, err := tabletest.StreamOf(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(true, file)
			f.Add(false, stream)
		}
	}
	circle, err := proof.MakeCertificate(tabletest.NewGame(f, game.Mangala, 1), game.Position{Mover: game.RowOf(1)}, 1, 1, []proof.Claim{
		{Position: game.Position{Mover: game.RowOf(1)}, Beans: 1, Bound: 1, Move: 0, Rank: 1},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(true, circle)
	f.Add(true, []byte("BnsCert1"))
	f.Fuzz(func(t *testing.T, whole bool, data []byte) {
		if whole {
			proof.SealCertificate(data)
		} else {
			data = proof.CertificateOf(data)
		}
		report, err := proof.CheckCertificate(t.Context(), tables, bytes.NewReader(data))
		switch {
		case errors.Is(err, format.ErrNoLayer): // it rests on tables that are not there
			return
		case err != nil:
			tabletest.WantError(t, err, proof.ErrCertificate)
			return
		case report.Bounds[0] > report.Bounds[1]:
			t.Errorf("accepted bounds %v", report.Bounds)
		case report.Width != width || report.Beans > most:
			return // what holds there is not known to this test
		}
		p := game.Position{Mover: game.RowOf(report.Pits[:width]...), Opponent: game.RowOf(report.Pits[width:]...)}
		if score := tabletest.Probe(t, all, tabletest.NewGame(t, report.Rules, width), p); score < report.Bounds[0] || score > report.Bounds[1] {
			t.Errorf("accepted bounds %v of %v, whose score is %d", report.Bounds, p, score)
		}
	})
}
