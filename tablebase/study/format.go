package study

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Format writes studies in the form that Parse reads: tags in a fixed order, an empty
// line, and moves in lines of at most 80 characters where words allow it. What Parse
// reads of it is the same, and written again gives the same bytes.
//
// It writes nothing, and returns an error, where a study can't be written: a control
// character in a tag, a brace that would end a comment, a variation without moves, more
// than 20,000 moves.
func Format(w io.Writer, studies []Study) error {
	var text bytes.Buffer
	for i, s := range studies {
		if err := formatSection(&text, i, s.tags(), s.Solution); err != nil {
			return fmt.Errorf("study %d: %w", i+1, err)
		}
	}
	_, err := w.Write(text.Bytes())
	return err
}

// FormatGames writes games in the form that ParseGames reads, as Format does.
func FormatGames(w io.Writer, games []Game) error {
	var text bytes.Buffer
	for i, g := range games {
		if err := formatSection(&text, i, g.tags(), g.Moves); err != nil {
			return fmt.Errorf("game %d: %w", i+1, err)
		}
	}
	_, err := w.Write(text.Bytes())
	return err
}

// formatSection adds a section, the i-th of its file.
func formatSection(text *bytes.Buffer, i int, tags []Tag, moves Movetext) error {
	if i > 0 {
		text.WriteByte('\n')
	}
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	for _, tag := range tags {
		if !isTagName(tag.Name) || !utf8.ValidString(tag.Value) || strings.ContainsFunc(tag.Value, unicode.IsControl) {
			return fmt.Errorf("tag %q can't be written: its name has letters, digits and _, its value no control characters", tag.Name)
		}
		fmt.Fprintf(text, "[%s \"%s\"]\n", tag.Name, escape.Replace(tag.Value))
	}
	text.WriteByte('\n')
	words, err := moves.words()
	if err != nil {
		return err
	}
	wrap(text, words)
	return nil
}

// Text returns a movetext as files have it, in one line. The error is that of Format.
func (t Movetext) Text() (string, error) {
	words, err := t.words()
	return strings.Join(words, " "), err
}

// words returns the words of the movetext of a section.
func (t Movetext) words() ([]string, error) {
	if err := t.writable(); err != nil {
		return nil, err
	}
	if t.size() > maxMoves {
		return nil, fmt.Errorf("more than %d moves can't be written", maxMoves)
	}
	words := movetextWords(nil, t)
	if len(t.Moves) == 0 {
		words = append(words, "*")
	}
	return words, nil
}

// writableComment reports why a comment can't be written, as an error, or nil.
func writableComment(comment string) error {
	control := func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }
	if strings.Contains(comment, "}") || !utf8.ValidString(comment) || strings.ContainsFunc(comment, control) {
		return fmt.Errorf("comment %q can't be written: it holds a } or a control character", comment)
	}
	return nil
}

// movetextWords appends the words of a movetext, between which lines may break.
func movetextWords(words []string, t Movetext) []string {
	words = commentWords(words, t.Comment)
	for _, m := range t.Moves {
		words = append(words, m.String())
		words = commentWords(words, m.Comment)
		for _, v := range m.Variations {
			first := len(words)
			words = movetextWords(words, v)
			words[first] = "(" + words[first]
			words[len(words)-1] += ")"
		}
	}
	return words
}

// commentWords appends the words of a comment in braces.
func commentWords(words []string, comment string) []string {
	said := strings.Fields(comment)
	if len(said) == 0 {
		return words
	}
	said[0] = "{" + said[0]
	said[len(said)-1] += "}"
	return append(words, said...)
}

// wrap writes words in lines of at most 80 characters, except for longer words.
func wrap(text *bytes.Buffer, words []string) {
	const most = 80
	length := 0
	for i, word := range words {
		size := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case length+1+size > most:
			text.WriteByte('\n')
			length = 0
		default:
			text.WriteByte(' ')
			length++
		}
		text.WriteString(word)
		length += size
	}
	text.WriteByte('\n')
}
