package format

import (
	"github.com/klauspost/compress/huff0"
)

// scratch is the memory that coding one block takes.
type scratch struct {
	huff0   huff0.Scratch
	symbols []byte // one a position, and MarksMargin
	free    []bool // one a position
	places  []byte // one a position
	marks   []byte // one a position, and MarksMargin
	packed  []byte
	large   []byte
	prediction
	shortlists
}
