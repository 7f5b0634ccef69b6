package console

import (
	"math"
	"testing"
	"time"

	"bohnenspiel/tablebase/build"
)

// reports are those of a layer that takes so long as a whole, each with its time from
// the beginning. Sweeps get shorter as they do.
func reports(beans int, positions, before, run uint64, took time.Duration) (all []build.Progress, at []time.Duration) {
	r := build.Progress{Beans: beans, Total: positions, Open: positions, RunDone: before, RunTotal: run}
	add := func(part, done float64) {
		r.Done = uint64(done * float64(positions))
		all, at = append(all, r), append(at, time.Duration(part*float64(took)))
	}
	r.Phase = build.Converting
	for i := range 10 {
		add(0.01*float64(i+1), float64(i+1)/10)
	}
	r.Phase = build.Sweeping
	open, left := 1.0, 0.6
	for r.Sweep = 1; r.Sweep < 20; r.Sweep++ {
		for i := range 10 {
			add(0.7-left*(1-0.025*float64(i)), float64(i)/10)
		}
		open, left = open*0.42, left*0.75
		r.Open = uint64(open * float64(positions))
	}
	r.Phase, r.Sweep = build.Storing, 0
	for i := range 10 {
		add(0.7+0.03*float64(i+1), float64(i+1)/10)
	}
	r.RunDone += positions
	add(1, 1)
	return all, at
}

// TestETA follows a run of two layers at a constant speed.
func TestETA(t *testing.T) {
	const speed = 1e6
	layers := []uint64{30e6, 90e6}
	begun := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	p := newETA(begun)

	now := begun.Add(time.Hour)
	p.see(now, build.Progress{Beans: 2, Phase: build.Loading, Done: 1, Total: 1, RunTotal: layers[0] + layers[1]})
	if left, ok := p.runLeft(now); ok {
		t.Errorf("after loading alone: got %v for the run, want nothing", left)
	}
	begun = now
	var done uint64
	for i, positions := range layers {
		took := time.Duration(float64(positions) / speed * float64(time.Second))
		all, at := reports(20+2*i, positions, done, layers[0]+layers[1], took)
		part := 0.0
		for j, r := range all {
			now := begun.Add(at[j])
			p.see(now, r)
			if p.part() < part {
				t.Fatalf("layer %d, report %d: the bar goes back from %v to %v", i, j, part, p.part())
			}
			part = p.part()
			if at[j] < 2*time.Second {
				continue
			}
			near(t, "speed", p.speed(now), speed)
			run, ok := p.runLeft(now)
			want := float64(layers[0]+layers[1]-done)/speed - at[j].Seconds()
			near(t, "time left for the run", run.Seconds(), want)
			if !ok {
				t.Error("no time left for the run")
			}
			if r.RunDone == done {
				layer, _ := p.layerLeft(now)
				near(t, "time left for the layer", layer.Seconds(), took.Seconds()-at[j].Seconds())
				if p.last() != (i == 1) {
					t.Errorf("layer %d: last is %t", i, p.last())
				}
			}
		}
		done += positions
		begun = begun.Add(took)
	}
	if p.part() != 1 {
		t.Errorf("at the end %v is done", p.part())
	}
}

// TestETAOfResumedLayer wants what an earlier build has done not to count as speed.
func TestETAOfResumedLayer(t *testing.T) {
	begun := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	p := newETA(begun)
	took := 100 * time.Second
	all, at := reports(20, 100e6, 0, 100e6, took)
	first := len(all) / 2
	for j := first; j < len(all)-1; j++ {
		all[j].Resumed = true
		now := begun.Add(at[j] - at[first])
		p.see(now, all[j])
		if at[j]-at[first] < took/20 {
			continue
		}
		left, _ := p.layerLeft(now)
		near(t, "time left for the layer", left.Seconds(), took.Seconds()-at[j].Seconds())
		near(t, "speed", p.speed(now), 1e6)
	}
	if first < 10 || p.part() < 0.9 {
		t.Errorf("resumed at report %d, ended at %v", first, p.part())
	}
}

// near fails the test unless a guess is about right.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.1*want+1 {
		t.Errorf("%s: got %.2f, want about %.2f", what, got, want)
	}
}
