package console

import (
	"fmt"
	"time"

	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/tablebase/proof"
)

// Search tells on standard error how far a search is: a line on a terminal,
// else a line of its own now and then.
type Search struct {
	progress
	began   time.Time
	visited uint64 // when the search began
	started bool
}

// NewSearch returns what tells how far a search is.
func NewSearch(c Console, quiet bool) *Search {
	return &Search{progress: newProgress(c, quiet)}
}

// Loading tells that a layer is being loaded.
func (p *Search) Loading(beans int, done, total uint64) {
	part := words.Share(done, total)
	p.Show(time.Now(), part, func() string { return fmt.Sprintf("layer %d: load (%s)", beans, words.Portion(part)) })
}

// Begin tells what the search works with.
func (p *Search) Begin(s *proof.Searcher) {
	p.bar.Clear()
	p.began, p.due = time.Now(), time.Now().Add(firstLine)
	tables := "no tables"
	if s.Top() >= 0 {
		tables = fmt.Sprintf("tables of up to %s", words.Things(s.Top(), "bean"))
	}
	p.line("searching with %s", tables)
	if s.Resumed() > 0 {
		p.line("going on from an earlier search, with %s", words.Things(s.Resumed(), "position"))
	}
}

// Report is the callback of the search.
func (p *Search) Report(s proof.Progress) {
	if !p.started {
		p.started, p.visited = true, s.Visited
		p.began = time.Now()
		return
	}
	p.Show(time.Now(), words.Share(uint64(s.Decided), uint64(s.Moves)), func() string {
		return fmt.Sprintf("score %s to %s, at least %s? %d of %s decided, %s visited, %s, table %s full",
			words.Signed(s.Bounds.Low), words.Signed(s.Bounds.High), words.Signed(s.Asked), s.Decided, words.Things(s.Moves, "move"),
			words.Count(s.Visited), words.Rate(s.Visited-p.visited, time.Since(p.began)), words.Portion(s.Fill))
	})
}

// End clears the line.
func (p *Search) End() { p.bar.Clear() }
