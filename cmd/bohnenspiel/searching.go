package main

import (
	"fmt"
	"time"

	"bohnenspiel/tablebase/proof"
)

// searchProgress tells on standard error how far a search is: a line on a terminal,
// else a line of its own now and then.
type searchProgress struct {
	console
	quiet   bool
	bar     *bar
	began   time.Time
	due     time.Time
	visited uint64 // when the search began
	started bool
}

func newSearchProgress(c console, quiet bool) *searchProgress {
	return &searchProgress{console: c, quiet: quiet, bar: newBar(c, quiet), due: time.Now().Add(firstLine)}
}

// loading tells that a layer is being loaded.
func (p *searchProgress) loading(beans int, done, total uint64) {
	part := float64(done) / float64(max(total, 1))
	p.tell(part, func() string { return fmt.Sprintf("layer %d: load (%s)", beans, portion(part)) })
}

// begin tells what the search works with.
func (p *searchProgress) begin(s *proof.Searcher) {
	p.bar.clear()
	p.began, p.due = time.Now(), time.Now().Add(firstLine)
	if p.quiet {
		return
	}
	tables := "no tables"
	if s.Top() >= 0 {
		tables = fmt.Sprintf("tables of up to %s", things(uint64(s.Top()), "bean"))
	}
	p.note("searching with %s", tables)
	if s.Resumed() > 0 {
		p.note("going on from an earlier search, with %s", things(uint64(s.Resumed()), "position"))
	}
}

// Report is the callback of the search.
func (p *searchProgress) report(s proof.Progress) {
	if !p.started {
		p.started, p.visited = true, s.Visited
		p.began = time.Now()
		return
	}
	p.tell(float64(s.Decided)/float64(max(s.Moves, 1)), func() string {
		return fmt.Sprintf("score %s to %s, at least %s? %d of %s decided, %s visited, %s, table %s full",
			signed(int64(s.Bounds.Low)), signed(int64(s.Bounds.High)), signed(int64(s.Asked)), s.Decided, things(uint64(s.Moves), "move"),
			count(s.Visited), rate(s.Visited-p.visited, time.Since(p.began)), portion(s.Fill))
	})
}

// tell shows a line on a terminal, or writes it if it is time.
func (p *searchProgress) tell(part float64, text func() string) {
	switch {
	case p.quiet:
	case p.bar != nil:
		p.bar.show(part, text)
	case !time.Now().Before(p.due):
		p.due = time.Now().Add(nextLine)
		p.note("%s", text())
	}
}

// end clears the line.
func (p *searchProgress) end() { p.bar.clear() }
