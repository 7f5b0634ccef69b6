package console

import (
	"time"
)

// Where there is no bar, work that takes long gets a line after firstLine and then one
// every nextLine.
const (
	firstLine = 10 * time.Second
	nextLine  = 30 * time.Second
)

// progress tells on standard error how far a piece of work is: by a bar on a terminal,
// else by a line now and then.
type progress struct {
	Console
	quiet bool
	bar   *Bar
	due   time.Time // of the next line
}

func newProgress(c Console, quiet bool) progress {
	return progress{Console: c, quiet: quiet, bar: NewBar(c, quiet), due: time.Now().Add(firstLine)}
}

// Show draws the bar, or writes a line if it is time. Part is from 0 to 1.
func (p *progress) Show(now time.Time, part float64, text func() string) {
	switch {
	case p.bar != nil:
		p.bar.Show(part, text)
	case !p.quiet && !now.Before(p.due):
		p.due = now.Add(nextLine)
		p.Note("%s", text())
	}
}

// line writes a line above the bar, unless quiet is wanted.
func (p *progress) line(format string, args ...any) {
	if p.quiet {
		return
	}
	p.bar.Clear()
	p.Note(format, args...)
}
