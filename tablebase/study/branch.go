package study

// branch is a move of a solution and what is said to follow it: the movetext as a
// tree, in which the ways to go on from a position stand side by side.
type branch struct {
	number int
	mark   Mark
	next   []*branch // the main move first, then variations in their order
}

// branches returns the tree of a movetext. A move that is given twice in one position
// becomes one branch; the first mark counts.
func branches(t Movetext) []*branch {
	var first []*branch
	grow(&first, t)
	return first
}

// grow adds a movetext to the ways to go on from a position.
func grow(next *[]*branch, t Movetext) {
	for _, m := range t.Moves {
		b := find(*next, m.Number)
		if b == nil {
			b = &branch{number: m.Number}
			*next = append(*next, b)
		}
		if b.mark == Unmarked {
			b.mark = m.Mark
		}
		for _, v := range m.Variations {
			grow(next, v)
		}
		next = &b.next
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
