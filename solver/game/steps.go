package game

// Steps is a move in single steps, for those who show it. Pits are named by their
// numbers, 1 to 2w (rule 1).
type Steps struct {
	Sown     []int // the pit that each bean falls into, in order (rules 2 and 3)
	Captured []int // the pits that are captured, in order (rule 4)
}

// Steps returns the steps of a move that Play plays. A pass has none. Errors are
// those of Play.
func (d Diagram) Steps(g Game, number int) (Steps, error) {
	if _, _, err := d.Play(g, number); err != nil || number == 0 {
		return Steps{}, err
	}
	pits := append(d.Rows[South].Pits(d.Width), d.Rows[North].Pits(d.Width)...)
	at := number - 1
	hand := pits[at]
	pits[at] = 0
	var s Steps
	for range hand {
		at = (at + 1) % len(pits)
		pits[at]++
		s.Sown = append(s.Sown, at+1)
	}
	for Captures(pits[at]) {
		pits[at] = 0
		s.Captured = append(s.Captured, at+1)
		at = (at + len(pits) - 1) % len(pits)
	}
	return s, nil
}
