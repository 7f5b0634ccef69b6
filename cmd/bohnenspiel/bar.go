package main

import (
	"time"

	"github.com/schollz/progressbar/v3"
)

// barSteps is the number of steps of a full bar. A bar stops for good at the last
// step, so it is never shown.
const barSteps = 10_000

// bar is a progress bar on the last line of a terminal. A nil bar shows nothing.
type bar struct{ bar *progressbar.ProgressBar }

// newBar returns a bar on standard error, or nil when that is no terminal or quiet
// is wanted.
func newBar(c console, quiet bool) *bar {
	file, ok := c.terminal()
	if !ok || quiet {
		return nil
	}
	return &bar{progressbar.NewOptions(barSteps,
		progressbar.OptionSetWriter(file),
		progressbar.OptionSetWidth(24),
		progressbar.OptionThrottle(65*time.Millisecond),
		progressbar.OptionUseANSICodes(true),
		// The guess of the library swings with each phase of the work.
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionShowDescriptionAtLineEnd(),
	)}
}

// show draws the bar, filled to the fraction done from 0 to 1, with a text behind.
func (b *bar) show(done float64, text string) {
	if b == nil {
		return
	}
	// A bar that can't be drawn is no reason to stop the work.
	_ = b.bar.Set(min(int(done*barSteps), barSteps-1))
	b.bar.Describe(text)
}

// clear wipes the bar off the terminal, so that a line can be written there.
func (b *bar) clear() {
	if b != nil {
		_ = b.bar.Clear() // as in show
	}
}
