package campaign

import "slices"

// deduce finds out what follows from the answers of leaves, layer by layer from the fewest
// beans up. docs/algorithm.md proves that it is right. In a layer there are two steps, as
// often as they bring something:
//
//   - What follows from answers: yes if some move leads to a no, and no if all moves lead
//     to a yes. So whatever a forcer achieves is reached by finitely many moves: a thing
//     that needs itself is never found that way.
//   - Where the forcer fails. His way is clear to the nodes from which he would succeed if
//     every open leaf were answered as he wants. From all others he fails whatever the
//     leaves are, as his opponent keeps him among them: perhaps in circles, which is
//     endless play.
func (t *Tree) deduce() error {
	for beans := range t.expanded {
		for again := true; again; {
			if err := t.follow(beans); err != nil {
				return err
			}
			t.clear(beans)
			var err error
			if again, err = t.trap(beans); err != nil {
				return err
			}
		}
	}
	return nil
}

// follow takes the first step in a layer.
func (t *Tree) follow(beans int) error {
	layer := t.expanded[beans]
	for again := true; again; {
		again = false
		for _, i := range slices.Backward(layer) { // children come later than their parents, mostly
			n := &t.nodes[i]
			if n.answered() {
				continue
			}
			answered, yes := true, false
			for _, e := range n.children {
				c := &t.nodes[e.node]
				answer, ok := c.known.answer(int(c.question.Bound))
				answered = answered && ok
				yes = yes || ok && !answer
			}
			if !answered && !yes {
				continue
			}
			again = true
			if err := t.facts.learn(n.known, n.question, yes, Located{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// clear finds the nodes of a layer from which the forcer's way is clear.
func (t *Tree) clear(beans int) {
	layer := t.expanded[beans]
	for _, i := range layer {
		t.nodes[i].can = false
	}
	for again := true; again; {
		again = false
		for _, i := range slices.Backward(layer) {
			if n := &t.nodes[i]; !n.can && !n.answered() && t.mayForce(n) {
				n.can, again = true, true
			}
		}
	}
}

// mayForce reports whether the forcer of an open node may have his way, as far as the
// moves say.
func (t *Tree) mayForce(n *node) bool {
	mover := n.question.Bound > 0 // is the forcer
	for _, e := range n.children {
		c := &t.nodes[e.node]
		may := true
		if answer, ok := c.known.answer(int(c.question.Bound)); ok {
			may = answer != mover
		} else if e.captured == 0 && c.children != nil {
			may = c.can
		}
		if may == mover {
			return mover
		}
	}
	return !mover
}

// trap takes the second step in a layer, and reports whether something got known.
func (t *Tree) trap(beans int) (found bool, err error) {
	for _, i := range t.expanded[beans] {
		n := &t.nodes[i]
		if n.can || n.answered() {
			continue
		}
		// The forcer fails, and the answer is that of endless play.
		found = true
		if err := t.facts.learn(n.known, n.question, n.question.Bound <= 0, Located{}); err != nil {
			return false, err
		}
	}
	return found, nil
}
