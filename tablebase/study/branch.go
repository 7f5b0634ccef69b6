package study

// branch is a move of a solution and what is said to follow it: the movetext as a
// tree, in which the ways to go on from a position stand side by side.
type branch struct {
	number int
	mark   Mark
	next   []*branch // the main move first, then variations in their order
}

// branches returns the tree of a movetext. A move that is given twice in one position
// becomes one branch; its first mark counts.
func branches(t Movetext) []*branch {
	var first []*branch
	grow(&first, t)
	return first
}

// grow adds a movetext to the ways to go on from a position: its moves, and then the
// variations from the first to the last.
func grow(next *[]*branch, t Movetext) {
	before := make([]*[]*branch, len(t.Moves)) // the ways to go on before each move
	for i, m := range t.Moves {
		before[i] = next
		b := find(*next, m.Number)
		if b == nil {
			b = &branch{number: m.Number}
			*next = append(*next, b)
		}
		if b.mark == Unmarked {
			b.mark = m.Mark
		}
		next = &b.next
	}
	for i, m := range t.Moves {
		for _, v := range m.Variations {
			grow(before[i], v)
		}
	}
}

// find returns the branch of a move, or nil.
func find(next []*branch, number int) *branch {
	for _, b := range next {
		if b.number == number {
			return b
		}
	}
	return nil
}
