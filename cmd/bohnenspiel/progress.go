package main

import "time"

// Where there is no bar, work that takes long gets a line after firstLine and then one
// every nextLine.
const (
	firstLine = 10 * time.Second
	nextLine  = 30 * time.Second
)

// progress tells on standard error how far a piece of work is: by a bar on a terminal,
// else by a line now and then.
type progress struct {
	console
	quiet bool
	bar   *bar
	due   time.Time // of the next line
}

func newProgress(c console, quiet bool) progress {
	return progress{console: c, quiet: quiet, bar: newBar(c, quiet), due: time.Now().Add(firstLine)}
}

// show draws the bar, or writes a line if it is time. Part is from 0 to 1.
func (p *progress) show(now time.Time, part float64, text func() string) {
	switch {
	case p.bar != nil:
		p.bar.show(part, text)
	case !p.quiet && !now.Before(p.due):
		p.due = now.Add(nextLine)
		p.note("%s", text())
	}
}

// line writes a line above the bar, unless quiet is wanted.
func (p *progress) line(format string, args ...any) {
	if p.quiet {
		return
	}
	p.bar.clear()
	p.note(format, args...)
}
