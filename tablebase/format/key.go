package format

import (
	"cmp"
	"fmt"
	"strings"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/fault"
)

// Key names a layer: all positions of a game with one number of beans on the board. Keys
// are comparable.
type Key struct {
	Rules game.Rules
	Width int // pits a side
	Beans int
}

// KeyOf returns the key of a layer of a game.
func KeyOf(g game.Game, beans int) Key {
	return Key{Rules: g.Rules(), Width: g.Width(), Beans: beans}
}

// String returns a name for messages, such as "layer 16 of bohnenspiel 2×6".
func (k Key) String() string {
	return fmt.Sprintf("layer %d of %v 2×%d", k.Beans, k.Rules, k.Width)
}

// Compare orders keys by rules, then width, then beans, as [slices.SortFunc] wants
// it.
func (k Key) Compare(other Key) int {
	return cmp.Or(
		cmp.Compare(k.Rules, other.Rules),
		cmp.Compare(k.Width, other.Width),
		cmp.Compare(k.Beans, other.Beans),
	)
}

// Parity is a choice of layers. Captures are even, so the even and the odd layers
// of a game never need each other.
type Parity uint8

// The parities.
const (
	Even Parity = iota
	Odd
	Both
)

// String returns the name that ParseParity reads.
func (p Parity) String() string {
	return [...]string{"even", "odd", "both"}[p]
}

// Has reports whether layer beans is one of those chosen.
func (p Parity) Has(beans int) bool {
	return p == Both || beans%2 == int(p)
}

// ParseParity reads "even", "odd" or "both". Any other text gives an error that
// wraps ErrParity.
func ParseParity(text string) (Parity, error) {
	for _, p := range []Parity{Even, Odd, Both} {
		if text == p.String() {
			return p, nil
		}
	}
	names := strings.Join([]string{Even.String(), Odd.String(), Both.String()}, ", ")
	return 0, fmt.Errorf("%w %q: use one of %s", ErrParity, text, names)
}

// ErrParity is returned when a text names no parity: ClassUsage.
var ErrParity = fault.New(fault.Usage, "unknown parity")
