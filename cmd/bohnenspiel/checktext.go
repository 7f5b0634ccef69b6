package main

import (
	"fmt"
	"strings"

	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/check"
)

// reportText prints for people what was checked, what is wrong, and a verdict.
func (o *checkFlags) reportText(report check.Report) string {
	rows := words.NewTable()
	head := []string{"rules", "board", "beans", "blocks", "bytes", "compared"}
	if o.published {
		head = append(head, "published")
	}
	if o.independent > 0 {
		head = append(head, "proved")
	}
	rows.Row(append(head, "verdict")...)
	var faults strings.Builder
	var sum check.LayerReport
	bad := 0
	for _, layer := range report.Layers {
		verdict := "sound"
		if len(layer.Faults) > 0 {
			verdict = "BAD"
			bad++
		}
		row := []string{
			layer.Key.Rules.String(), fmt.Sprintf("2×%d", layer.Key.Width), fmt.Sprint(layer.Key.Beans),
			words.Count(layer.Blocks), words.Count(layer.Bytes), words.Count(layer.Compared),
		}
		if o.published {
			row = append(row, map[bool]string{true: "the same", false: "-"}[layer.Published])
		}
		if o.independent > 0 {
			row = append(row, fmt.Sprintf("%s of %s", words.Count(layer.Proved), words.Count(layer.Proved+layer.Unproved)))
		}
		rows.Row(append(row, verdict)...)
		for _, fault := range layer.Faults {
			fmt.Fprintf(&faults, "%v: %s\n", fault.Kind, oneLine(fault.Err.Error()))
		}
		if layer.Unlisted > 0 {
			fmt.Fprintf(&faults, "and %s more in %v\n", words.Things(layer.Unlisted, "fault"), layer.Key)
		}
		sum.Blocks += layer.Blocks
		sum.Bytes += layer.Bytes
		sum.Compared += layer.Compared
		sum.DepthsCompared += layer.DepthsCompared
	}
	verdict := "sound: " + words.Things(len(report.Layers), "layer")
	if bad > 0 {
		verdict = fmt.Sprintf("BAD: %d of %s", bad, words.Things(len(report.Layers), "layer"))
	}
	bounds := boundsText(&faults, report.Bounds)
	depths := ""
	if sum.DepthsCompared > 0 {
		depths = " and " + words.Things(sum.DepthsCompared, "DTC")
	}
	how := "compared with their successors"
	if o.depth == check.Recompute.String() {
		how = "solved anew"
	}
	return fmt.Sprintf("%s%s%s; %s, %s sound, %s%s %s\n%s", rows, &faults, verdict,
		words.Things(sum.Blocks, "block"), words.Things(sum.Bytes, "byte"), words.Things(sum.Compared, "position"), depths, how, bounds)
}

// boundsText lists what is wrong with kept bounds, and returns a verdict on them; none if
// none are kept.
func boundsText(faults *strings.Builder, r check.BoundsReport) string {
	bad := uint64(len(r.Faults))
	if r.Kept+bad == 0 {
		return ""
	}
	for i, fault := range r.Faults {
		if i == check.MaxFaults {
			fmt.Fprintf(faults, "and %s more in kept bounds\n", words.Things(bad-check.MaxFaults, "fault"))
			break
		}
		fmt.Fprintf(faults, "bounds: %s\n", oneLine(fault.Err.Error()))
	}
	verdict := "sound: kept bounds of " + words.Things(r.Kept, "position")
	if bad > 0 {
		verdict = fmt.Sprintf("BAD: kept bounds of %s of %s", words.Count(bad), words.Things(r.Kept+bad, "position"))
	}
	others := ""
	if r.Others > 0 {
		others = fmt.Sprintf("; %s proved with other tables, and not used", words.Count(r.Others))
	}
	return fmt.Sprintf("%s; %s compared with the tables%s\n", verdict, words.Count(r.Compared), others)
}

// layerCheck is the JSON object of a checked layer.
type layerCheck struct {
	Rules     game.Rules   `json:"rules"`
	Width     int          `json:"width"`
	Beans     int          `json:"beans"`
	Blocks    uint64       `json:"blocks"`
	Bytes     uint64       `json:"bytes"`
	Compared  uint64       `json:"compared"`
	DTCs      uint64       `json:"dtcsCompared"`
	Published *bool        `json:"published"` // null unless asked for; whether the hash is a published one
	Proved    *uint64      `json:"proved"`    // null unless asked for
	Unproved  *uint64      `json:"unproved"`  // null unless asked for
	Sound     bool         `json:"sound"`
	Faults    []layerFault `json:"faults"`
	Unlisted  int          `json:"unlisted"` // faults beyond those in the list
}

// boundsCheck is the JSON object of the kept bounds.
type boundsCheck struct {
	Kept     uint64   `json:"kept"`
	Others   uint64   `json:"others"` // proved with other tables, and not used
	Compared uint64   `json:"compared"`
	Sound    bool     `json:"sound"`
	Faults   []string `json:"faults"`
	Unlisted int      `json:"unlisted"`
}

// layerFault is the JSON object of a fault.
type layerFault struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// reportObjects returns a report for JSON: an object a layer, and kept bounds, if there are
// any, in a last one.
func (o *checkFlags) reportObjects(report check.Report) []any {
	var objects []any
	for _, layer := range report.Layers {
		check := layerCheck{
			Rules: layer.Key.Rules, Width: layer.Key.Width, Beans: layer.Key.Beans,
			Blocks: layer.Blocks, Bytes: layer.Bytes, Compared: layer.Compared, DTCs: layer.DepthsCompared,
			Sound: len(layer.Faults) == 0, Faults: []layerFault{}, Unlisted: layer.Unlisted,
		}
		if o.published {
			check.Published = &layer.Published
		}
		if o.independent > 0 {
			check.Proved, check.Unproved = &layer.Proved, &layer.Unproved
		}
		for _, fault := range layer.Faults {
			check.Faults = append(check.Faults, layerFault{Kind: fault.Kind.String(), Message: fault.Err.Error()})
		}
		objects = append(objects, check)
	}
	if b := report.Bounds; b.Kept > 0 || len(b.Faults) > 0 {
		check := boundsCheck{
			Kept: b.Kept, Others: b.Others, Compared: b.Compared,
			Sound: len(b.Faults) == 0, Faults: []string{}, Unlisted: max(0, len(b.Faults)-check.MaxFaults),
		}
		for _, fault := range b.Faults[:len(b.Faults)-check.Unlisted] {
			check.Faults = append(check.Faults, fault.Err.Error())
		}
		objects = append(objects, check)
	}
	return objects
}
