package console

import (
	"fmt"
	"strings"
	"time"

	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/format"
)

// Build tells on standard error how far a build is: a line for each finished
// layer, and below them a bar on a terminal, else lines of layers that take long.
type Build struct {
	progress
	db    *tablebase.DB
	game  game.Game
	clock func() time.Time
	eta   *eta
	layer int // in work, or being loaded; −1 before the first report
	told  int // number of layers that have got their line
}

// NewBuild returns what tells how far the build of a database is.
func NewBuild(c Console, quiet bool, db *tablebase.DB, g game.Game) *Build {
	return &Build{
		progress: newProgress(c, quiet),
		db:       db,
		game:     g,
		clock:    time.Now,
		eta:      newETA(time.Now()),
		layer:    -1,
	}
}

// Report is the callback of the build.
func (b *Build) Report(p build.Progress) {
	now := b.clock()
	begins := p.Beans != b.layer
	finished := b.eta.finished
	b.eta.see(now, p)
	if begins {
		b.layer, b.due = p.Beans, now.Add(firstLine)
		if p.Resumed {
			b.line("layer %d: resumed where an earlier build was stopped: %s", p.Beans, b.state(p))
		}
	}
	if b.eta.finished > finished {
		k := format.KeyOf(b.game, p.Beans)
		if p.DTC {
			if m, err := b.db.DepthManifest(k); err == nil {
				b.finished(Depths(m))
			}
		} else if m, err := b.db.Manifest(k); err == nil {
			b.finished(Scores(m))
		}
		return
	}
	b.Show(now, b.eta.part(), func() string { return b.text(now, p) })
}

// End clears the bar and tells of the tables that were built but not told of.
func (b *Build) End(built []Table) {
	for _, t := range built[min(b.told, len(built)):] {
		b.finished(t)
	}
	b.bar.Clear()
}

// finished writes the line of a finished table.
func (b *Build) finished(t Table) {
	b.told++
	b.line("%-5s %2d: %14s positions, %s, %s, %s%s, sha256 %s", t.name, t.Beans,
		words.Count(t.Positions), words.Span(t.took), words.Rate(t.Positions, t.took), words.Size(t.Bytes), t.more, t.hash[:min(12, len(t.hash))])
}

// text says how far the build is and how long it will take, in fewer words beside a bar.
func (b *Build) text(now time.Time, p build.Progress) string {
	name := "layer"
	if p.DTC {
		name = "DTC"
	}
	text := fmt.Sprintf("%s %d: %s", name, p.Beans, b.state(p))
	if p.Phase == build.Loading {
		return text
	}
	if speed := b.eta.speed(now); speed > 0 {
		text += ", " + words.Rate(uint64(speed), time.Second)
	}
	if left, ok := b.eta.layerLeft(now); ok {
		text += fmt.Sprintf(", about %s left", words.Roughly(left))
	}
	if left, ok := b.eta.runLeft(now); ok && !b.eta.last() {
		text += fmt.Sprintf(", %s for the run", words.Roughly(left))
	}
	if b.bar != nil {
		text = strings.NewReplacer(" positions/s", "/s", "about ", "").Replace(text)
	}
	return text
}

// state says what is being done, such as "sweep 2 (63%), 20% open".
func (b *Build) state(p build.Progress) string {
	if p.Phase != build.Sweeping {
		return fmt.Sprintf("%v (%s)", p.Phase, words.Portion(words.Share(p.Done, p.Total)))
	}
	return fmt.Sprintf("sweep %d (%s), %s open", p.Sweep, words.Portion(words.Share(p.Done, p.Total)), words.Portion(words.Share(p.Open, p.Total)))
}
