package main

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

// preview is what a build finds before it begins, and what it is going to do.
type preview struct {
	dir              string
	present, missing []int      // beans of the layers that are wanted
	plan             build.Plan // of scores
	depths           build.Plan // of depth tables, if they are wanted
}

// newPreview looks at the database in dir, if there is one, and writes nothing.
func newPreview(dir string, b build.Options, dtc bool) (p preview, err error) {
	p = preview{dir: dir}
	db, err := database.Open(dir, tablebase.Options{})
	switch {
	case err == nil:
		defer session.CloseDatabase(db, &err)
	case errors.Is(err, store.ErrNoDatabase):
		db = nil
	default:
		return p, err
	}
	p.present, p.missing, err = session.Layers(db, b.Game, b.Beans, b.Parity)
	p.plan = build.PlanScores(b, session.HasLayer(db))
	if dtc {
		p.depths = build.PlanDepths(b, func(k format.Key) bool {
			if db == nil {
				return false
			}
			_, err := db.DepthManifest(k)
			return err == nil
		})
	}
	return p, err
}

// whole returns all that is going to be done.
func (p preview) whole() build.Plan { return p.plan.Join(p.depths) }

// check returns why the build can't be done, or nil.
func (p preview) check() error {
	plan := p.whole()
	if err := plan.CheckMemory(); err != nil {
		return err
	}
	return plan.CheckDisk(p.dir)
}

// print prints what the build would take.
func (p preview) print(c console.Console, json bool) error {
	if json {
		return console.PrintJSON(c, p.objects()...)
	}
	return c.Print(p.text())
}

// text prints for people what each layer takes, and whether it fits.
func (p preview) text() string {
	plan := p.whole()
	if len(plan.Layers) == 0 {
		return nothingToBuild
	}
	rows := words.NewTable()
	rows.Row("beans", "positions", "time", "memory", "disk", "meanwhile")
	row := func(name string, cost build.Cost) {
		kept := "-"
		if cost.Kept > 0 {
			kept = words.Size(cost.Kept)
		}
		rows.Row(name, words.Count(cost.Positions), words.Span(cost.Time), words.Size(cost.Memory), words.Size(cost.Bytes), kept)
	}
	for _, layer := range plan.Layers {
		name := fmt.Sprint(layer.Key.Beans)
		if layer.DTC {
			name += " DTC"
		}
		row(name, layer.Cost)
	}
	row("all", plan.Total())
	return rows.String() + p.verdict()
}

// verdict says whether memory and disk are enough.
func (p preview) verdict() string {
	var text strings.Builder
	plan := p.whole()
	for _, err := range []error{plan.CheckMemory(), plan.CheckDisk(p.dir)} {
		if err != nil {
			fmt.Fprintf(&text, "does not fit: %v\n", err)
		}
	}
	if text.Len() > 0 {
		return text.String()
	}
	text.WriteString("it fits")
	separator := ": "
	if p.plan.Memory < math.MaxInt64 {
		fmt.Fprintf(&text, "%s%s of memory are allowed", separator, words.Size(p.plan.Memory))
		separator = ", "
	}
	if free, known := store.FreeDisk(p.dir); known {
		fmt.Fprintf(&text, "%s%s of disk are free", separator, words.Size(free))
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

// objects returns the same for JSON: each layer, and then all of them.
func (p preview) objects() []any {
	var objects []any
	plan := p.whole()
	for _, layer := range plan.Layers {
		objects = append(objects, plannedLayer{
			Rules: layer.Key.Rules, Width: layer.Key.Width, Beans: layer.Key.Beans, DTC: layer.DTC,
			Positions: layer.Positions, Seconds: layer.Time.Seconds(), Memory: layer.Memory, Bytes: layer.Bytes, Meanwhile: layer.Kept,
		})
	}
	total := plan.Total()
	all := plannedBuild{
		Layers: total.Layers, Positions: total.Positions, Seconds: total.Time.Seconds(), Memory: total.Memory,
		Bytes: total.Bytes, Meanwhile: total.Kept, Fits: p.check() == nil,
	}
	if p.plan.Memory < math.MaxInt64 {
		all.MemoryAllowed = &p.plan.Memory
	}
	if free, known := store.FreeDisk(p.dir); known {
		all.DiskFree = &free
	}
	return append(objects, all)
}
