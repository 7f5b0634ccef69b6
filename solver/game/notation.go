package game

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// ParseDiagram reads a position in any of its written forms:
//
//	6-6-6-6-6-6-6-6-6-6-6-6-0-0-S              the form that String prints
//	6,6,6,6,6,6,6,6,6,6,6,6,0,0,S              commas, blanks or both for dashes
//	0 2 1 1 1 1 / 3 3 3 1 0 0                  two rows, stores empty
//	0 2 1 1 1 1 / 3 3 3 1 0 0 / 26 30 S        rows, South's and North's store
//	0 2 1 1 1 1 / 3 3 3 1 0 0 / 26 30 / north  the side in a part of its own
//
// Without slashes the fields are pits 1 to 2w, South's store and North's store.
// Both stores must be there: 12 numbers could otherwise be a 2×6 board without
// stores as well as a 2×5 board with them. With slashes they are South's pits
// from his left, North's pits from his left, and the stores, which may be missing.
// Either form may end with the side to move: S, N, South or North in upper or
// lower case. It is South if nothing is said.
//
// The width follows from the number of fields if width is 0; otherwise the number
// of fields must fit the width. A text that is no position gives an error of one
// line that wraps ErrPosition; a width that no board has, one that wraps ErrWidth.
// Stores and pits together hold at most MaxBeans.
func ParseDiagram(text string, width int) (Diagram, error) {
	if width != 0 && (width < MinWidth || width > MaxWidth) {
		return Diagram{}, widthError(width)
	}
	parts := splitFields(text)
	side, parts, err := cutSide(parts, width)
	if err != nil {
		return Diagram{}, err
	}
	var pits, stores []field
	if len(parts) == 1 {
		pits, stores, width, err = splitList(parts[0], width)
	} else {
		pits, stores, width, err = splitParts(parts, width)
	}
	if err != nil {
		return Diagram{}, err
	}
	return assemble(pits, stores, width, side)
}

// String returns d in its canonical form: the beans of pits 1 to 2w, South's
// store, North's store and the side to move, such as
// 0-2-1-1-1-1-3-3-3-1-0-0-26-30-S.
func (d Diagram) String() string {
	text := make([]byte, 0, 64)
	for _, row := range d.Rows {
		for pit := range d.Width {
			text = strconv.AppendInt(text, int64(row.Pit(pit)), 10)
			text = append(text, '-')
		}
	}
	for _, beans := range d.Stores {
		text = strconv.AppendInt(text, int64(beans), 10)
		text = append(text, '-')
	}
	return string(append(text, d.ToMove.String()[0]))
}

// field is a piece of text between two separators.
type field struct {
	number int // its place in the whole text, counted from 1
	text   string
	beans  int // its value if it is a number of beans, else −1
}

// huge stands for all numbers of beans that are larger.
const huge = 1_000_000

// newField reads the digits of a field.
func newField(number int, text string) field {
	f := field{number: number, text: text, beans: -1}
	if text == "" {
		return f
	}
	beans := 0
	for _, digit := range []byte(text) {
		if digit < '0' || digit > '9' {
			return f
		}
		beans = min(10*beans+int(digit-'0'), huge)
	}
	f.beans = beans
	return f
}

// errorf returns an error that names the field.
func (f field) errorf(format string, args ...any) error {
	text := f.text
	const most = 20 // bytes that a message repeats
	if len(text) > most {
		text = text[:most] + "..."
	}
	return fmt.Errorf("%w: field %d %q %s", ErrPosition, f.number, text, fmt.Sprintf(format, args...))
}

// splitFields cuts a text into parts at slashes, and the parts into fields at
// dashes, commas and blanks. A dash before a digit is a minus sign, and part of the
// field, where no field stands before it. Blanks around other separators mean
// nothing. There is at least one part, and a part may be empty.
func splitFields(text string) [][]field {
	parts := [][]field{nil}
	number := 0
	add := func(text string) {
		number++
		last := &parts[len(parts)-1]
		*last = append(*last, newField(number, text))
	}
	due := false // a dash or comma has promised a field
	rest := strings.TrimSpace(text)
	for rest != "" {
		switch {
		case rest[0] == '/':
			if due {
				add("")
			}
			due = false
			parts = append(parts, nil)
			rest = rest[1:]
		case rest[0] == ',' || rest[0] == '-' && !signed(rest):
			add("")
			due = true
			rest = rest[1:]
		default:
			end := fieldEnd(rest)
			add(rest[:end])
			gap := strings.TrimLeftFunc(rest[end:], unicode.IsSpace)
			due = gap != "" && (gap[0] == ',' || gap[0] == '-' && (len(gap) == len(rest)-end || !signed(gap)))
			if due {
				gap = gap[1:]
			}
			rest = gap
		}
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
	}
	if due {
		add("")
	}
	return parts
}

// signed reports whether a text that begins with a dash begins with a negative
// number.
func signed(text string) bool {
	return len(text) > 1 && text[1] >= '0' && text[1] <= '9'
}

// fieldEnd returns the length of the field that a text begins with. A dash in
// front belongs to it.
func fieldEnd(text string) int {
	end := strings.IndexFunc(text[1:], func(r rune) bool {
		return r == '-' || r == ',' || r == '/' || unicode.IsSpace(r)
	})
	if end < 0 {
		return len(text)
	}
	return end + 1
}

