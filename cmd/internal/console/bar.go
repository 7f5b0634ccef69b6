package console

import (
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// barSteps is the number of steps of a full bar. A bar stops for good at the last
// step, so it is never shown.
const barSteps = 10_000

// Columns of the bar alone, and of all that stands before the text.
const (
	barColumns    = 10
	beforeColumns = barColumns + 10
)

// barPause is the time between two pictures of a bar.
const barPause = 65 * time.Millisecond

// Bar is a progress bar on the last line of a terminal. A nil bar shows nothing.
type Bar struct {
	bar   *progressbar.ProgressBar
	file  *os.File
	shown time.Time
}

// NewBar returns a bar on standard error, or nil when that is no terminal or quiet
// is wanted.
func NewBar(c Console, quiet bool) *Bar {
	file, ok := c.terminal()
	if !ok || quiet {
		return nil
	}
	return &Bar{file: file, bar: progressbar.NewOptions(barSteps,
		progressbar.OptionSetWriter(file),
		progressbar.OptionSetWidth(barColumns),
		progressbar.OptionUseANSICodes(true),
		// The guess of the library swings with each phase of the work.
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionShowDescriptionAtLineEnd(),
	)}
}

// Show draws the bar, filled to the fraction done from 0 to 1, with a text behind as
// far as it fits the line, unless it was drawn a moment ago.
func (b *Bar) Show(done float64, text func() string) {
	if b == nil || time.Since(b.shown) < barPause {
		return
	}
	b.shown = time.Now()
	line := text()
	if columns, _, err := term.GetSize(int(b.file.Fd())); err == nil && columns > 0 {
		line = fit(line, columns-beforeColumns)
	}
	// A bar that can't be drawn is no reason to stop the work.
	b.bar.Describe(line)
	_ = b.bar.Set(min(int(done*barSteps), barSteps-1))
}

// fit leaves clauses out at the end of a text, from the last comma on, until it has at
// most the given number of characters or only one clause is left.
func fit(text string, most int) string {
	for utf8.RuneCountInString(text) > most {
		cut := strings.LastIndex(text, ", ")
		if cut < 0 {
			break
		}
		text = text[:cut]
	}
	return text
}

// Clear wipes the bar off the terminal, so that a line can be written there.
func (b *Bar) Clear() {
	if b != nil {
		_ = b.bar.Clear() // as in show
	}
}
