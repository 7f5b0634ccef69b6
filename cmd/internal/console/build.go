package console

import (
	"fmt"
	"time"

	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/tablebase/format"
)

// Table is what there is to say of a table of scores or of depths that was built.
type Table struct {
	name             string // "layer" or "DTC"
	Beans            int
	Positions, Bytes uint64
	took             time.Duration
	hash             string
	more             string // ", longest 9" of depths
}

// Scores describes a table of scores.
func Scores(m format.Manifest) Table {
	return Table{"layer", m.Beans, m.Positions, m.Bytes, words.Seconds(m.Seconds), m.SHA256, ""}
}

// Depths describes a table of depths.
func Depths(m format.DepthManifest) Table {
	return Table{"DTC", m.Beans, m.Positions, m.Bytes, words.Seconds(m.Seconds), m.SHA256, fmt.Sprintf(", longest %v", m.Longest)}
}
