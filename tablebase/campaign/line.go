package campaign

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
)

// FormatVersion is the version of the files that this program writes, and the only one
// that it reads.
const FormatVersion = 1

// A Kind is the first word of a line.
type Kind uint8

// The kinds of lines.
const (
	// Header names the game: "bohnenspiel-campaign 1 bohnenspiel 6".
	Header Kind = iota
	// Ask is a question of the campaign: "ask PITS BOUND", or "ask PITS score" for all that
	// it takes to know the score.
	Ask
	// Yes says that the score is at least the bound: "yes PITS BOUND VISITED TABLES PROGRAM".
	Yes
	// No says that it is not; the rest is as for Yes.
	No
	// Split says that a search gave up, and that the question is to be split; the rest is as
	// for Yes, and then the numbers of the questions after the moves: "12/40,5/100".
	Split
)

// kinds are the words of the kinds.
var kinds = [...]string{"bohnenspiel-campaign", "ask", "yes", "no", "split"} //nolint:gochecknoglobals // a constant table

// String returns the word.
func (k Kind) String() string { return kinds[k] }

// Line is a line of a file. Fields are separated by a blank. The last one is the CRC-32
// (Castagnoli) of what stands before it and before the blank, in hexadecimal:
//
//	bohnenspiel-campaign 1 bohnenspiel 4 2eb777fd
//	ask 4-4-4-4-4-4-4-4 score b012e276
//	split 4-4-4-4-4-4-4-4 2 500 12:63d5ad70f2b0e8f1 6c92490 71/90,40/112,55/87,60/93 36db370b
//	yes 0-5-5-5-5-4-4-4 -2 123 12:63d5ad70f2b0e8f1 6c92490 8f382a5a
//
// A line that ends with "~" was cut off, and counts as none.
type Line struct {
	Kind Kind
	Game game.Game // of all kinds, though only a Header spells it out
	// Position and Bound are the question: is the score of the mover at least Bound?
	Position game.Position
	Bound    int
	// Score is set where an Ask wants the score, and then there is no bound.
	Score bool
	// Visited is the number of positions that the search looked at for it. It is 0 where
	// another job, or the tables, had answered the question before.
	Visited uint64
	Tables  Tables
	Program string // version of the program, without blanks
	// Moves are, of a Split, what the search knows of the question after each move, in order.
	// They guide others, and nothing that is proved depends on them.
	Moves []Numbers
}

// Numbers are proof numbers: about how many positions have to be decided to show that the
// answer is yes, and how many to show no. One of them is 0 where that is known.
type Numbers struct{ Yes, No uint32 }

// Tables names the tables that an answer rests on.
type Tables struct {
	Top       int    // the largest layer, −1 for none
	Signature uint64 // begins the SHA-256 of the SHA-256s of the layers
}

// String returns, for example, "12:63d5ad70f2b0e8f1", and "-" for no tables.
func (t Tables) String() string {
	if t.Top < 0 {
		return "-"
	}
	return fmt.Sprintf("%d:%016x", t.Top, t.Signature)
}

// parseTables reads what String returns.
func parseTables(text string) (Tables, error) {
	if text == "-" {
		return Tables{Top: -1}, nil
	}
	top, signature, ok := strings.Cut(text, ":")
	beans, err := strconv.ParseUint(top, 10, 7)
	if err != nil || !ok {
		return Tables{}, fmt.Errorf("%q names no tables", text)
	}
	s, err := strconv.ParseUint(signature, 16, 64)
	if err != nil {
		return Tables{}, fmt.Errorf("%q names no tables", text)
	}
	return Tables{int(beans), s}, nil
}

// Question returns the question, in the form in which the search asks it.
func (l Line) Question() search.Question {
	return newQuestion(l.Position, l.Position.Beans(), l.Bound)
}

// Answers reports whether the line is the answer to a question.
func (l Line) Answers() bool { return l.Kind == Yes || l.Kind == No }

// Worked reports whether the line is the result of a job: an answer or a Split.
func (l Line) Worked() bool { return l.Answers() || l.Kind == Split }

// String returns the line with its checksum, without a newline.
func (l Line) String() string {
	var text strings.Builder
	text.WriteString(l.Kind.String())
	switch {
	case l.Kind == Header:
		fmt.Fprintf(&text, " %d %v %d", FormatVersion, l.Game.Rules(), l.Game.Width())
	case l.Kind == Ask && l.Score:
		fmt.Fprintf(&text, " %s score", Pits(l.Game, l.Position))
	default:
		fmt.Fprintf(&text, " %s %d", Pits(l.Game, l.Position), l.Bound)
	}
	if l.Worked() {
		fmt.Fprintf(&text, " %d %v %s", l.Visited, l.Tables, l.Program)
	}
	for i, n := range l.Moves {
		fmt.Fprintf(&text, "%c%d/%d", " ,"[min(i, 1)], n.Yes, n.No)
	}
	return fmt.Sprintf("%s %08x", text.String(), checksum(text.String()))
}

// checksum returns the checksum of the text of a line.
func checksum(text string) uint32 {
	return crc32.Checksum([]byte(text), crc32.MakeTable(crc32.Castagnoli))
}

// Pits writes a position: the mover's pits from his left, then the opponent's.
func Pits(g game.Game, p game.Position) string {
	var text strings.Builder
	for _, row := range []game.Row{p.Mover, p.Opponent} {
		for _, beans := range row.Pits(g.Width()) {
			if text.Len() > 0 {
				text.WriteByte('-')
			}
			text.WriteString(strconv.Itoa(beans))
		}
	}
	return text.String()
}

