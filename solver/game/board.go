package game

import (
	"fmt"
	"strconv"
	"strings"
)

// Board draws d for people, as plain text in four lines that each end with a
// newline:
//
//	            12   11   10    9    8    7
//	North (30) [ 0] [ 0] [ 1] [ 3] [ 3] [ 3]
//	South      [ 0] [ 2] [ 1] [ 1] [ 1] [ 1] (26)  to move
//	             1    2    3    4    5    6
//
// North's row runs from right to left, so sowing goes round counter-clockwise.
// Pits are in brackets with their numbers outside, stores in parentheses at their
// owners' right hands.
func (d Diagram) Board() string {
	digits := len(strconv.Itoa(2 * d.Width))
	for side := range d.Rows {
		for _, beans := range append(d.Rows[side].Pits(d.Width), d.Stores[side]) {
			digits = max(digits, len(strconv.Itoa(beans)))
		}
	}
	blank := strings.Repeat(" ", digits+len("()"))
	north, south := fmt.Sprintf("(%*d)", digits, d.Stores[North]), fmt.Sprintf("(%*d)", digits, d.Stores[South])

	var lines [4][]string
	for i := range d.Width {
		far := d.Width - 1 - i
		lines[0] = append(lines[0], fmt.Sprintf(" %*d ", digits, d.Width+1+far))
		lines[1] = append(lines[1], fmt.Sprintf("[%*d]", digits, d.Rows[North].Pit(far)))
		lines[2] = append(lines[2], fmt.Sprintf("[%*d]", digits, d.Rows[South].Pit(i)))
		lines[3] = append(lines[3], fmt.Sprintf(" %*d ", digits, 1+i))
	}
	var mark [2]string
	mark[d.ToMove] = " to move"

	var text strings.Builder
	for i, ends := range [4][4]string{
		{"     ", blank},
		{"North", north, blank, mark[North]},
		{"South", blank, south, mark[South]},
		{"     ", blank},
	} {
		line := strings.Join([]string{ends[0], ends[1], strings.Join(lines[i], " "), ends[2], ends[3]}, " ")
		text.WriteString(strings.TrimRight(line, " "))
		text.WriteByte('\n')
	}
	return text.String()
}
