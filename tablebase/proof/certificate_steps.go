package proof

import (
	"io"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase"
)

// Proof is what a certificate shows: that the score of a position is from Low to High, by
// steps that rest on each other, on the rules, and on the tables up to layer Top, −1 for
// none. Each question is there once.
type Proof struct {
	Game      game.Game
	Position  game.Position
	Low, High game.Score
	Top       int
	Steps     []search.Step
}

// WriteCertificate writes a proof that rests on the tables of the database, which have to
// be there up to layer Top. Errors are those of Manifest and of w.
func WriteCertificate(db *tablebase.DB, w io.Writer, p Proof) error {
	hashes, err := hashes(db, p.Game, p.Top)
	if err != nil {
		return err
	}
	c := certificate{
		game: p.Game, position: p.Position, low: int(p.Low), high: int(p.High), top: p.Top, tables: hashes, claims: claimsOf(p.Steps),
	}
	return c.write(w)
}

// claimsOf returns steps of a proof as claims.
func claimsOf(steps []search.Step) []claim {
	claims := make([]claim, 0, len(steps))
	for _, step := range steps {
		c := claim{
			position: step.Question.Position, bound: step.Question.Bound, rank: uint32(step.Rank),
			beans: uint8(step.Question.Position.Beans()), move: moveAll,
		}
		switch {
		case step.Pit >= 0:
			c.move = uint8(step.Pit)
		case step.Yes:
			c.move = movePass
		}
		claims = append(claims, c)
	}
	return claims
}