// parsePits reads what Pits writes.
func parsePits(g game.Game, text string) (game.Position, error) {
	// Between the pits and the side to move a diagram has the stores.
	d, err := game.ParseDiagram(text+"-0-0-S", g.Width())
	if err != nil {
		return game.Position{}, fmt.Errorf("%q is no position of the board", text)
	}
	return d.Position(), nil
}

// cutMark ends a line that was cut off.
const cutMark = "~"

// parseLine reads a line of a campaign of a game. For the zero game it reads a Header
// only. Errors wrap ErrDamaged, ErrNotCampaign, or ErrOtherGame.
func parseLine(g game.Game, text string) (Line, error) {
	body, sum, ok := cutLast(text)
	if !ok {
		return Line{}, fmt.Errorf("%w: it has no checksum", ErrDamaged)
	}
	fields := strings.Split(body, " ")
	if fields[0] == kinds[Header] {
		// A newer version may have other checksums.
		if len(fields) < 2 || fields[1] != strconv.Itoa(FormatVersion) {
			return Line{}, fmt.Errorf("%w: it is of another format version, and this program reads version %d", ErrNotCampaign, FormatVersion)
		}
	}
	if want, err := strconv.ParseUint(sum, 16, 32); err != nil || len(sum) != 8 || uint32(want) != checksum(body) {
		return Line{}, fmt.Errorf("%w: its checksum is wrong", ErrDamaged)
	}
	line, err := parseFields(g, fields)
	if err == nil && line.String() != text {
		err = fmt.Errorf("%w: it is not in its proper form", ErrDamaged)
	}
	return line, err
}

// cutLast splits a line before its last field.
func cutLast(text string) (before, last string, ok bool) {
	at := strings.LastIndexByte(text, ' ')
	if at < 0 {
		return "", "", false
	}
	return text[:at], text[at+1:], true
}

// parseFields reads the fields of a line but for its checksum.
func parseFields(g game.Game, fields []string) (Line, error) {
	damaged := func(err error) error { return fmt.Errorf("%w: %w", ErrDamaged, err) }
	kind := Kind(0)
	for kinds[kind] != fields[0] {
		if kind++; int(kind) == len(kinds) {
			return Line{}, fmt.Errorf("%w: %q is no kind of line", ErrDamaged, fields[0])
		}
	}
	if want := [...]int{Header: 4, Ask: 3, Yes: 6, No: 6, Split: 7}[kind]; len(fields) != want {
		return Line{}, fmt.Errorf("%w: it has %d fields, want %d", ErrDamaged, len(fields), want)
	}
	line := Line{Kind: kind, Game: g}
	if kind == Header {
		rules, err := game.ParseRules(fields[2])
		if err != nil {
			return Line{}, damaged(err)
		}
		width, err := strconv.Atoi(fields[3])
		if err != nil {
			return Line{}, damaged(err)
		}
		line.Game, err = game.New(rules, width)
		if err != nil {
			return Line{}, damaged(err)
		}
		if g != (game.Game{}) && g != line.Game {
			return Line{}, fmt.Errorf("%w: it is of %v, 2×%d, and not of %v, 2×%d", ErrOtherGame, rules, width, g.Rules(), g.Width())
		}
		return line, nil
	}
	if g == (game.Game{}) {
		return Line{}, fmt.Errorf("%w: it does not begin with the line of one", ErrNotCampaign)
	}
	var err error
	if line.Position, err = parsePits(g, fields[1]); err != nil {
		return Line{}, damaged(err)
	}
	if kind == Ask && fields[2] == "score" {
		line.Score = true
		return line, nil
	}
	beans := line.Position.Beans()
	if line.Bound, err = strconv.Atoi(fields[2]); err != nil || line.Bound < -beans || line.Bound > beans+1 {
		return Line{}, fmt.Errorf("%w: %q is no bound of a score of %d beans", ErrDamaged, fields[2], beans)
	}
	if kind == Ask {
		return line, nil
	}
	if kind == Yes && line.Bound > beans || kind == No && line.Bound <= -beans {
		return Line{}, fmt.Errorf("%w: no score of %d beans is like that", ErrDamaged, beans)
	}
	if line.Visited, err = strconv.ParseUint(fields[3], 10, 64); err != nil {
		return Line{}, damaged(err)
	}
	if line.Tables, err = parseTables(fields[4]); err != nil {
		return Line{}, damaged(err)
	}
	line.Program = fields[5]
	if kind == Split {
		moves := strings.Split(fields[6], ",")
		if want := len(g.Successors(nil, line.Position)); len(moves) != want {
			return Line{}, fmt.Errorf("%w: it has numbers of %d moves, want %d", ErrDamaged, len(moves), want)
		}
		for _, move := range moves {
			var n Numbers
			if _, err := fmt.Sscanf(move, "%d/%d", &n.Yes, &n.No); err != nil {
				return Line{}, damaged(err)
			}
			line.Moves = append(line.Moves, n)
		}
	}
	return line, nil
}

// newQuestion returns the question whether the score of a position with so many beans is
// at least bound, as the search asks it: beyond the beans all bounds are alike, and with an
// even number of beans scores are even, so odd bounds are raised.
func newQuestion(p game.Position, beans, bound int) search.Question {
	bound = min(max(bound, -beans), beans+1)
	if beans%2 == 0 && bound%2 != 0 {
		bound++
	}
	return search.Question{Position: p, Bound: int8(bound)}
}
