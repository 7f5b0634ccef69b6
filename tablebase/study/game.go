package study

import (
	"fmt"
	"strconv"
	"strings"

	"bohnenspiel/solver/game"
)

// Game is a position and the moves that were played from it.
type Game struct {
	Tags    []Tag // but Rules, Position and Result, in the order of the file
	Rules   game.Rules
	Diagram game.Diagram // the start of the game if no position is given
	Result  *Result      // nil if not known
	Moves   Movetext
	Place   Place // of its first tag, in the file that it was read from
}

// Result is what the stores hold when a game has ended.
type Result struct {
	South, North int
}

// String returns South's beans, a dash, and North's.
func (r Result) String() string { return fmt.Sprintf("%d-%d", r.South, r.North) }

// Tag returns the value of a tag of the game, or "".
func (g Game) Tag(name string) string {
	for _, tag := range g.Tags {
		if tag.Name == name {
			return tag.Value
		}
	}
	return ""
}

// ParseGames reads a file of games. Rules are those of Bohnenspiel unless said, and
// a game without a position begins with six beans in each pit of a 2×6 board. Any
// other tags are kept. The name is for errors, which are all of type *SyntaxError.
func ParseGames(name string, text []byte) ([]Game, error) {
	sections, err := readSections(name, text)
	if err != nil {
		return nil, err
	}
	games := make([]Game, len(sections))
	for i, s := range sections {
		if games[i], err = parseGame(name, s); err != nil {
			return nil, err
		}
	}
	return games, nil
}

func parseGame(file string, s section) (Game, error) {
	g := Game{Moves: s.moves, Place: s.place}
	for _, tag := range s.tags {
		var err error
		switch tag.Name {
		case "Rules":
			g.Rules, err = game.ParseRules(tag.Value)
		case "Position":
			g.Diagram, err = game.ParseDiagram(tag.Value, 0)
		case "Result":
			g.Result, err = parseResult(tag.Value)
		default:
			g.Tags = append(g.Tags, tag.Tag)
		}
		if err != nil {
			return g, &SyntaxError{File: file, Place: tag.value, Err: err}
		}
	}
	if g.Diagram.Width > 0 {
		return g, nil
	}
	board, err := game.New(g.Rules, game.StandardWidth)
	if err != nil {
		return g, &SyntaxError{File: file, Place: s.place, Err: err}
	}
	const beansPerPit = 6 // rule 1
	g.Diagram = board.StartDiagram(beansPerPit)
	return g, nil
}

// parseResult reads what both stores hold, such as 46-26, or * for a game that has no
// end.
func parseResult(text string) (*Result, error) {
	if text == "*" {
		return nil, nil
	}
	south, north, dash := strings.Cut(text, "-")
	most := uint64(game.MaxBeans(game.MaxWidth))
	s, southErr := strconv.ParseUint(strings.TrimSpace(south), 10, 8)
	n, northErr := strconv.ParseUint(strings.TrimSpace(north), 10, 8)
	if !dash || southErr != nil || northErr != nil || s+n > most {
		return nil, fmt.Errorf("bad result %q: want South's and North's beans at the end, such as 46-26, or *", text)
	}
	return &Result{South: int(s), North: int(n)}, nil
}

// tags returns the tags in the order in which they are written.
func (g Game) tags() []Tag {
	all := append([]Tag(nil), g.Tags...)
	all = append(all, Tag{"Rules", g.Rules.String()}, Tag{"Position", g.Diagram.String()})
	if g.Result != nil {
		all = append(all, Tag{"Result", g.Result.String()})
	}
	return all
}
