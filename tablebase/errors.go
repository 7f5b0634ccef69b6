package tablebase

import (
	"bohnenspiel/tablebase/fault"
)

// ErrDepthBudget is returned when finding a DTC would take more positions than the
// caller allows.
var ErrDepthBudget = fault.New(fault.Unanswered, "the depth to conversion takes a longer search than the limit")
