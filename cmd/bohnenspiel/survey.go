package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

// survey is what a build finds before it begins, and what it is going to do.
type survey struct {
	dir              string
	present, missing []int      // beans of the layers that are wanted
	plan             build.Plan // of scores
	depths           build.Plan // of depth tables, if they are wanted
}

// newSurvey looks at the database in dir, if there is one, and writes nothing.
func newSurvey(dir string, b build.Options, dtc bool) (s survey, err error) {
	s = survey{dir: dir}
	db, err := database.Open(dir, tablebase.Options{})
	switch {
	case err == nil:
		defer closeDatabase(db, &err)
	case errors.Is(err, store.ErrNoDatabase):
		db = nil
	default:
		return s, err
	}
	s.present, s.missing, err = layers(db, b.Game, b.Beans, b.Parity)
	s.plan = build.PlanScores(b, hasLayer(db))
	if dtc {
		s.depths = build.PlanDepths(b, func(k format.Key) bool {
			if db == nil {
				return false
			}
			_, err := db.DepthManifest(k)
			return err == nil
		})
	}
	return s, err
}

// whole returns all that is going to be done.
func (s survey) whole() build.Plan { return s.plan.Join(s.depths) }

// check returns why the build can't be done, or nil.
func (s survey) check() error {
	plan := s.whole()
	if err := plan.CheckMemory(); err != nil {
		return err
	}
	return plan.CheckDisk(s.dir)
}

// print prints what the build would take.
func (o *buildFlags) print(c console, s survey) error {
	text := []byte(s.text())
	if o.json {
		var err error
		if text, err = s.lines(); err != nil {
			return err
		}
	}
	_, err := c.out.Write(text)
	return err
}

// Text prints for people what each layer takes, and whether it fits.
func (s survey) text() string {
	plan := s.whole()
	if len(plan.Layers) == 0 {
		return nothingToBuild
	}
	rows := newTable()
	rows.row("beans", "positions", "time", "memory", "disk", "meanwhile")
	row := func(name string, cost build.Cost) {
		kept := "-"
		if cost.Kept > 0 {
			kept = size(cost.Kept)
		}
		rows.row(name, count(cost.Positions), span(cost.Time), size(cost.Memory), size(cost.Bytes), kept)
	}
	for _, layer := range plan.Layers {
		name := fmt.Sprint(layer.Key.Beans)
		if layer.DTC {
			name += " DTC"
		}
		row(name, layer.Cost)
	}
	row("all", plan.Total())
	return rows.String() + s.verdict()
}

// verdict says whether memory and disk are enough.
func (s survey) verdict() string {
	var text strings.Builder
	plan := s.whole()
	for _, err := range []error{plan.CheckMemory(), plan.CheckDisk(s.dir)} {
		if err != nil {
			fmt.Fprintf(&text, "does not fit: %v\n", err)
		}
	}
	if text.Len() > 0 {
		return text.String()
	}
	text.WriteString("it fits")
	separator := ": "
	if s.plan.Memory < math.MaxInt64 {
		fmt.Fprintf(&text, "%s%s of memory are allowed", separator, size(s.plan.Memory))
		separator = ", "
	}
	if free, known := store.FreeDisk(s.dir); known {
		fmt.Fprintf(&text, "%s%s of disk are free", separator, size(free))
	}
	text.WriteByte('\n')
	return text.String()
}

// plannedLayer is the JSON object of a layer that would be built. Sizes are in bytes.
type plannedLayer struct {
	Rules     game.Rules `json:"rules"`
	Width     int        `json:"width"`
	Beans     int        `json:"beans"`
	DTC       bool       `json:"dtc"` // whether it is the depth table of the layer
	Positions uint64     `json:"positions"`
	Seconds   float64    `json:"seconds"`
	Memory    uint64     `json:"memory"`
	Bytes     uint64     `json:"bytes"`     // on the disk
	Meanwhile uint64     `json:"meanwhile"` // further disk, as long as the layer is in work
}

// plannedBuild is the JSON object of all layers that would be built.
type plannedBuild struct {
	Layers        int     `json:"layers"`
	Positions     uint64  `json:"positions"`
	Seconds       float64 `json:"seconds"`
	Memory        uint64  `json:"memory"`
	Bytes         uint64  `json:"bytes"`
	Meanwhile     uint64  `json:"meanwhile"`
	MemoryAllowed *uint64 `json:"memoryAllowed"` // null if not known
	DiskFree      *uint64 `json:"diskFree"`      // null if not known
	Fits          bool    `json:"fits"`
}

// lines prints the same as JSON: one layer a line, and then all of them.
func (s survey) lines() ([]byte, error) {
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	plan := s.whole()
	for _, layer := range plan.Layers {
		err := lines.Encode(plannedLayer{
			Rules: layer.Key.Rules, Width: layer.Key.Width, Beans: layer.Key.Beans, DTC: layer.DTC,
			Positions: layer.Positions, Seconds: layer.Time.Seconds(), Memory: layer.Memory, Bytes: layer.Bytes, Meanwhile: layer.Kept,
		})
		if err != nil {
			return nil, err
		}
	}
	total := plan.Total()
	all := plannedBuild{
		Layers: total.Layers, Positions: total.Positions, Seconds: total.Time.Seconds(), Memory: total.Memory,
		Bytes: total.Bytes, Meanwhile: total.Kept, Fits: s.check() == nil,
	}
	if s.plan.Memory < math.MaxInt64 {
		all.MemoryAllowed = &s.plan.Memory
	}
	if free, known := store.FreeDisk(s.dir); known {
		all.DiskFree = &free
	}
	err := lines.Encode(all)
	return text.Bytes(), err
}
