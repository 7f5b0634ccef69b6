package study

import (
	"errors"
	"fmt"

	"bohnenspiel/solver/game"
)

// Study is a composed position with a claim and the composer's solution.
type Study struct {
	Title, Author, Source string // empty if not given
	Rules                 game.Rules
	Diagram               game.Diagram
	Stipulation           Stipulation
	Solution              Movetext // may stop anywhere, or have no moves
	Place                 Place    // of its first tag, in the file that it was read from
}

// Parse reads a file of studies. The name is for errors, which are all of type
// *SyntaxError.
func Parse(name string, text []byte) ([]Study, error) {
	sections, err := readSections(name, text)
	if err != nil {
		return nil, err
	}
	studies := make([]Study, len(sections))
	for i, s := range sections {
		if studies[i], err = parseStudy(name, s); err != nil {
			return nil, err
		}
	}
	return studies, nil
}

func parseStudy(file string, s section) (Study, error) {
	study := Study{Solution: s.moves, Place: s.place}
	var position, stipulation bool
	for _, tag := range s.tags {
		var err error
		at := tag.value
		switch tag.Name {
		case "Title":
			study.Title = tag.Value
		case "Author":
			study.Author = tag.Value
		case "Source":
			study.Source = tag.Value
		case "Rules":
			study.Rules, err = game.ParseRules(tag.Value)
		case "Position":
			position = true
			study.Diagram, err = game.ParseDiagram(tag.Value, 0)
		case "Stipulation":
			stipulation = true
			study.Stipulation, err = ParseStipulation(tag.Value)
		default:
			at = tag.name
			err = fmt.Errorf("unknown tag %s: a study has Title, Author, Source, Rules, Position and Stipulation", tag.Name)
		}
		if err != nil {
			return study, &SyntaxError{File: file, Place: at, Err: err}
		}
	}
	var err error
	switch {
	case !position:
		err = errors.New("the study has no tag Position")
	case !stipulation:
		err = errors.New("the study has no tag Stipulation")
	}
	if err != nil {
		return study, &SyntaxError{File: file, Place: s.place, Err: err}
	}
	return study, nil
}

// tags returns the tags in the order in which they are written. Those that say
// nothing are left out.
func (s Study) tags() []Tag {
	all := []Tag{{"Title", s.Title}, {"Author", s.Author}, {"Source", s.Source}}
	given := all[:0]
	for _, tag := range all {
		if tag.Value != "" {
			given = append(given, tag)
		}
	}
	return append(given, Tag{"Rules", s.Rules.String()}, Tag{"Position", s.Diagram.String()}, Tag{"Stipulation", s.Stipulation.String()})
}
