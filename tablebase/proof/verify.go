package proof

import (
	"context"
	"fmt"
	"io"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
)

// CertificateReport is what a certificate proves, and what was checked. Its JSON form is
// the object of "certificate check --json".
type CertificateReport struct {
	Rules    game.Rules    `json:"rules"`
	Width    int           `json:"width"`
	Pits     []int         `json:"pits"`   // the mover's from his left, then the opponent's
	Beans    int           `json:"beans"`  // on the board
	Bounds   [2]game.Score `json:"bounds"` // the score, for the mover, is from the first to the second
	Claims   int           `json:"claims"`
	Tables   int           `json:"tables"`  // the largest layer of the tables that it rests on, −1 for none
	Lookups  int           `json:"lookups"` // positions looked up there
	position game.Position // for tests
}

// CheckCertificate verifies a certificate with the rules and the tables of the database,
// which have to be those that it was made for. It shares nothing with the search that
// made it. An error that wraps ErrCertificate says what is wrong; other errors are those of
// Probe, and that of ctx.
//
// It goes through the claims once. Each one has to follow from others, from the tables,
// or from the rules; where a player has to force something, by quiet moves from claims of
// lower rank alone. Claims that nothing needs are not accepted either.
func CheckCertificate(ctx context.Context, db *tablebase.DB, r io.Reader) (CertificateReport, error) {
	c, err := readCertificate(r)
	if err != nil {
		return CertificateReport{}, err
	}
	hashes, err := hashes(db, c.game, c.top)
	if err != nil {
		return CertificateReport{}, fmt.Errorf("tables of the certificate: %w", err)
	}
	for i, hash := range hashes {
		if hash != c.tables[i] {
			return CertificateReport{}, fmt.Errorf("%w: it is for other tables: %v differs", ErrCertificate, format.KeyOf(c.game, c.top&1+2*i))
		}
	}
	v := &verifier{db: db, certificate: c, places: make(map[claimed]int32, len(c.claims)), needed: make([]bool, len(c.claims))}
	if err := v.verify(ctx); err != nil {
		return CertificateReport{}, err
	}
	report := CertificateReport{
		Rules: c.game.Rules(), Width: c.game.Width(), Beans: c.position.Beans(),
		Bounds: [2]game.Score{game.Score(c.low), game.Score(c.high)},
		Claims: len(c.claims), Tables: c.top, Lookups: v.lookups, position: c.position,
	}
	report.Pits = append(c.position.Mover.Pits(report.Width), c.position.Opponent.Pits(report.Width)...)
	return report, nil
}

// claimed is what a claim is about.
type claimed struct {
	position game.Position
	bound    int
}

// verifier checks one certificate.
type verifier struct {
	db          *tablebase.DB
	certificate *certificate
	places      map[claimed]int32 // of claims
	needed      []bool
	// pending are positions whose scores have to be looked up, and due what is wanted of
	// them.
	pending []game.Position
	due     []lookup
	lookups int
}

// lookup says what the score of a position has to be: at least a bound, or less.
type lookup struct {
	bound   int
	atLeast bool
}

// lookupsAtOnce is the number of positions that are looked up in one go, in the order of
// their blocks.
const lookupsAtOnce = 1 << 20

// verify checks all claims, and that they prove the bounds.
func (v *verifier) verify(ctx context.Context) error {
	c := v.certificate
	for i, e := range c.claims {
		key := claimed{e.position, int(e.bound)}
		if _, ok := v.places[key]; ok {
			return v.fault(i, "it is there twice")
		}
		v.places[key] = int32(i)
	}
	if err := v.need(-1, c.position, c.low, true, -1); err != nil {
		return err
	}
	if err := v.need(-1, c.position, c.high+1, false, -1); err != nil {
		return err
	}
	for i := range c.claims {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := v.claim(i); err != nil {
			return err
		}
	}
	for i, needed := range v.needed {
		if !needed {
			return v.fault(i, "nothing needs it")
		}
	}
	return v.look()
}

