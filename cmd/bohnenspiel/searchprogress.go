package main

import (
	"fmt"
	"time"

	"bohnenspiel/tablebase/proof"
)

// searchProgress tells on standard error how far a search is: a line on a terminal,
// else a line of its own now and then.
type searchProgress struct {
	progress
	began   time.Time
	visited uint64 // when the search began
	started bool
}

func newSearchProgress(c console, quiet bool) *searchProgress {
	return &searchProgress{progress: newProgress(c, quiet)}
}

// loading tells that a layer is being loaded.
func (p *searchProgress) loading(beans int, done, total uint64) {
	part := share(done, total)
	p.show(time.Now(), part, func() string { return fmt.Sprintf("layer %d: load (%s)", beans, portion(part)) })
}

// begin tells what the search works with.
func (p *searchProgress) begin(s *proof.Searcher) {
	p.bar.clear()
	p.began, p.due = time.Now(), time.Now().Add(firstLine)
	tables := "no tables"
	if s.Top() >= 0 {
		tables = fmt.Sprintf("tables of up to %s", things(s.Top(), "bean"))
	}
	p.line("searching with %s", tables)
	if s.Resumed() > 0 {
		p.line("going on from an earlier search, with %s", things(s.Resumed(), "position"))
	}
}

// report is the callback of the search.
func (p *searchProgress) report(s proof.Progress) {
	if !p.started {
		p.started, p.visited = true, s.Visited
		p.began = time.Now()
		return
	}
	p.show(time.Now(), share(uint64(s.Decided), uint64(s.Moves)), func() string {
		return fmt.Sprintf("score %s to %s, at least %s? %d of %s decided, %s visited, %s, table %s full",
			signed(s.Bounds.Low), signed(s.Bounds.High), signed(s.Asked), s.Decided, things(s.Moves, "move"),
			count(s.Visited), rate(s.Visited-p.visited, time.Since(p.began)), portion(s.Fill))
	})
}

// end clears the line.
func (p *searchProgress) end() { p.bar.clear() }
