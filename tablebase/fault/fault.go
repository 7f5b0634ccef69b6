// Package fault groups errors by who has to act on them.
//
// The packages below tablebase make their sentinel errors by [New], which gives each a
// [Class]. A command maps the class of an error to its exit status, a server to an HTTP
// status, and neither has to know the errors one by one.
package fault

import (
	"errors"

	"bohnenspiel/solver/game"
)

// Class says who has to act on an error.
type Class uint8

// The classes, in the order of precedence: where an error wraps several, the last counts.
const (
	// Other is any other error, such as a cancelled context.
	Other Class = iota
	// Usage is a question that has no meaning: a bad position, unknown rules.
	Usage
	// Unanswered is a question that cannot be answered as things are. The message says
	// what would help.
	Unanswered
	// BadData is a database, a file or a certificate that cannot be trusted.
	BadData
)

// String returns "other", "usage", "unanswered" or "bad data".
func (c Class) String() string {
	return [...]string{"other", "usage", "unanswered", "bad data"}[c]
}

// sentinel is an error that belongs to a class.
type sentinel struct {
	class Class
	text  string
}

// Error returns the text.
func (s *sentinel) Error() string { return s.text }

// New returns an error of a class, to be compared by errors.Is. No two are the same.
func New(class Class, text string) error { return &sentinel{class, text} }

// ClassOf returns the class of an error that wraps errors made by New, or errors of
// package game, which are of class Usage.
func ClassOf(err error) Class {
	class := Other
	for _, usage := range []error{game.ErrRules, game.ErrWidth, game.ErrPosition, game.ErrMove} {
		if errors.Is(err, usage) {
			class = Usage
		}
	}
	return max(class, classOf(err))
}

// classOf returns the class of an error that wraps errors made by New.
func classOf(err error) Class {
	class := Other
	switch e := err.(type) { //nolint:errorlint // it looks at each error of the tree
	case *sentinel:
		class = e.class
	case interface{ Unwrap() error }:
		class = classOf(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, wrapped := range e.Unwrap() {
			class = max(class, classOf(wrapped))
		}
	}
	return class
}