// cutSide takes the side to move off the end of the parts, South if none is said,
// and checks that all other fields are numbers of beans. A part that held the side
// alone goes as well. Width is that of the board, or 0.
func cutSide(parts [][]field, width int) (Side, [][]field, error) {
	tail := &parts[len(parts)-1]
	side, said := South, false
	if len(*tail) > 0 {
		side, said = parseSide((*tail)[len(*tail)-1].text)
	}
	if said {
		*tail = (*tail)[:len(*tail)-1]
	}
	fields := 0
	for _, part := range parts {
		fields += len(part)
	}
	for _, part := range parts {
		for _, f := range part {
			switch {
			case f.beans >= 0:
			case f.text == "":
				return 0, nil, f.errorf("is empty: want a number of beans between two separators")
			case f.text[0] == '-':
				return 0, nil, f.errorf("is negative: want a number of beans, 0 or more")
			case said || f.number < fields:
				return 0, nil, f.errorf("is not a number of beans")
			case endsWithSide(parts, width):
				return 0, nil, f.errorf("is not a side: want S or N")
			default:
				return 0, nil, f.errorf("is neither a number of beans nor a side, S or N")
			}
		}
	}
	if said && len(*tail) == 0 && len(parts) > 1 {
		parts = parts[:len(parts)-1]
	}
	return side, parts, nil
}

// parseSide reads a side by its name or its first letter.
func parseSide(text string) (side Side, ok bool) {
	for _, side := range []Side{South, North} {
		if name := side.String(); strings.EqualFold(text, name) || strings.EqualFold(text, name[:1]) {
			return side, true
		}
	}
	return 0, false
}

// endsWithSide reports whether the number of fields is one where the last field
// has to be the side to move.
func endsWithSide(parts [][]field, width int) bool {
	fields := len(parts[len(parts)-1])
	switch {
	case len(parts) == 1 && width == 0:
		return fields%2 == 1 && fields > 4
	case len(parts) == 1:
		return fields == 2*width+3
	case len(parts) == 2:
		return fields == len(parts[0])+1
	default:
		return fields == 3 || fields == 1
	}
}

// splitList tells the pits from the stores where the fields are one long list.
func splitList(fields []field, width int) (pits, stores []field, w int, err error) {
	if len(fields) == 0 {
		return nil, nil, 0, fmt.Errorf("%w: it is empty: want pits, stores and side, such as 6-6-6-6-6-6-6-6-6-6-6-6-0-0-S", ErrPosition)
	}
	if width == 0 {
		width = (len(fields) - 2) / 2
		if len(fields)%2 == 1 || width < MinWidth || width > MaxWidth {
			return nil, nil, 0, fmt.Errorf("%w: it has %s: want two for each pit of a side and two for the stores, 14 on a 2×6 board",
				ErrPosition, count(len(fields), "number"))
		}
	}
	if len(fields) != 2*width+2 {
		return nil, nil, 0, fmt.Errorf("%w: it has %s: want %d on a 2×%d board, %d for pits and 2 for stores",
			ErrPosition, count(len(fields), "number"), 2*width+2, width, 2*width)
	}
	return fields[:2*width], fields[2*width:], width, nil
}

// splitParts tells the pits from the stores where the fields are in two or three
// parts.
func splitParts(parts [][]field, width int) (pits, stores []field, w int, err error) {
	if len(parts) > 3 {
		return nil, nil, 0, fmt.Errorf("%w: it has %d parts between slashes: want South's pits / North's pits / stores / side", ErrPosition, len(parts))
	}
	south, north := parts[0], parts[1]
	if width == 0 {
		width = len(south)
		if width < MinWidth || width > MaxWidth {
			return nil, nil, 0, fmt.Errorf("%w: South has %s: want %d to %d", ErrPosition, count(width, "pit"), MinWidth, MaxWidth)
		}
	}
	for i, row := range [2][]field{south, north} {
		if len(row) != width {
			return nil, nil, 0, fmt.Errorf("%w: %s has %s: want %d on a 2×%d board", ErrPosition, Side(i), count(len(row), "pit"), width, width)
		}
	}
	if len(parts) == 3 {
		stores = parts[2]
	}
	if len(stores) != 0 && len(stores) != 2 {
		return nil, nil, 0, fmt.Errorf("%w: it has %s: want 2, South's and North's", ErrPosition, count(len(stores), "store"))
	}
	return append(append(make([]field, 0, 2*width), south...), north...), stores, width, nil
}

// assemble makes a diagram of 2·width pits and no or two stores. It checks that
// there are no more beans than the board has.
func assemble(pits, stores []field, width int, side Side) (Diagram, error) {
	d := Diagram{Width: width, ToMove: side}
	most := MaxBeans(width)
	all := 0
	for _, fields := range [2][]field{pits, stores} {
		for _, f := range fields {
			if f.beans > most {
				return Diagram{}, f.errorf("is too many: a 2×%d board has at most %d beans", width, most)
			}
			all += f.beans
			if all > most {
				return Diagram{}, f.errorf("makes %d beans in all: a 2×%d board has at most %d, stores included", all, width, most)
			}
		}
	}
	for i, f := range pits {
		d.Rows[i/width] |= Row(f.beans) << shift(i%width)
	}
	for i, f := range stores {
		d.Stores[i] = f.beans
	}
	return d, nil
}

// count returns a number with its noun, in the plural unless it is one.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
