package held

import (
	"bohnenspiel/tablebase/fault"
)

// ErrMemory is returned when a build needs more memory than it may use, or than
// there is.
var ErrMemory = fault.New(fault.Unanswered, "not enough memory")
