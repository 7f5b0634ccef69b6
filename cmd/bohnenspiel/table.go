package main

import (
	"strings"
	"text/tabwriter"
)

// table sets cells in columns that are aligned to the right.
type table struct {
	text   strings.Builder
	writer *tabwriter.Writer
}

func newTable() *table {
	t := &table{}
	t.writer = tabwriter.NewWriter(&t.text, 0, 0, 2, ' ', tabwriter.AlignRight)
	return t
}

// row adds a row of cells.
func (t *table) row(cells ...string) {
	// Writes to a string builder do not fail.
	_, _ = t.writer.Write([]byte(strings.Join(cells, "\t") + "\t\n"))
}

// String returns the table without blanks at the ends of lines.
func (t *table) String() string {
	_ = t.writer.Flush() // as in row
	lines := strings.Split(t.text.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
