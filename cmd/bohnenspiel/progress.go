package main

import (
	"fmt"
	"time"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// buildProgress tells on standard error how far a build is: a line for each
// finished layer and, on a terminal, a bar below them.
type buildProgress struct {
	console
	quiet bool
	db    *tablebase.DB
	game  game.Game
	bar   *bar
	begun time.Time
	layer int     // being built; −1 before the first report
	told  int     // number of layers that have got their line
	done  float64 // positions, with the part of the layer in work
	// positions is the size of the layer.
	positions uint64
}

func newBuildProgress(c console, quiet bool, db *tablebase.DB, g game.Game) *buildProgress {
	return &buildProgress{
		console: c,
		quiet:   quiet,
		db:      db,
		game:    g,
		bar:     newBar(c, quiet),
		begun:   time.Now(),
		layer:   -1,
	}
}

// report is the callback of the build.
func (b *buildProgress) report(p tablebase.Progress) {
	if p.Beans != b.layer {
		if b.layer >= 0 {
			if m, err := b.db.Manifest(tablebase.KeyOf(b.game, b.layer)); err == nil {
				b.finished(m)
			}
		}
		b.layer = p.Beans
	}
	if p.Phase != tablebase.Storing { // which counts some layers more than once
		b.positions = p.Total
	}
	b.show(p)
}

// end clears the bar and tells of the layers that were built but not told of.
func (b *buildProgress) end(built []tablebase.Manifest) {
	for _, m := range built[min(b.told, len(built)):] {
		b.finished(m)
	}
	b.bar.clear()
}

// finished writes the line of a finished layer.
func (b *buildProgress) finished(m tablebase.Manifest) {
	b.told++
	if b.quiet {
		return
	}
	b.bar.clear()
	took := time.Duration(m.Seconds * float64(time.Second))
	b.note("layer %2d: %14s positions, %s, %s, %s, sha256 %s",
		m.Beans, count(m.Positions), span(took), rate(m.Positions, took), size(m.Bytes), m.SHA256[:min(12, len(m.SHA256))])
}

// show draws the bar. Its speed is that of the whole run, in positions of finished
// layers, so the time left is a guess that grows better with time.
func (b *buildProgress) show(p tablebase.Progress) {
	if b.bar == nil || p.RunTotal == 0 {
		return
	}
	b.done = max(b.done, float64(p.RunDone)+layerDone(p)*float64(b.positions))
	fraction := min(b.done/float64(p.RunTotal), 1)
	took := time.Since(b.begun)
	phase := p.Phase.String()
	if p.Phase == tablebase.Sweeping {
		phase = fmt.Sprintf("sweep %d", p.Sweep)
	}
	text := fmt.Sprintf("layer %d: %s, %s", p.Beans, phase, rate(uint64(b.done), took))
	if fraction > 0 {
		left := time.Duration(float64(took) * (1/fraction - 1))
		text += fmt.Sprintf(", %s left", wholeSeconds(left))
	}
	b.bar.show(fraction, text)
}

// layerDone guesses which part of the work on a layer is done, from 0 to 1. The
// shares of the phases are about right for layers that take long.
func layerDone(p tablebase.Progress) float64 {
	if p.Total == 0 {
		return 0
	}
	passed := float64(p.Done) / float64(p.Total)
	switch p.Phase {
	case tablebase.Converting:
		return 0.3 * passed
	case tablebase.Sweeping:
		// A sweep solves about half of what is open.
		open := float64(p.Open) / float64(p.Total) * (1 - passed/2)
		return 0.3 + 0.5*(1-open)
	default:
		return 0.8 + 0.2*passed
	}
}
