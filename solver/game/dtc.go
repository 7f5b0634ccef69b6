package game

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// DTC is the depth to conversion: the number of plies, passes included, until a move
// captures or ends the game, that move included, in best play that keeps the score. The
// side with a score above 0 hurries and the other delays; at a score of 0 both go the
// shortest way. Moves that do not keep the score don't count.
//
//	0          play is over
//	1          a move that converts is the best that there is
//	d          it takes d plies
//	Endless    at a score of 0 only: no way that keeps the score ever converts (rule 8)
//
// Unlike a [Score] it has no view: it is the same number for both sides. It speaks of
// the beans on the board; what the stores hold makes no difference.
type DTC uint16

// Endless is the DTC of play that never converts. It is larger than any other.
const Endless DTC = math.MaxUint16

// CompareDTC compares two ways to the next conversion, by their DTCs, for the side that
// has to move and has this score: +1 if a is the better one, −1 if b is, 0 if they are
// equal. A side that is behind delays; otherwise the shorter way is the better one.
func (s Score) CompareDTC(a, b DTC) int {
	if s < 0 {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(b, a)
}

// String returns the number, or "endless".
func (d DTC) String() string {
	if d == Endless {
		return "endless"
	}
	return strconv.Itoa(int(d))
}

// MarshalJSON returns the number, or null for Endless.
func (d DTC) MarshalJSON() ([]byte, error) {
	if d == Endless {
		return []byte("null"), nil
	}
	return strconv.AppendUint(nil, uint64(d), 10), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (d *DTC) UnmarshalJSON(text []byte) error {
	number := new(uint16)
	if err := json.Unmarshal(text, &number); err != nil {
		return fmt.Errorf("depth to conversion: %w", err)
	}
	*d = Endless
	if number != nil {
		*d = DTC(*number)
	}
	return nil
}
