package game

import (
	"fmt"
)

// Rules says how play ends.
type Rules uint8

const (
	// Bohnenspiel ends when the player to move has an empty row; the beans on
	// the board go to the opponent, who moved last (rule 5).
	Bohnenspiel Rules = iota
	// Mangala is Mangala II: a player with an empty row passes, and play ends
	// when the board is empty (rule 6). Hemprich's end rule for Bohnenspiel is
	// the same.
	Mangala
)

// String returns the name that ParseRules reads.
func (r Rules) String() string {
	if r == Mangala {
		return "mangala"
	}
	return "bohnenspiel"
}

// MarshalText returns the same name as String.
func (r Rules) MarshalText() ([]byte, error) {
	return []byte(r.String()), nil
}

// UnmarshalText reads a name as ParseRules does.
func (r *Rules) UnmarshalText(text []byte) error {
	rules, err := ParseRules(string(text))
	if err != nil {
		return err
	}
	*r = rules
	return nil
}

// ParseRules reads the name of a rule set: "bohnenspiel", "mangala" or
// "hemprich", which is Mangala under another name. Any other name gives an error
// that wraps ErrRules.
func ParseRules(name string) (Rules, error) {
	switch name {
	case "bohnenspiel":
		return Bohnenspiel, nil
	case "mangala", "hemprich":
		return Mangala, nil
	default:
		return 0, fmt.Errorf("%w %q: use bohnenspiel, mangala or hemprich", ErrRules, name)
	}
}
