package study

import (
	"fmt"
	"strconv"
	"strings"

	"bohnenspiel/solver/game"
)

// Movetext is a series of moves, each with what is said about it. It is the solution
// of a study, the moves of a game, or a variation.
type Movetext struct {
	Comment string // before the first move
	Moves   []Move
}

// Move is a move in a movetext.
type Move struct {
	Number  int // the pit's number, 1 to 2w, or 0 for a pass (rule 1, rule 6)
	Mark    Mark
	Comment string // its words with single blanks between them; empty if there is none
	// Variations are other ways to play from the position before the move. Each has
	// a move.
	Variations []Movetext
	Place      Place // in the file that it was read from
}

// String returns the number, or "-" for a pass, with the mark.
func (m Move) String() string { return moveName(m.Number) + string(m.Mark) }

// moveName writes a move as people do: a pit's number, or "-" for a pass.
func moveName(number int) string {
	if number == 0 {
		return passName
	}
	return strconv.Itoa(number)
}

// passName is how a pass is written.
const passName = "-"

// Mark is what stands behind a move: one of the six marks of chess, or nothing. What
// marks claim is said in docs/studies.md.
type Mark string

// The marks that claim something. The others are "!!", "??", "!?" and "?!".
const (
	Unmarked Mark = ""
	Key      Mark = "!"
	Try      Mark = "?"
)

// Fails reports whether the mark says that the move does not do: ? and ??.
func (m Mark) Fails() bool { return m == Try || m == Try+Try }

// valid reports whether there is such a mark.
func (m Mark) valid() bool {
	switch m {
	case Unmarked, Key, Try, Key + Key, Try + Try, Key + Try, Try + Key:
		return true
	default:
		return false
	}
}

// parseMove reads the word of a move.
func parseMove(l *lexer, t token) (Move, error) {
	name := strings.TrimRight(t.text, "!?")
	m := Move{Mark: Mark(t.text[len(name):]), Place: t.place}
	number, err := strconv.ParseUint(name, 10, 16)
	switch {
	case name == "" && m.Mark != "":
		return m, l.errorf(t.place, "the mark %s has no move: it stands right behind one, with no blank between", m.Mark)
	case !m.Mark.valid():
		return m, l.errorf(t.place, "%v has no known mark: use !, ?, !!, ??, !? or ?!", t)
	case name == passName:
		return m, nil
	case err != nil && strings.HasSuffix(name, "."):
		return m, l.errorf(t.place, "%v is no move: moves are not numbered here; a move is a pit's number, or - for a pass", t)
	case err != nil || number == 0 || number > 2*game.MaxWidth || name[0] == '0':
		return m, l.errorf(t.place, "%v is no move: want a pit's number from 1 to %d, or - for a pass", t, 2*game.MaxWidth)
	}
	m.Number = int(number)
	return m, nil
}

// addComment puts a comment behind what has been said already.
func addComment(said *string, comment string) {
	*said = strings.TrimSpace(*said + " " + comment)
}

// size returns the number of moves, those of variations included.
func (t Movetext) size() int {
	n := len(t.Moves)
	for _, m := range t.Moves {
		for _, v := range m.Variations {
			n += v.size()
		}
	}
	return n
}

// writable reports why a movetext can't be written down, as an error, or nil.
func (t Movetext) writable() error {
	if err := writableComment(t.Comment); err != nil {
		return err
	}
	for _, m := range t.Moves {
		if m.Number < 0 || m.Number > 2*game.MaxWidth || !m.Mark.valid() {
			return fmt.Errorf("move %d%s can't be written: want pit 0 to %d and a known mark", m.Number, m.Mark, 2*game.MaxWidth)
		}
		if err := writableComment(m.Comment); err != nil {
			return err
		}
		for _, v := range m.Variations {
			if len(v.Moves) == 0 {
				return fmt.Errorf("a variation of move %v has no moves", m)
			}
			if err := v.writable(); err != nil {
				return err
			}
		}
	}
	return nil
}
