package main

import (
	"math"
	"time"

	"bohnenspiel/tablebase/build"
)

// pace guesses from how long a build has taken so far how long it will still take. It
// counts in positions: a layer that is half done counts as half of its positions.
type pace struct {
	begun time.Time // of the run, but for loading layers
	layer time.Time // when the layer in work was begun
	beans int       // the layer in work; −1 before the first
	done  float64   // which part of it is done, from 0 to 1
	given float64   // which part of it was done when it was resumed
	// Positions is the size of the layer, finished those of the layers before it in
	// this run, total those of the run, and gift those that resumed layers have saved.
	positions, finished, total, gift float64
}

func newPace(now time.Time) *pace { return &pace{begun: now, layer: now, beans: -1} }

// see takes notice of a report.
func (p *pace) see(now time.Time, r build.Progress) {
	p.total = float64(r.RunTotal)
	if r.Phase == build.Loading {
		// Its speed says nothing of that of building.
		p.begun = p.begun.Add(now.Sub(p.layer))
		p.layer = now
		return
	}
	if r.Beans != p.beans {
		p.beans, p.positions, p.done, p.given = r.Beans, float64(r.Total), 0, 0
		if r.Resumed {
			p.given = partDone(r)
			p.gift += p.given * p.positions
		}
	}
	p.done = max(p.done, partDone(r))
	if finished := float64(r.RunDone); finished > p.finished {
		p.finished, p.positions, p.layer = finished, 0, now
	}
}

// part returns which part of the run is done, from 0 to 1.
func (p *pace) part() float64 {
	if p.total == 0 {
		return 0
	}
	return min(p.all()/p.total, 1)
}

// all returns the positions that are done.
func (p *pace) all() float64 { return p.finished + p.done*p.positions }

// speed returns the positions a second of this run so far, or 0 as long as nothing
// can be said.
func (p *pace) speed(now time.Time) float64 {
	took := now.Sub(p.begun).Seconds()
	if took <= 0 {
		return 0
	}
	return (p.all() - p.gift) / took
}

// runLeft returns how long the run will still take at that speed, and whether it has
// taken long enough to tell.
func (p *pace) runLeft(now time.Time) (time.Duration, bool) {
	const least = 2 * time.Second
	if now.Sub(p.begun) < least {
		return 0, false
	}
	return timeLeft(p.total-p.all(), p.speed(now))
}

// layerLeft returns the same of the layer in work, at the speed in that layer.
func (p *pace) layerLeft(now time.Time) (time.Duration, bool) {
	took := now.Sub(p.layer).Seconds()
	const least = 0.01 // of a layer, to tell the rest from
	if took <= 0 || p.done-p.given < least {
		return 0, false
	}
	return timeLeft(1-p.done, (p.done-p.given)/took)
}

// last reports whether the layer in work is the last of the run.
func (p *pace) last() bool { return p.finished+p.positions >= p.total }

func timeLeft(work, speed float64) (time.Duration, bool) {
	if speed <= 0 {
		return 0, false
	}
	const longest = 10_000 * 24 * time.Hour
	return time.Duration(min(work/speed, longest.Seconds()) * float64(time.Second)), true
}

// The parts that the phases have in the time of a layer that takes long.
const (
	convertPart = 0.1
	sweepPart   = 0.6
	storePart   = 0.3
)

// partDone guesses which part of the work on a layer is done, from 0 to 1. The time
// that sweeps will still take goes about with the cube root of the share of positions
// that are open: they are ever fewer, and further apart.
func partDone(r build.Progress) float64 {
	passed := passed(r)
	switch r.Phase {
	case build.Loading:
		return 0
	case build.Converting:
		return convertPart * passed
	case build.Sweeping:
		const perSweep = 0.25 // by what a sweep makes the rest less
		left := math.Cbrt(openShare(r)) * (1 - perSweep*passed)
		return convertPart + sweepPart*(1-left)
	default:
		return convertPart + sweepPart + storePart*passed
	}
}

// passed returns which part of a phase or sweep is done, from 0 to 1.
func passed(r build.Progress) float64 {
	if r.Total == 0 {
		return 0
	}
	return float64(r.Done) / float64(r.Total)
}

// openShare returns the share of positions that were not solved after the last sweep.
func openShare(r build.Progress) float64 {
	if r.Total == 0 {
		return 0
	}
	return float64(r.Open) / float64(r.Total)
}
