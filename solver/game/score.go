package game

// Score is the number of beans that the player to move will still win, less the
// number that the opponent will, under best play of both.
//
//	range      −n to n on a board with n beans, so it fits in 8 bits
//	+s         the mover gets s beans more than the opponent from here on
//	0          both get the same, or play goes on for ever (rule 8)
//	−s         the opponent gets s beans more
//
// The opponent's view of a score is its negation. A score speaks of the beans on
// the board only; who wins depends on the stores as well, see [Diagram.Outcome].
type Score int8

// Outcome is how a game ends for one player.
type Outcome int8

// The outcomes, ordered from bad to good. Negation changes the view.
const (
	Loss Outcome = -1
	Draw Outcome = 0
	Win  Outcome = 1
)

// OutcomeOf returns the outcome for the player who is ahead by lead beans, or
// behind by −lead, at the end (rule 7).
func OutcomeOf(lead int) Outcome {
	switch {
	case lead > 0:
		return Win
	case lead < 0:
		return Loss
	default:
		return Draw
	}
}

// String returns "win", "draw" or "loss".
func (o Outcome) String() string {
	switch o {
	case Win:
		return "win"
	case Loss:
		return "loss"
	default:
		return "draw"
	}
}

// MarshalText returns the same words as String.
func (o Outcome) MarshalText() ([]byte, error) {
	return []byte(o.String()), nil
}
