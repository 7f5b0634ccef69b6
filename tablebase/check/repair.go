package check

import (
	"slices"

	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
)

// Repair deletes the layers of a report that are bad themselves, so that Build makes
// them again, and returns their keys. A layer that could not be checked because of one
// below it stays: check it again when that one has been built. The error is that of
// Build on a database from Open, or wraps ErrStorage. Where the depth table of a layer is
// bad alone, its scores stay, and Depths makes the table again. Bad bounds are deleted
// as well; a search proves them again.
func Repair(db *tablebase.DB, report Report) (dropped []format.Key, err error) {
	w, err := db.Writer()
	if err != nil {
		return nil, err
	}
	defer w.Release()
	for _, layer := range report.Layers {
		if !slices.ContainsFunc(layer.Faults, func(f Fault) bool { return f.Kind != FaultLower }) {
			continue
		}
		// Depths follow from scores, and go with them.
		if err := w.DropDepths(layer.Key); err != nil {
			return dropped, err
		}
		if !layer.DepthsOnly {
			if err := w.DropLayer(layer.Key); err != nil {
				return dropped, err
			}
		}
		dropped = append(dropped, layer.Key)
	}
	var bad [][]byte
	for _, fault := range report.Bounds.Faults {
		bad = append(bad, fault.Key)
	}
	return dropped, w.Remove(bad)
}
