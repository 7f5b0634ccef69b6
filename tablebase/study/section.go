package study

// Tag is a name and what it is said to be, such as [Author "…"].
type Tag struct {
	Name, Value string
}

// section is a part of a file: tags and the moves that follow them.
type section struct {
	place Place // of the first tag
	tags  []sectionTag
	moves Movetext
}

// sectionTag is a tag and its places.
type sectionTag struct {
	Tag
	name, value Place
}

const (
	maxNesting = 100    // how deep variations may lie in each other
	maxMoves   = 20_000 // how many moves a section may have, variations included
)

// reader makes sections of tokens.
type reader struct {
	*lexer
	token token // the next one
	moves int   // in the section so far
}

// readSections reads all sections of a file.
func readSections(file string, text []byte) ([]section, error) {
	r := reader{lexer: newLexer(file, text)}
	if err := r.advance(); err != nil {
		return nil, err
	}
	var all []section
	for r.token.kind != tokenEnd {
		s, err := r.section()
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// advance takes the next token.
func (r *reader) advance() (err error) {
	r.token, err = r.next()
	return err
}

// at reports whether the next token is a sign.
func (r *reader) at(sign string) bool { return r.token.kind == tokenSign && r.token.text == sign }

// want takes a token that has to come.
func (r *reader) want(k kind, text, what string) (token, error) {
	t := r.token
	if t.kind != k || text != "" && t.text != text {
		return t, r.errorf(t.place, "want %s, not %v", what, t)
	}
	return t, r.advance()
}

func (r *reader) section() (section, error) {
	s := section{place: r.token.place}
	if !r.at("[") {
		return s, r.errorf(r.token.place, "want a tag such as [Title \"…\"], not %v", r.token)
	}
	for r.at("[") {
		t, err := r.tag()
		if err != nil {
			return s, err
		}
		for _, other := range s.tags {
			if other.Name == t.Name {
				return s, r.errorf(t.name, "tag %s was given in line %d; moves, or a * for none, have to come before the next tags", t.Name, other.name.Line)
			}
		}
		s.tags = append(s.tags, t)
	}
	var err error
	r.moves = 0
	if s.moves, err = r.movetext(0); err != nil {
		return s, err
	}
	switch {
	case r.at("*"):
		return s, r.advance()
	case r.at("[") || r.token.kind == tokenEnd:
		return s, nil
	case r.at(")"):
		return s, r.errorf(r.token.place, "a ) without the ( that begins a variation")
	case r.at("("):
		return s, r.errorf(r.token.place, "a variation stands behind the move that it replaces; there is none")
	default:
		return s, r.errorf(r.token.place, "want a move, not %v", r.token)
	}
}

// tag reads a name and a string in brackets.
func (r *reader) tag() (sectionTag, error) {
	if err := r.advance(); err != nil { // the bracket
		return sectionTag{}, err
	}
	name, err := r.want(tokenWord, "", "the name of a tag")
	if err != nil {
		return sectionTag{}, err
	}
	if !isTagName(name.text) {
		return sectionTag{}, r.errorf(name.place, "%v is no name of a tag: want letters, digits and _, a letter first", name)
	}
	value, err := r.want(tokenString, "", "a string in double quotes")
	if err != nil {
		return sectionTag{}, err
	}
	_, err = r.want(tokenSign, "]", "]")
	return sectionTag{Tag: Tag{Name: name.text, Value: value.text}, name: name.place, value: value.place}, err
}

func isTagName(name string) bool {
	for i, r := range name {
		letter := r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		if !letter && (i == 0 || r != '_' && (r < '0' || r > '9')) {
			return false
		}
	}
	return name != ""
}

// movetext reads moves until something else comes.
func (r *reader) movetext(depth int) (Movetext, error) {
	var t Movetext
	for {
		var err error
		switch last := len(t.Moves) - 1; {
		case r.token.kind == tokenWord:
			if r.moves++; r.moves > maxMoves {
				return t, r.errorf(r.token.place, "there are more than %d moves before the next tags", maxMoves)
			}
			var m Move
			if m, err = parseMove(r.lexer, r.token); err == nil {
				t.Moves = append(t.Moves, m)
				err = r.advance()
			}
		case r.token.kind == tokenComment:
			said := &t.Comment
			if last >= 0 {
				said = &t.Moves[last].Comment
			}
			addComment(said, r.token.text)
			err = r.advance()
		case r.at("(") && last >= 0:
			var v Movetext
			if v, err = r.variation(depth + 1); err == nil {
				t.Moves[last].Variations = append(t.Moves[last].Variations, v)
			}
		default:
			return t, nil
		}
		if err != nil {
			return t, err
		}
	}
}

// variation reads a movetext in parentheses.
func (r *reader) variation(depth int) (Movetext, error) {
	open := r.token.place
	if depth > maxNesting {
		return Movetext{}, r.errorf(open, "variations lie more than %d deep in each other", maxNesting)
	}
	if err := r.advance(); err != nil { // the parenthesis
		return Movetext{}, err
	}
	v, err := r.movetext(depth)
	switch {
	case err != nil:
		return v, err
	case r.token.kind == tokenEnd:
		return v, r.errorf(open, "the variation has no closing )")
	case len(v.Moves) == 0:
		return v, r.errorf(r.token.place, "want a move, not %v", r.token)
	}
	_, err = r.want(tokenSign, ")", "a move or )")
	return v, err
}
