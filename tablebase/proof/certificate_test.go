package proof_test

import (
	"bytes"
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
	s, err := proof.NewSearcher(t.Context(), db, proof.Options{Rules: g.Rules(), Diagram: d, Memory: 64 << 20, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Free()
	solution, err := s.Solve(t.Context(), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := s.Certificate(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	return db, *solution.Score, file.Bytes()
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
