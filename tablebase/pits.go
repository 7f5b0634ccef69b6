package tablebase

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Pits are moves by the numbers of their pits (game.Diagram.Number). A pass is 0 here
// and null in JSON. Nil is a list that is not known, which is null in JSON too.
type Pits []int

// MarshalJSON returns an array, such as [6,7,null], or null.
func (pits Pits) MarshalJSON() ([]byte, error) {
	if pits == nil {
		return []byte("null"), nil
	}
	text := []byte{'['}
	for i, pit := range pits {
		if i > 0 {
			text = append(text, ',')
		}
		if pit == 0 {
			text = append(text, "null"...)
		} else {
			text = strconv.AppendInt(text, int64(pit), 10)
		}
	}
	return append(text, ']'), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (pits *Pits) UnmarshalJSON(text []byte) error {
	// A null leaves a number as it is: 0.
	var numbers []int
	if err := json.Unmarshal(text, &numbers); err != nil {
		return fmt.Errorf("moves: %w", err)
	}
	*pits = numbers
	return nil
}

// pits returns the moves of a line.
func (l Line) pits() Pits {
	pits := make(Pits, len(l.Plies))
	for i, ply := range l.Plies {
		if ply.Pit != nil {
			pits[i] = *ply.Pit
		}
	}
	return pits
}
