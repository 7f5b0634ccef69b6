package study

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what a token is.
type kind uint8

const (
	tokenEnd     kind = iota // of the file
	tokenSign                // one of [ ] ( ) *
	tokenString              // "…", without quotes and backslashes
	tokenComment             // {…}, its words with single blanks
	tokenWord                // anything else up to a blank or a sign
)

// token is a piece of a file.
type token struct {
	kind  kind
	text  string
	place Place
}

// String describes the token in messages.
func (t token) String() string {
	switch t.kind {
	case tokenEnd:
		return "the end of the file"
	case tokenComment:
		return "a comment"
	default:
		text := t.text
		const most = 20 // characters that a message repeats
		if runes := []rune(text); len(runes) > most {
			text = string(runes[:most]) + "..."
		}
		return fmt.Sprintf("%q", text)
	}
}

// byteOrderMark may begin a file, and means nothing.
const byteOrderMark = "\ufeff"

// lexer cuts a text into tokens. A ; outside of strings and comments, and a % at the
// beginning of a line, hide the rest of their line.
type lexer struct {
	file  string
	rest  string
	place Place // of the first character of rest
}

func newLexer(file string, text []byte) *lexer {
	return &lexer{file: file, rest: strings.TrimPrefix(string(text), byteOrderMark), place: Place{Line: 1, Column: 1}}
}

// errorf returns an error at a place.
func (l *lexer) errorf(at Place, format string, args ...any) error {
	return &SyntaxError{File: l.file, Place: at, Err: fmt.Errorf(format, args...)}
}

// next returns the next token.
func (l *lexer) next() (token, error) {
	if err := l.skip(); err != nil {
		return token{}, err
	}
	t := token{place: l.place}
	if l.rest == "" {
		return t, nil
	}
	first, err := l.read()
	if err != nil {
		return t, err
	}
	switch first {
	case '[', ']', '(', ')', '*':
		t.kind, t.text = tokenSign, string(first)
	case '"':
		t.kind = tokenString
		t.text, err = l.quoted(t.place)
	case '{':
		t.kind = tokenComment
		t.text, err = l.comment(t.place)
	case '}':
		err = l.errorf(t.place, "a } without the { that begins a comment")
	default:
		t.kind = tokenWord
		t.text, err = l.word(first)
	}
	return t, err
}

// read returns the next character and goes past it. There must be one.
func (l *lexer) read() (rune, error) {
	r, size := utf8.DecodeRuneInString(l.rest)
	switch {
	case r == utf8.RuneError && size == 1:
		return 0, l.errorf(l.place, "byte %#02x is no text: save the file as UTF-8", l.rest[0])
	case unicode.IsControl(r) && !unicode.IsSpace(r):
		return 0, l.errorf(l.place, "%U is a control character", r)
	}
	l.rest = l.rest[size:]
	if l.place.Column++; r == '\n' {
		l.place = Place{Line: l.place.Line + 1, Column: 1}
	}
	return r, nil
}

// peek returns the next character, or 0 at the end of the file.
func (l *lexer) peek() rune {
	if l.rest == "" {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(l.rest)
	return r
}

// skip goes past blanks and hidden lines.
func (l *lexer) skip() error {
	for l.rest != "" {
		switch r := l.peek(); {
		case r == ';' || r == '%' && l.place.Column == 1:
			for l.rest != "" && l.peek() != '\n' {
				if _, err := l.read(); err != nil {
					return err
				}
			}
		case !unicode.IsSpace(r):
			return nil
		default:
			if _, err := l.read(); err != nil {
				return err
			}
		}
	}
	return nil
}

// quoted reads the rest of a string, after its first quote. A backslash stands
// before a quote or a backslash that belongs to the string.
func (l *lexer) quoted(start Place) (string, error) {
	var text strings.Builder
	for l.rest != "" && l.peek() != '\n' {
		at := l.place
		r, err := l.read()
		switch {
		case err != nil:
			return "", err
		case r == '"':
			return text.String(), nil
		case r == '\r' && l.peek() == '\n':
			return "", l.errorf(start, `the string has no closing " on its line`)
		case unicode.IsControl(r):
			return "", l.errorf(at, "%U is a control character", r)
		case r == '\\':
			if r = l.peek(); r != '"' && r != '\\' {
				return "", l.errorf(at, `a \ stands only before " or another \`)
			}
			if _, err := l.read(); err != nil {
				return "", err
			}
		}
		text.WriteRune(r)
	}
	return "", l.errorf(start, `the string has no closing " on its line`)
}

// comment reads the rest of a comment, after its brace. Its words come with single
// blanks between them.
func (l *lexer) comment(start Place) (string, error) {
	var text strings.Builder
	for l.rest != "" {
		r, err := l.read()
		if err != nil {
			return "", err
		}
		if r == '}' {
			return strings.Join(strings.Fields(text.String()), " "), nil
		}
		text.WriteRune(r)
	}
	return "", l.errorf(start, "the comment has no closing }")
}

// word reads the rest of a word.
func (l *lexer) word(first rune) (string, error) {
	var text strings.Builder
	text.WriteRune(first)
	for l.rest != "" {
		if r := l.peek(); unicode.IsSpace(r) || strings.ContainsRune(`[]()*{}";`, r) {
			break
		}
		r, err := l.read()
		if err != nil {
			return "", err
		}
		text.WriteRune(r)
	}
	return text.String(), nil
}
