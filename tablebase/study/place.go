package study

import (
	"errors"
	"fmt"
)

// ErrSyntax is returned when a text is not a file of studies or games. The error
// is a [*SyntaxError], which may wrap errors of package game as well.
var ErrSyntax = errors.New("not a study")

// Place is a place in a text. Lines and columns are counted from 1, columns in
// characters. The zero Place stands for none.
type Place struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// SyntaxError says what is wrong in a text, and where.
type SyntaxError struct {
	File string // as it was given to the parser
	Place
	Err error
}

// Error returns file, line, column and what is wrong, as in
// "endings.study:12:5: a move is a pit's number from 1 to 18".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Column, e.Err)
}

// Unwrap returns ErrSyntax and the error beneath.
func (e *SyntaxError) Unwrap() []error { return []error{ErrSyntax, e.Err} }
