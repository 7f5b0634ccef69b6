package console

import (
	"math"
	"time"

	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/tablebase/build"
)

// eta guesses from how long a build has taken so far how long it will still take. It
// counts in positions: a layer that is half done counts as half of its positions.
type eta struct {
	begun time.Time // of the run, not counting the time to load layers
	layer time.Time // when the layer in work was begun
	beans int       // the layer in work; −1 before the first
	done  float64   // which part of it is done, from 0 to 1
	given float64   // which part of it was done when it was resumed
	// positions is the size of the layer, finished those of the layers before it in
	// this run, total those of the run, and gift those that resumed layers have saved.
	positions, finished, total, gift float64
}

func newETA(now time.Time) *eta { return &eta{begun: now, layer: now, beans: -1} }

// see takes notice of a report.
func (e *eta) see(now time.Time, r build.Progress) {
	e.total = float64(r.RunTotal)
	if r.Phase == build.Loading {
		// Its speed says nothing of that of building.
		e.begun = e.begun.Add(now.Sub(e.layer))
		e.layer = now
		return
	}
	if r.Beans != e.beans {
		e.beans, e.positions, e.done, e.given = r.Beans, float64(r.Total), 0, 0
		if r.Resumed {
			e.given = partDone(r)
			e.gift += e.given * e.positions
		}
	}
	e.done = max(e.done, partDone(r))
	if finished := float64(r.RunDone); finished > e.finished {
		e.finished, e.positions, e.layer = finished, 0, now
	}
}

// part returns which part of the run is done, from 0 to 1.
func (e *eta) part() float64 {
	if e.total == 0 {
		return 0
	}
	return min(e.all()/e.total, 1)
}

// all returns the positions that are done.
func (e *eta) all() float64 { return e.finished + e.done*e.positions }

// speed returns the positions a second of this run so far, or 0 as long as nothing
// can be said.
func (e *eta) speed(now time.Time) float64 {
	took := now.Sub(e.begun).Seconds()
	if took <= 0 {
		return 0
	}
	return (e.all() - e.gift) / took
}

// runLeft returns how long the run will still take at that speed, and whether it has
// taken long enough to tell.
func (e *eta) runLeft(now time.Time) (time.Duration, bool) {
	const least = 2 * time.Second
	if now.Sub(e.begun) < least {
		return 0, false
	}
	return timeLeft(e.total-e.all(), e.speed(now))
}

// layerLeft returns the same of the layer in work, at the speed in that layer.
func (e *eta) layerLeft(now time.Time) (time.Duration, bool) {
	took := now.Sub(e.layer).Seconds()
	const least = 0.01 // of a layer, to tell the rest from
	if took <= 0 || e.done-e.given < least {
		return 0, false
	}
	return timeLeft(1-e.done, (e.done-e.given)/took)
}

// last reports whether the layer in work is the last of the run.
func (e *eta) last() bool { return e.finished+e.positions >= e.total }

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
	passed := words.Share(r.Done, r.Total)
	switch r.Phase {
	case build.Loading:
		return 0
	case build.Converting:
		return convertPart * passed
	case build.Sweeping:
		const perSweep = 0.25 // by what a sweep makes the rest less
		left := math.Cbrt(words.Share(r.Open, r.Total)) * (1 - perSweep*passed)
		return convertPart + sweepPart*(1-left)
	default:
		return convertPart + sweepPart + storePart*passed
	}
}