// fault returns the error for a claim, or for the bounds if i is −1.
func (v *verifier) fault(i int, format string, args ...any) error {
	what := "its bounds"
	if i >= 0 {
		e := v.certificate.claims[i]
		what = fmt.Sprintf("claim %d, %v at least %d", i, v.pits(e.position), e.bound)
	}
	return fmt.Errorf("%w: %s: %s", ErrCertificate, what, fmt.Sprintf(format, args...))
}

// pits lists the pits of a position.
func (v *verifier) pits(p game.Position) []int {
	width := v.certificate.game.Width()
	return append(p.Mover.Pits(width), p.Opponent.Pits(width)...)
}

// claim checks that a claim follows.
func (v *verifier) claim(i int) error {
	g, e := v.certificate.game, v.certificate.claims[i]
	yes := e.move != moveAll
	// Who has to force something: the mover a score above 0, the opponent one below. By
	// rule 8 endless play is worth 0, and so worth nothing to him.
	rank := int64(-1)
	if yes == (e.bound > 0) {
		rank = int64(e.rank)
	} else if e.rank != 0 {
		return v.fault(i, "it has a rank and needs none")
	}
	if g.Over(e.position) {
		return v.fault(i, "play is over there")
	}
	played := 0
	for _, m := range g.Successors(nil, e.position) {
		if yes && m.Pit != int(e.move) && (m.Pit != game.Pass || e.move != movePass) {
			continue
		}
		played++
		// The score is at least b by a move that takes c if the opponent's score after it
		// is not at least c−b+1.
		below := int64(-1)
		if m.Captured == 0 {
			below = rank
		}
		if err := v.need(i, m.Next, m.Captured-int(e.bound)+1, !yes, below); err != nil {
			return err
		}
	}
	if played == 0 {
		return v.fault(i, "there is no move %d", e.move)
	}
	return nil
}

// need checks that the score of a position is at least a bound, or that it is not, as
// claim i needs: by the rules, by the tables, or by another claim. With below at 0 or more
// that must have a rank below it.
func (v *verifier) need(i int, p game.Position, bound int, atLeast bool, below int64) error {
	g, beans := v.certificate.game, p.Beans()
	switch {
	case g.Over(p):
		if (int(g.Final(p)) >= bound) != atLeast {
			return v.fault(i, "it is refuted by %v, where play is over", v.pits(p))
		}
		return nil
	case bound > beans || bound <= -beans:
		if (bound <= -beans) != atLeast {
			return v.fault(i, "%v has too few beans for it", v.pits(p))
		}
		return nil
	case beans <= v.certificate.top:
		v.pending, v.due = append(v.pending, p), append(v.due, lookup{bound, atLeast})
		if len(v.pending) == lookupsAtOnce {
			return v.look()
		}
		return nil
	}
	// Captures are even, so with an even number of beans all scores are even.
	if beans%2 == 0 && bound%2 != 0 {
		bound++
	}
	place, ok := v.places[claimed{p, bound}]
	if !ok {
		return v.fault(i, "there is no claim for %v at least %d", v.pits(p), bound)
	}
	other := v.certificate.claims[place]
	switch {
	case (other.move != moveAll) != atLeast:
		return v.fault(i, "claim %d says the contrary", place)
	case below >= 0 && int64(other.rank) >= below:
		return v.fault(i, "claim %d has no lower rank", place)
	}
	v.needed[place] = true
	return nil
}

// look looks up what is pending.
func (v *verifier) look() error {
	values := make([]tablebase.Value, len(v.pending))
	if err := v.db.ProbeAll(v.certificate.game, v.pending, values); err != nil {
		return err
	}
	for k, want := range v.due {
		if (int(values[k].Score) >= want.bound) != want.atLeast {
			return fmt.Errorf("%w: the tables refute it: the score of %v is %d", ErrCertificate, v.pits(v.pending[k]), values[k].Score)
		}
	}
	v.lookups += len(v.pending)
	v.pending, v.due = v.pending[:0], v.due[:0]
	return nil
}
