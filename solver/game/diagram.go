package game

import (
	"fmt"
	"strings"
)

// Side is one of the two players.
type Side uint8

// The sides. South owns pits 1 to w, North w+1 to 2w.
const (
	South Side = iota
	North
)

// String returns "South" or "North".
func (s Side) String() string {
	if s == North {
		return "North"
	}
	return "South"
}

// MarshalText returns the same name as String, in lower case.
func (s Side) MarshalText() ([]byte, error) { return []byte(strings.ToLower(s.String())), nil }

// Other returns the opponent of s.
func (s Side) Other() Side { return 1 - s }

// Diagram is a position as people write it down: both sides by name, the stores
// and the side to move. Diagrams are comparable.
type Diagram struct {
	Width  int
	Rows   [2]Row // South's and North's, each in sowing order from its owner's left
	Stores [2]int // South's and North's beans already won
	ToMove Side
}

// Beans are beans of both sides, such as those in their stores.
type Beans struct {
	South int `json:"south"`
	North int `json:"north"`
}

// String returns South's beans, a dash, and North's.
func (b Beans) String() string { return fmt.Sprintf("%d-%d", b.South, b.North) }

// Position returns the board as the side to move sees it.
func (d Diagram) Position() Position {
	return Position{Mover: d.Rows[d.ToMove], Opponent: d.Rows[d.ToMove.Other()]}
}

// Lead returns by how many beans the store of the side to move is ahead.
func (d Diagram) Lead() int {
	return d.Stores[d.ToMove] - d.Stores[d.ToMove.Other()]
}

// Outcome returns how the game ends for the side to move when it still wins
// score beans more than the opponent (rule 7).
func (d Diagram) Outcome(score Score) Outcome {
	return OutcomeOf(d.Lead() + int(score))
}

// Final returns what the stores hold at the end of best play from d, given its score.
// It needs that the score does not lean on rule 8: then no beans stay on the board.
func (d Diagram) Final(score Score) Beans {
	beans := d.Position().Beans()
	d.Stores[d.ToMove] += (beans + int(score)) / 2
	d.Stores[d.ToMove.Other()] += (beans - int(score)) / 2
	return d.Won()
}

// Won returns what the stores hold.
func (d Diagram) Won() Beans { return Beans{South: d.Stores[South], North: d.Stores[North]} }

// Number returns the number of a pit of the side to move, 1 to 2w (rule 1), from
// its place in the mover's row counted from 0. Pass has number 0.
func (d Diagram) Number(pit int) int {
	if pit == Pass {
		return 0
	}
	return pit + 1 + int(d.ToMove)*d.Width
}
