package campaign

import (
	"fmt"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
)

// Log returns the answers that the tree knows.
func (t *Tree) Log() (questions []search.Question, answers []bool) {
	for _, a := range t.facts.log {
		questions, answers = append(questions, a.question), append(answers, a.yes)
	}
	return questions, answers
}

// ParseLine reads a line of a campaign of a game; of the zero game, a header.
func ParseLine(g game.Game, text string) (Line, error) { return parseLine(g, text) }

// Seal adds its checksum to a line.
func Seal(text string) string { return fmt.Sprintf("%s %08x", text, checksum(text)) }
