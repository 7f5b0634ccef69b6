package game

import "fmt"

// Pass is the pit of a pass (rule 6), which lifts no beans.
const Pass = -1

// MaxBeans returns the number of beans in play on a board of the given width:
// six a pit, 72 on the traditional board (rule 1). Stores included, a game
// holds no more than that.
func MaxBeans(width int) int { return 12 * width }

// Game is a rule set on a board of one width. Games are comparable values, safe
// for concurrent use. The zero Game is not valid; New makes them.
type Game struct {
	rules Rules
	width int
	ones  Row // one bean in each pit of a row
}

// New returns the game with the given rules on a board with width pits a side.
// A width outside MinWidth to MaxWidth gives an error that wraps ErrWidth.
func New(rules Rules, width int) (Game, error) {
	if width < MinWidth || width > MaxWidth {
		return Game{}, widthError(width)
	}
	return Game{rules: rules, width: width, ones: Ones(0, width)}, nil
}

// widthError says which widths there are.
func widthError(width int) error {
	return fmt.Errorf("%w %d: a side has %d to %d pits", ErrWidth, width, MinWidth, MaxWidth)
}

// Rules returns the rule set.
func (g Game) Rules() Rules { return g.rules }

// Width returns the number of pits a side.
func (g Game) Width() int { return g.width }

// Start returns the opening position with the given number of beans in each pit, 0 to 6. Six is
// the traditional number.
func (g Game) Start(beansPerPit int) Position {
	row := g.ones * Row(beansPerPit)
	return Position{Mover: row, Opponent: row}
}

// Over reports whether play has ended. In Bohnenspiel it ends when the player to
// move has an empty row (rule 5), in Mangala when the board is empty (rule 6).
func (g Game) Over(p Position) bool {
	return p.Mover == 0 && (g.rules == Bohnenspiel || p.Opponent == 0)
}

// Passes reports whether the player to move has to pass (rule 6).
func (g Game) Passes(p Position) bool {
	return g.rules == Mangala && p.Mover == 0 && p.Opponent != 0
}

// Final returns the score of a position where play is Over: the beans on the
// board go to the opponent.
func (g Game) Final(p Position) Score {
	return Score(-p.Opponent.Beans())
}

// Converts reports whether a move captures or ends the game: see [DTC].
func (g Game) Converts(s Successor) bool { return s.Captured > 0 || g.Over(s.Next) }

// Play sows the beans of the mover's pit, 0 to w−1, and captures (rules 2 to 4). It
// returns the position as the other side, who moves next, sees it, and the number of
// beans that the move takes. Play with Pass as the pit swaps the sides; it does not
// ask whether a pass is legal. It panics if the pit is empty.
func (g Game) Play(p Position, pit int) (next Position, captured int) {
	if pit == Pass {
		return p.Swap(), 0
	}
	mover, opponent, last := g.sow(p, pit)
	// A pit that the chain has emptied stops it, so it ends after one lap.
	for {
		var beans int
		if last < g.width {
			if beans = mover.Pit(last); !Captures(beans) {
				break
			}
			mover -= Row(beans) << shift(last)
		} else {
			lane := last - g.width
			if beans = opponent.Pit(lane); !Captures(beans) {
				break
			}
			opponent -= Row(beans) << shift(lane)
		}
		captured += beans
		if last--; last < 0 {
			last = 2*g.width - 1
		}
	}
	return Position{Mover: opponent, Opponent: mover}, captured
}

// sow lifts the beans of the mover's pit and sows them. It returns both rows,
// still from the mover's view, and the pit that got the last bean, 0 to 2w−1.
func (g Game) sow(p Position, pit int) (mover, opponent Row, last int) {
	hand := p.Mover.Pit(pit)
	if hand == 0 {
		panic("game: play from an empty pit")
	}
	mover = p.Mover - Row(hand)<<shift(pit)
	opponent = p.Opponent
	if hand >= 2*g.width { // rule 3: whole laps sow the origin as well
		laps := hand / (2 * g.width)
		mover += g.ones * Row(laps)
		opponent += g.ones * Row(laps)
		hand -= laps * 2 * g.width
	}
	ahead := g.width - 1 - pit
	if hand <= ahead {
		return mover + Ones(pit+1, hand), opponent, pit + hand
	}
	mover += Ones(pit+1, ahead)
	hand -= ahead
	if hand <= g.width {
		return mover, opponent + Ones(0, hand), g.width + hand - 1
	}
	hand -= g.width
	return mover + Ones(0, hand), opponent + g.ones, hand - 1
}

// Successor is one move and what it leads to.
type Successor struct {
	Pit      int      // the pit sown, 0 to w−1, or Pass
	Captured int      // beans that the move takes
	Next     Position // the position after it, seen by the player who moves next
}

// Successors appends the moves of p to dst, in order of pits, and returns it. A
// position where play is Over has none; a player who has to pass has one.
func (g Game) Successors(dst []Successor, p Position) []Successor {
	if g.Passes(p) {
		return append(dst, Successor{Pit: Pass, Next: p.Swap()})
	}
	for pit := range g.width {
		if p.Mover.Pit(pit) > 0 {
			next, captured := g.Play(p, pit)
			dst = append(dst, Successor{Pit: pit, Captured: captured, Next: next})
		}
	}
	return dst
}
