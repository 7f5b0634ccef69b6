package main

import (
	"fmt"
	"strings"
	"time"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/format"
)

// Where there is no bar, a layer that takes long gets a line after firstLine and then
// one every nextLine.
const (
	firstLine = 10 * time.Second
	nextLine  = 30 * time.Second
)

// buildProgress tells on standard error how far a build is: a line for each finished
// layer, and below them a bar on a terminal, else lines of layers that take long.
type buildProgress struct {
	console
	quiet bool
	db    *tablebase.DB
	game  game.Game
	bar   *bar
	clock func() time.Time
	pace  *pace
	layer int       // in work, or being loaded; −1 before the first report
	told  int       // number of layers that have got their line
	due   time.Time // of the next line
}

func newBuildProgress(c console, quiet bool, db *tablebase.DB, g game.Game) *buildProgress {
	return &buildProgress{
		console: c,
		quiet:   quiet,
		db:      db,
		game:    g,
		bar:     newBar(c, quiet),
		clock:   time.Now,
		pace:    newPace(time.Now()),
		layer:   -1,
	}
}

// Report is the callback of the build.
func (b *buildProgress) report(p build.Progress) {
	now := b.clock()
	begins := p.Beans != b.layer
	finished := b.pace.finished
	b.pace.see(now, p)
	if begins {
		b.layer, b.due = p.Beans, now.Add(firstLine)
		if p.Resumed {
			b.line("layer %d: resumed where an earlier build was stopped: %s", p.Beans, b.state(p))
		}
	}
	if b.pace.finished > finished {
		k := format.KeyOf(b.game, p.Beans)
		if p.DTC {
			if m, err := b.db.DepthManifest(k); err == nil {
				b.finishedDepths(m)
			}
		} else if m, err := b.db.Manifest(k); err == nil {
			b.finished(m)
		}
		return
	}
	if b.bar != nil {
		b.bar.show(b.pace.part(), func() string { return b.short(now, p) })
	} else if !now.Before(b.due) {
		b.due = now.Add(nextLine)
		b.line("%s", b.long(now, p))
	}
}

// end clears the bar and tells of the layers that were built but not told of.
func (b *buildProgress) end(built []format.Manifest) {
	for _, m := range built[min(b.told, len(built)):] {
		b.finished(m)
	}
	b.bar.clear()
}

// endDepths does the same after depth tables were built.
func (b *buildProgress) endDepths(built []format.DepthManifest) {
	for _, m := range built[min(b.told, len(built)):] {
		b.finishedDepths(m)
	}
	b.bar.clear()
}

// finishedDepths writes the line of a finished depth table.
func (b *buildProgress) finishedDepths(m format.DepthManifest) {
	b.told++
	took := time.Duration(m.Seconds * float64(time.Second))
	b.line("DTC %4d: %14s positions, %s, %s, %s, longest %v, sha256 %s",
		m.Beans, count(m.Positions), span(took), rate(m.Positions, took), size(m.Bytes), m.Longest, m.SHA256[:min(12, len(m.SHA256))])
}

// finished writes the line of a finished layer.
func (b *buildProgress) finished(m format.Manifest) {
	b.told++
	took := time.Duration(m.Seconds * float64(time.Second))
	b.line("layer %2d: %14s positions, %s, %s, %s, sha256 %s",
		m.Beans, count(m.Positions), span(took), rate(m.Positions, took), size(m.Bytes), m.SHA256[:min(12, len(m.SHA256))])
}

// line writes a line above the bar, unless quiet is wanted.
func (b *buildProgress) line(format string, args ...any) {
	if b.quiet {
		return
	}
	b.bar.clear()
	b.note(format, args...)
}

// Long says how far the build is and how long it will take, as a line.
func (b *buildProgress) long(now time.Time, p build.Progress) string {
	name := "layer"
	if p.DTC {
		name = "DTC"
	}
	text := fmt.Sprintf("%s %d: %s", name, p.Beans, b.state(p))
	if p.Phase == build.Loading {
		return text
	}
	if speed := b.pace.speed(now); speed > 0 {
		text += ", " + rate(uint64(speed), time.Second)
	}
	if left, ok := b.pace.layerLeft(now); ok {
		text += fmt.Sprintf(", about %s left", roughly(left))
	}
	if left, ok := b.pace.runLeft(now); ok && !b.pace.last() {
		text += fmt.Sprintf(", %s for the run", roughly(left))
	}
	return text
}

// short says the same in fewer words, beside a bar.
func (b *buildProgress) short(now time.Time, p build.Progress) string {
	return strings.NewReplacer(" positions/s", "/s", "about ", "").Replace(b.long(now, p))
}

// state says what is being done, such as "sweep 2 (63%), 20% open".
func (b *buildProgress) state(p build.Progress) string {
	if p.Phase != build.Sweeping {
		return fmt.Sprintf("%v (%s)", p.Phase, portion(passed(p)))
	}
	return fmt.Sprintf("sweep %d (%s), %s open", p.Sweep, portion(passed(p)), portion(openShare(p)))
}
