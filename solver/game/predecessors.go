package game

// Predecessor is one move that leads to a position, and where it was played.
type Predecessor struct {
	Pit      int      // the pit sown, 0 to w−1, or Pass
	Previous Position // the position before it, seen by the player who makes the move
}

// Predecessors appends to dst every position and pit from which one move that takes
// exactly this many beans leads to p, and returns it; captured = 0 asks for quiet
// moves. They come in order of pits, a pass first, each once. Positions with more
// than MaxBeans on the board are left out.
//
// A quiet move is found by un-sowing. For a capture the emptied pits are filled
// first, in each way that the chain of rule 4 could have emptied them. There are at
// most as many ways as sequences of 2, 4 and 6 with the sum captured.
func (g Game) Predecessors(dst []Predecessor, p Position, captured int) []Predecessor {
	if captured < 0 || p.Beans()+captured > MaxBeans(g.width) {
		return dst
	}
	before := p.Swap()
	if captured == 0 && g.Passes(before) {
		dst = append(dst, Predecessor{Pit: Pass, Previous: before})
	}
	u := unsowing{pits: 2 * g.width, found: dst}
	for pit := range g.width {
		u.board[pit] = before.Mover.Pit(pit)
		u.board[g.width+pit] = before.Opponent.Pit(pit)
	}
	for u.origin = range g.width {
		for u.last = range u.pits {
			u.fill(0, captured)
		}
	}
	return u.found
}

// unsowing is the search for predecessors with one origin and one last pit.
type unsowing struct {
	pits  int // 2w
	found []Predecessor
	// board is the board after the sowing, before the captures, from the view of
	// the player who sowed: his pits are 0 to w−1.
	board  [2 * MaxWidth]int
	origin int // the pit sown
	last   int // the pit that got the last bean
}

// fill puts back the rest of the captured beans, after length pits of the chain
// have got theirs, and takes back the sowing where that comes out even.
func (u *unsowing) fill(length, rest int) {
	pit := (u.last - length%u.pits + u.pits) % u.pits
	if rest == 0 {
		// The chain stops at a pit that can't be captured. After a whole lap that
		// is the last pit, which the chain has emptied.
		if length == u.pits || !Captures(u.board[pit]) {
			u.unsow()
		}
		return
	}
	if length == u.pits || u.board[pit] != 0 {
		return
	}
	for beans := 2; beans <= min(6, rest); beans += 2 {
		u.board[pit] = beans
		u.fill(length+1, rest-beans)
	}
	u.board[pit] = 0
}

// unsow takes back a sowing from origin to last, if there is one.
func (u *unsowing) unsow() {
	// The origin was empty when sowing began, so it tells the number of laps.
	laps := u.board[u.origin]
	steps := (u.last - u.origin + u.pits) % u.pits
	hand := laps*u.pits + steps
	if hand == 0 {
		return
	}
	var rows [2]Row
	width := u.pits / 2
	for distance := range u.pits {
		pit := (u.origin + distance) % u.pits
		beans := u.board[pit] - laps
		if distance == 0 {
			beans = hand
		} else if distance <= steps {
			beans--
		}
		if beans < 0 {
			return
		}
		rows[pit/width] |= Row(beans) << shift(pit%width)
	}
	u.found = append(u.found, Predecessor{Pit: u.origin, Previous: Position{Mover: rows[0], Opponent: rows[1]}})
}
